"""Commands that say where tables come from."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output

app = typer.Typer(help="Where tables come from: jobs, files, code and machine.")


@app.callback()
def group() -> None:
    """Where tables come from: jobs, files, code and machine."""


@app.command()
def write(
    tables: Annotated[list[Path], typer.Argument(help="Tables to describe.")],
    dataset: Annotated[str, typer.Option(help="Name of the dataset.")],
    settings: Annotated[Path, typer.Option(help="Folder of the settings files of the dataset.")],
    output: Output,
    metadata: Annotated[Path, typer.Option(help="Folder of Snakemake's records.")] = Path(
        ".snakemake/metadata"
    ),
    also: Annotated[
        list[Path] | None,
        typer.Option(help="Folder of which every file that a job made is described too."),
    ] = None,
    made: Annotated[
        list[Path] | None,
        typer.Option(help="Folder in which everything but settings is made by a job."),
    ] = None,
) -> None:
    """The way from tables back to their raw sources, as plain JSON."""
    from ncsbench.provenance.provenance_file import write_provenance

    write_provenance(
        output,
        tables=tables,
        dataset=dataset,
        metadata=metadata,
        settings=settings,
        also=also or [],
        made=made or [],
    )


def explain(
    table: Annotated[Path, typer.Argument(help="A table in the folder results/.")],
    row: Annotated[
        str | None,
        typer.Argument(help="A row: the model of table1.csv, the first column of other tables."),
    ] = None,
    column: Annotated[str | None, typer.Argument(help="A column of the table.")] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=VALUE",
            help="Of several rows of this name the one with this cell; may be repeated.",
        ),
    ] = None,
) -> None:
    """Where a table, or one number of it, comes from: its sources, files and code."""
    import sys

    from ncsbench.errors import ConfigurationError
    from ncsbench.evidence.published_lineage import find_published_lineage
    from ncsbench.provenance.explanation import explain_table
    from ncsbench.provenance.explanation_text import format_explanation

    cells = dict[str, str]()
    for one in where or []:
        name, sign, cells[name] = one.partition("=")
        if not sign:
            raise ConfigurationError(f"--where {one}: write column=value, such as language=Go")
    published = find_published_lineage(table)
    explanation = explain_table(table, row=row, column=column, where=cells, published=published)
    sys.stdout.writelines(f"{line}\n" for line in format_explanation(explanation))
