"""Commands on published figures."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output

app = typer.Typer(help="Published figures.")


@app.command()
def table(
    printed: Annotated[Path, typer.Option(help="Figures of the paper's Table 1.")],
    sheet: Annotated[Path, typer.Option(help="The published score sheet.")],
    output: Output,
) -> None:
    """The paper's Table 1 computed again from its score sheet, each cell marked equal or not."""
    from ncsbench.published.score_sheet_table import write_published_table1

    write_published_table1(output, printed=printed, sheet=sheet)
