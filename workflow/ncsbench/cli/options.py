"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Output = Annotated[Path, typer.Option("--output", "-o", help="File or folder to write.")]
PlainOutput = Annotated[
    Path | None, typer.Argument(metavar="[OUTPUT]", hidden=True, help="As --output, as before 0.8.")
]
OptionalOutput = Annotated[
    Path | None, typer.Option("--output", "-o", help="File or folder to write; must be given.")
]
Dataset = Annotated[
    str | None, typer.Option(help="Name or file of the dataset; else that of config/config.yaml.")
]

Trial = Annotated[
    str | None, typer.Option(help="Take the rows of this trial in place of those of the dataset.")
]


def choose_output(plain: Path | None, output: Path | None) -> Path:
    """The path of ``PlainOutput`` or ``OptionalOutput``; a usage error for both and for neither."""
    given = [path for path in (plain, output) if path is not None]
    if len(given) != 1:
        raise typer.BadParameter(
            "give one path, as in `--output results/x`", param_hint="'--output' / '-o'"
        )
    return given[0]
