"""Commands that make and show tables."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import (
    OptionalOutput,
    PlainOutput,
    choose_output,
    read_assignments,
)
from ncsbench.text.safe_text import show_visibly

app = typer.Typer(help="Show, compare and draw tables of results.")


@app.command()
def show(
    table: Annotated[Path, typer.Argument(help="A table1.csv, or another table.")],
    brief: Annotated[
        bool, typer.Option("--brief", help="Of a Table 1 the best rows and the published ones.")
    ] = False,
) -> None:
    """Print a Table 1 with intervals and published figures, or another table as it stands."""
    from ncsbench.tables.shown_table import format_any_table

    typer.echo(format_any_table(table, brief=brief))


@app.command()
def verify(
    old: Annotated[Path, typer.Argument(help="Results folder of a run, or a table of it.")],
    new: Annotated[Path, typer.Argument(help="The same of another run.")],
) -> None:
    """Say in one line whether two runs have the same values; exit status 1 where not."""
    from ncsbench.tables.value_comparison import compare_runs

    found = compare_runs(old, new)
    typer.echo(show_visibly(found.describe()))
    if found.differing:
        raise typer.Exit(1)


@app.command()
def compare(
    old: Annotated[Path, typer.Argument(help="Results folder of a run.")],
    new: Annotated[Path, typer.Argument(help="That of another run on the same questions.")],
    renamed: Annotated[
        list[str], typer.Option(help="<new name>=<old name> of a model; may be repeated.")
    ] = [],  # noqa: B006  (typer reads it as a list of its own)
    seed: Annotated[int, typer.Option(help="Seed of the resampled questions.", min=0)] = 2019,
    resamples: Annotated[int, typer.Option(help="Resamples behind an interval.", min=100)] = 10000,
    depth: Annotated[int, typer.Option(help="The last rank the MRR counts.", min=10)] = 50,
) -> None:
    """Print how far each model's figures moved between two runs, as CSV with paired intervals."""
    from ncsbench.artifacts.csv_tables import format_rows
    from ncsbench.evaluation.run_differences import (
        RUN_DIFFERENCE_COLUMNS,
        compare_runs_by_question,
    )

    rows = compare_runs_by_question(
        old,
        new,
        renamed=read_assignments(renamed, "--renamed", "<new name>=<old name>"),
        seed=seed,
        resamples=resamples,
        depth=depth,
    )
    typer.echo(format_rows(RUN_DIFFERENCE_COLUMNS, rows), nl=False)


@app.command()
def figure(
    table: Annotated[Path, typer.Argument(help="A table1.csv.")],
    plain: PlainOutput = None,
    output: OptionalOutput = None,
) -> None:
    """Draw the MRR of every row of a Table 1, with the published one beside it, as SVG."""
    from ncsbench.tables.table1_figure import draw_table1

    draw_table1(table, choose_output(plain, output))


@app.command()
def usage(
    logs: Annotated[Path, typer.Argument(help="Folder of a dataset's logs, data/<dataset>/logs.")],
) -> None:
    """Print seconds and peak memory of each stage of a run, as CSV."""
    from ncsbench.tables.stage_usage import COLUMNS, summarise_usage

    for row in [dict(zip(COLUMNS, COLUMNS, strict=True)), *summarise_usage(logs)]:
        typer.echo(",".join(row[column] for column in COLUMNS))


@app.command()
def refresh(
    pages: Annotated[list[Path], typer.Argument(help="Markdown pages with tables of results.")],
) -> None:
    """Write the tables of pages anew from the results that they name."""
    from ncsbench.tables.result_pages import refresh_page

    for page in pages:
        typer.echo(f"{page}: {refresh_page(page)} tables")
