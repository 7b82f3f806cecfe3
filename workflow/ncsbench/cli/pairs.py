"""Commands that make training pairs and look for leaks in them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncsbench.cli.options import Corpus, Output, Questions, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncsbench.pairs.building import Candidate
    from ncsbench.pairs.funnel import Funnel

app = typer.Typer(help="Training pairs, apart from the evaluation questions.")

ScoreSheet = Annotated[
    Path | None,
    typer.Option(help="Published score sheet; its questions are left out by id as well."),
]
FunnelOutput = Annotated[
    Path, typer.Option("--funnel", help="CSV: how many each step kept and removed.")
]
LeaksOutput = Annotated[Path, typer.Option("--leaks", help="CSV: what was removed as a leak.")]


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
    from ncsbench.pairs.funnel import Funnel
    from ncsbench.pairs.options import PostOptions, read_options
    from ncsbench.pairs.posts import POST_STEPS, iterate_post_pairs
    from ncsbench.storage import read_json

    options = read_options(read_json(settings), PostOptions)
    counts = Funnel(POST_STEPS)
    _write(
        iterate_post_pairs(post_questions, post_answers, options, counts),
        counts,
        keep_repeated=options.exact_duplicates == "kept",
        questions=questions,
        score_sheet=score_sheet,
        paths=(output, funnel, leaks),
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
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.pairs.docstrings import DOCSTRING_STEPS, iterate_docstring_pairs
    from ncsbench.pairs.funnel import Funnel
    from ncsbench.pairs.options import DocstringOptions, read_options
    from ncsbench.storage import read_json

    options = read_options(read_json(settings), DocstringOptions)
    counts = Funnel(DOCSTRING_STEPS)
    _write(
        iterate_docstring_pairs(CorpusFolder(corpus), options, counts),
        counts,
        keep_repeated=options.exact_duplicates == "kept",
        questions=questions,
        score_sheet=score_sheet,
        paths=(output, funnel, leaks),
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
    from ncsbench.pairs.files import FILE_STEPS, iterate_file_pairs
    from ncsbench.pairs.funnel import Funnel
    from ncsbench.pairs.options import FileOptions, read_options
    from ncsbench.storage import read_json

    options = read_options(read_json(settings), FileOptions)
    counts = Funnel(FILE_STEPS)
    _write(
        iterate_file_pairs(options, counts),
        counts,
        keep_repeated=options.exact_duplicates == "kept",
        questions=questions,
        score_sheet=score_sheet,
        paths=(output, funnel, leaks),
    )


@app.command()
def check(
    pairs: Annotated[list[Path], typer.Argument(help="Files of training pairs.")],
    questions: Questions,
    score_sheet: ScoreSheet = None,
) -> None:
    """Look for evaluation questions in training pairs; a line for each leak, and exit code 1."""
    from ncsbench.pairs.building import check_pairs, describe_leak, open_finder

    finder = open_finder(questions, score_sheet)
    leaking = False
    for path in pairs:
        for key, leak in check_pairs(path, finder):
            leaking = True
            typer.echo(f"{path}: {describe_leak(key, leak)}")
    if leaking:
        raise typer.Exit(1)


def _write(
    candidates: "Iterable[Candidate]",
    funnel: "Funnel",
    *,
    keep_repeated: bool,
    questions: Path,
    score_sheet: Path | None,
    paths: tuple[Path, Path, Path],
) -> None:
    from ncsbench.pairs.building import LEAK_COLUMNS, open_finder, write_pairs
    from ncsbench.pairs.funnel import FUNNEL_COLUMNS
    from ncsbench.tables.csv_rows import write_rows

    output, funnel_path, leaks_path = paths
    finder = open_finder(questions, score_sheet)
    leaks = write_pairs(
        output, candidates, finder=finder, funnel=funnel, keep_repeated=keep_repeated
    )
    write_rows(funnel_path, FUNNEL_COLUMNS, funnel.rows())
    write_rows(leaks_path, LEAK_COLUMNS, leaks)
