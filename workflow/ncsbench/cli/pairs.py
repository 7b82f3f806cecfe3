"""Commands that make training pairs and look for leaks in them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ncsbench.cli.options import Output, Questions, ScoreSheet, Settings

app = typer.Typer(help="Make pairs of functions; look for leaks.")


@app.command()
def functions(
    settings: Settings,
    corpus: Annotated[Path, typer.Option(help="Corpus of Java functions of CodeSearchNet.")],
    questions: Questions,
    output: Output,
    funnel: Annotated[Path, typer.Option(help="CSV: how many each step kept and removed.")],
    leaks: Annotated[Path, typer.Option(help="CSV: what was removed as a leak.")],
    part: Annotated[
        Literal["train", "valid", "test"], typer.Option(help="Whose pairs are taken.")
    ] = "train",
    score_sheet: ScoreSheet = None,
) -> None:
    """Make pairs of the documented functions of a corpus of CodeSearchNet.

    The settings are those of a set of kind docstrings.
    """
    from ncsbench.configuration.strict_model import read_settings
    from ncsbench.pairs.docstring_pairs import pair_functions
    from ncsbench.pairs.pair_files import PairFiles
    from ncsbench.pairs.pair_options import DocstringOptions

    files = PairFiles(questions, output, funnel, leaks, score_sheet)
    pair_functions(read_settings(settings, DocstringOptions), corpus, files, part)


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
    from ncsbench.published.printed_figures import read_published

    sets = [load_rule_set(name) for name in rules or ("as_published", "as_released")]
    figures = read_published(published) if published else []
    printed = {(one.table, one.row): int(one.value) for one in figures if one.column == "pairs"}
    write_rows(output, SHARE_COLUMNS, count_rules(pairs, sets, printed))
