"""The command that says where a table comes from."""

from pathlib import Path
from typing import Annotated

import typer


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
    """Say where a table, or a number of it, comes from.

    Prints its sources, files and code.
    """
    import sys

    from ncsbench.errors import ConfigurationError
    from ncsbench.evidence.evidence_tables import find_published_lineage
    from ncsbench.provenance.explanation import explain_table, format_explanation

    cells = dict[str, str]()
    for one in where or []:
        name, sign, cells[name] = one.partition("=")
        if not sign:
            raise ConfigurationError(f"--where {one}: write column=value, such as language=Go")
    published = find_published_lineage(table)
    explanation = explain_table(table, row=row, column=column, where=cells, published=published)
    sys.stdout.writelines(f"{line}\n" for line in format_explanation(explanation))
