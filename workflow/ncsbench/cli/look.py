"""Commands that look at results: tables, their origins, exports for other tools."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.base.text.safe_text import show_visibly
from ncsbench.cli.options import Dataset, Output, Trial

tables = typer.Typer(help="Show, compare and draw tables of results.")


@tables.command()
def show(
    table: Annotated[Path, typer.Argument(help="A table1.csv, or another table.")],
    brief: Annotated[
        bool, typer.Option("--brief", help="Of a Table 1, print only the best and published rows.")
    ] = False,
) -> None:
    """Print a Table 1 with intervals and published figures, or another table as it is."""
    from ncsbench.apps.shown_tables.shown_table import format_any_table

    typer.echo(format_any_table(table, brief=brief))


@tables.command()
def verify(
    old: Annotated[Path, typer.Argument(help="Results folder of a run, or a table of it.")],
    new: Annotated[Path, typer.Argument(help="Results folder or table of another run.")],
) -> None:
    """Say in one line whether two runs have the same values; exit with 1 where they do not."""
    from ncsbench.apps.shown_tables.value_comparison import compare_runs

    found = compare_runs(old, new)
    typer.echo(show_visibly(found.describe()))
    if found.differing:
        raise typer.Exit(1)


@tables.command()
def moved(
    old: Annotated[str, typer.Argument(help="A folder of results, or a commit with results/.")],
    new: Annotated[str, typer.Argument(help="Another folder or commit.")] = "results",
) -> None:
    """Print which tables moved between two releases: cells, and the largest move, as CSV."""
    from ncsbench.apps.shown_tables.moved_tables import COLUMNS, list_moves, open_results
    from ncsbench.base.files.csv_tables import format_rows

    with open_results(old) as before, open_results(new) as after:
        rows = list_moves(before, after)
    typer.echo(format_rows(COLUMNS, rows), nl=False)
    cells = sum(int(row["moved"]) for row in rows)
    typer.echo(f"tables that differ: {len(rows):,}; cells that moved: {cells:,}", err=True)


@tables.command()
def figure(
    table: Annotated[Path, typer.Argument(help="A table1.csv.")],
    output: Output,
) -> None:
    """Draw the MRR of every row of a Table 1 as SVG, and beside it NAME_dark for dark pages."""
    from ncsbench.studies.ncsed.table1_figure import draw_table1

    draw_table1(table, output)


@tables.command()
def usage(
    logs: Annotated[Path, typer.Argument(help="Folder of a dataset's logs, data/<dataset>/logs.")],
) -> None:
    """Print seconds and peak memory of each stage of a run, as CSV."""
    from ncsbench.apps.shown_tables.stage_usage import COLUMNS, summarise_usage

    for row in [dict(zip(COLUMNS, COLUMNS, strict=True)), *summarise_usage(logs)]:
        typer.echo(",".join(row[column] for column in COLUMNS))


@tables.command()
def refresh(
    pages: Annotated[list[Path], typer.Argument(help="Markdown pages with tables of results.")],
) -> None:
    """Write the tables of pages anew from the results that they name."""
    from ncsbench.apps.shown_tables.result_pages import refresh_page

    for page in pages:
        typer.echo(f"{page}: {refresh_page(page)} tables")


def explain(
    table: Annotated[Path, typer.Argument(help="A table in the folder results/.")],
    row: Annotated[
        str | None,
        typer.Argument(help="A row: the model of table1.csv, the first column of other tables."),
    ] = None,
    column: Annotated[str | None, typer.Argument(help="A column of the table.")] = None,
) -> None:
    """Say where a table, or a number of it, comes from.

    Prints the sources, files and code of the table or number.
    """
    import sys

    from ncsbench.pipeline.evidence.evidence_tables import find_published_lineage
    from ncsbench.pipeline.provenance.explanation import explain_table, format_explanation

    published = find_published_lineage(table)
    explanation = explain_table(table, row=row, column=column, published=published)
    sys.stdout.writelines(f"{line}\n" for line in format_explanation(explanation))


def plan(
    arguments: Annotated[list[str], typer.Argument(metavar="TARGET [OPTIONS OF SNAKEMAKE]")],
) -> None:
    """Say what a target will take before it runs: jobs, hours, memory, disk and network.

    Targets come first. What is made already costs nothing; --forceall counts all.
    """
    from ncsbench.pipeline.freshness.target_plan import describe_jobs, list_jobs

    for line in describe_jobs(list_jobs(arguments)):
        typer.echo(line)


export = typer.Typer(help="Write a dataset and its runs for other tools.")


@export.command()
def beir(output: Output, dataset: Dataset = None) -> None:
    """Write corpus, queries and complete qrels as BEIR has them, to a new or empty folder."""
    from ncsbench.apps.exports.built_dataset import open_dataset
    from ncsbench.apps.exports.formats import export_beir
    from ncsbench.evaluation.judge.compiled_code import compile_once

    opened = open_dataset(dataset)
    compile_once()
    _say(output, export_beir(opened, output))


@export.command()
def trec(output: Output, dataset: Dataset = None, trial: Trial = None) -> None:
    """Write runs and qrels, with ids that resolve to path and lines, to a new or empty folder."""
    from ncsbench.apps.exports.built_dataset import open_dataset
    from ncsbench.apps.exports.formats import export_trec
    from ncsbench.evaluation.judge.compiled_code import compile_once

    opened = open_dataset(dataset, trial=trial)
    compile_once()
    _say(output, export_trec(opened, output))


def _say(folder: Path, written: dict[str, int]) -> None:
    counts = ", ".join(f"{name} {count:,}" for name, count in written.items())
    typer.echo(f"{folder}: {counts}")
