"""Commands that make training pairs and look for leaks in them."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ncsbench.cli.options import Corpus, Output, Questions, ScoreSheet, Settings

if TYPE_CHECKING:
    from ncsbench.pairs.pair_files import Candidate
    from ncsbench.pairs.pair_funnel import Funnel

app = typer.Typer(help="Training pairs and threads, apart from the evaluation questions.")

FunnelOutput = Annotated[
    Path, typer.Option("--funnel", help="CSV: how many each step kept and removed.")
]
LeaksOutput = Annotated[Path, typer.Option("--leaks", help="CSV: what was removed as a leak.")]


_Files = tuple[Path, Path | None, Path, Path, Path]
# Questions, score sheet, pairs to write, funnel, leaks: what every command that makes pairs names.


def _write(
    steps: Iterable[tuple[str, str]],
    iterate: "Callable[[Funnel], Iterable[Candidate]]",
    files: _Files,
    *,
    keep_repeated: bool,
) -> None:
    """Write the pairs that ``iterate`` gives while it counts the steps."""
    from ncsbench.pairs.pair_files import write_pair_set
    from ncsbench.pairs.pair_funnel import Funnel

    counts = Funnel(steps)
    questions, score_sheet, output, funnel, leaks = files
    write_pair_set(
        iterate(counts),
        counts,
        keep_repeated=keep_repeated,
        questions=questions,
        score_sheet=score_sheet,
        output=output,
        funnel_output=funnel,
        leaks_output=leaks,
    )


@app.command()
def posts(
    settings: Settings,
    post_questions: Annotated[Path, typer.Option(help="Questions of a dump, as Parquet.")],
    post_answers: Annotated[Path, typer.Option(help="Answers of a dump, as Parquet.")],
    questions: Questions,
    output: Output,
    funnel: FunnelOutput,
    leaks: LeaksOutput,
    score_sheet: ScoreSheet = None,
) -> None:
    """Make pairs of question titles and snippets of answers."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.pairs.pair_options import PostPairSettings
    from ncsbench.pairs.post_pairs import POST_STEPS, iterate_post_pairs

    options = read_settings(settings, PostPairSettings)
    _write(
        POST_STEPS,
        lambda counts: iterate_post_pairs(post_questions, post_answers, options, counts),
        (questions, score_sheet, output, funnel, leaks),
        keep_repeated=options.exact_duplicates == "kept",
    )


@app.command()
def docstrings(
    settings: Settings,
    corpus: Corpus,
    questions: Questions,
    output: Output,
    funnel: FunnelOutput,
    leaks: LeaksOutput,
    score_sheet: ScoreSheet = None,
) -> None:
    """Make pairs of docstrings' first sentences and their methods."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.pairs.docstring_pairs import DOCSTRING_STEPS, iterate_docstring_pairs
    from ncsbench.pairs.pair_options import DocstringOptions

    options = read_settings(settings, DocstringOptions)
    _write(
        DOCSTRING_STEPS,
        lambda counts: iterate_docstring_pairs(CorpusFolder(corpus), options, counts),
        (questions, score_sheet, output, funnel, leaks),
        keep_repeated=options.exact_duplicates == "kept",
    )


@app.command()
def functions(
    settings: Settings,
    corpus: Annotated[Path, typer.Option(help="Corpus of Java functions of CodeSearchNet.")],
    questions: Questions,
    output: Output,
    funnel: FunnelOutput,
    leaks: LeaksOutput,
    part: Annotated[
        Literal["train", "valid", "test"], typer.Option(help="Whose pairs are taken.")
    ] = "train",
    score_sheet: ScoreSheet = None,
) -> None:
    """Make pairs of the documented functions of a corpus of CodeSearchNet.

    The settings are those of a set of kind docstrings.
    """
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.pairs.function_pairs import FUNCTION_STEPS, iterate_function_pairs
    from ncsbench.pairs.pair_options import DocstringOptions

    options = read_settings(settings, DocstringOptions)
    _write(
        FUNCTION_STEPS,
        lambda counts: iterate_function_pairs(corpus, part, options, counts),
        (questions, score_sheet, output, funnel, leaks),
        keep_repeated=options.exact_duplicates == "kept",
    )


@app.command()
def file(
    settings: Settings,
    questions: Questions,
    output: Output,
    funnel: FunnelOutput,
    leaks: LeaksOutput,
    score_sheet: ScoreSheet = None,
) -> None:
    """Make pairs of the lines of a file, which its settings name."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.pairs.json_pairs import FILE_STEPS, iterate_file_pairs
    from ncsbench.pairs.pair_options import FileOptions

    options = read_settings(settings, FileOptions)
    _write(
        FILE_STEPS,
        lambda counts: iterate_file_pairs(options, counts),
        (questions, score_sheet, output, funnel, leaks),
        keep_repeated=options.exact_duplicates == "kept",
    )


