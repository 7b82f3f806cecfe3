"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Settings = Annotated[
    Path, typer.Option(help="Settings of the stage, as JSON; the workflow writes it.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="File or folder to write.")]
PlainOutput = Annotated[
    Path | None, typer.Argument(metavar="[OUTPUT]", hidden=True, help="As --output, as before 0.8.")
]
OptionalOutput = Annotated[
    Path | None, typer.Option("--output", "-o", help="File or folder to write; must be given.")
]
Corpus = Annotated[Path, typer.Option(help="Folder of a built corpus.")]
Questions = Annotated[Path, typer.Option(help="Questions as Parquet.")]
ScoreSheet = Annotated[
    Path | None,
    typer.Option(help="Published score sheet; its questions are left out by id as well."),
]
Judgements = Annotated[Path, typer.Option(help="Folder of the judgements.")]
Results = Annotated[Path, typer.Option(help="Results folder of the dataset, with its runs.")]
Licences = Annotated[Path, typer.Option(help="Licences of the repositories, of corpus licences.")]

Checkpoint = Annotated[Path, typer.Option(help="Folder to go on from after an interruption.")]
Record = Annotated[Path, typer.Option(help="Folder of what tables read about the training.")]

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


def read_assignments(entries: list[str], option: str, form: str) -> dict[str, str]:
    """Entries ``name=value`` of a repeated option; ``form`` says in words what they are."""
    from ncsbench.errors import ConfigurationError

    found = {}
    for entry in entries:
        name, _, value = entry.partition("=")
        if not name or not value:
            raise ConfigurationError(f"{option} {entry!r} must be {form}")
        found[name] = value
    return found
