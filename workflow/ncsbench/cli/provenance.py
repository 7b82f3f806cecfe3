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
) -> None:
    """Say where a table, or a number of it, comes from.

    Prints its sources, files and code.
    """
    import sys

    from ncsbench.evidence.evidence_tables import find_published_lineage
    from ncsbench.provenance.explanation import explain_table, format_explanation

    published = find_published_lineage(table)
    explanation = explain_table(table, row=row, column=column, published=published)
    sys.stdout.writelines(f"{line}\n" for line in format_explanation(explanation))