@app.command()
def derived(
    pairs: Annotated[
        list[Path],
        typer.Argument(help="The pairs; behind them, for a sample, those that are as many."),
    ],
    settings: Settings,
    questions: Questions,
    output: Output,
    funnel: FunnelOutput,
    leaks: LeaksOutput,
    score_sheet: ScoreSheet = None,
    threads: Annotated[
        Path | None, typer.Option(help="Folder of threads, for pairs without some of them.")
    ] = None,
) -> None:
    """Take of some pairs those that a filter keeps, a sample, or those without some threads."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.errors import ConfigurationError
    from ncsbench.pairs.derived_pairs import derive_pairs, name_steps, open_filter
    from ncsbench.pairs.pair_options import DerivedOptions
    from ncsbench.pairs.thread_pairs import THREAD_STEPS, leave_out_threads

    options = read_settings(settings, DerivedOptions)
    files = (questions, score_sheet, output, funnel, leaks)
    if parts := options.without_threads:
        if threads is None:
            raise ConfigurationError(f"{settings}: without_threads needs threads; give --threads")
        folder, of = threads, pairs[0]
        _write(
            THREAD_STEPS,
            lambda counts: leave_out_threads(of, folder, parts, counts, options.excluded_keys),
            files,
            keep_repeated=True,
        )
        return
    comment_filter = open_filter(options)
    _write(
        name_steps(comment_filter),
        lambda counts: derive_pairs(pairs, options, comment_filter, counts),
        files,
        keep_repeated=True,
    )


@app.command()
def threads(
    settings: Settings,
    post_questions: Annotated[Path, typer.Option(help="Questions of a dump, as Parquet.")],
    post_answers: Annotated[Path, typer.Option(help="Answers of a dump, as Parquet.")],
    questions: Questions,
    output: Output,
    score_sheet: ScoreSheet = None,
) -> None:
    """Choose threads of posts with a Java answer, which rankers are chosen by, in three parts."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.pairs.pair_files import open_finder
    from ncsbench.pairs.thread_options import ThreadSettings
    from ncsbench.pairs.threads import choose_threads, write_threads

    options = read_settings(settings, ThreadSettings)
    finder = open_finder(questions, score_sheet)
    write_threads(output, choose_threads(post_questions, post_answers, options, finder))


@app.command()
def check(
    pairs: Annotated[list[Path], typer.Argument(help="Files of training pairs.")],
    questions: Questions,
    score_sheet: ScoreSheet = None,
) -> None:
    """Look for evaluation questions in training pairs; a line for each leak, and exit code 1."""
    from ncsbench.pairs.pair_files import check_pairs, describe_leak, open_finder

    finder = open_finder(questions, score_sheet)
    leaking = False
    for path in pairs:
        for key, leak in check_pairs(path, finder):
            leaking = True
            typer.echo(f"{path}: {describe_leak(key, leak)}")
    if leaking:
        raise typer.Exit(1)


@app.command()
def rule_shares(
    pairs: Annotated[list[Path], typer.Argument(help="Files of training pairs.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="CSV file to write.")],
    rules: Annotated[
        list[str] | None,
        typer.Option(help="A set or file of rules, repeatable; else the two of the study."),
    ] = None,
    published: Annotated[
        Path | None,
        typer.Option(help="Published figures to stand beside, nlqf_tables.csv."),
    ] = None,
) -> None:
    """How many queries of training pairs each rule against comments changes or rejects."""
    from ncsbench.artifacts.csv_tables import write_rows
    from ncsbench.comment_filter.rule_sets import load_rule_set
    from ncsbench.pairs.rule_shares import SHARE_COLUMNS, count_rules
    from ncsbench.published.score_sheet_table import read_published

    sets = [load_rule_set(name) for name in rules or ("as_published", "as_released")]
    figures = read_published(published) if published else []
    printed = {(one.table, one.row): int(one.value) for one in figures if one.column == "pairs"}
    write_rows(output, SHARE_COLUMNS, count_rules(pairs, sets, printed))
