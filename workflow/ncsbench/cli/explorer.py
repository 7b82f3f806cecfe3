"""The command that writes the pages of a dataset to look at."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import (
    Answers,
    Corpus,
    Judgements,
    Licences,
    Output,
    Questions,
    Results,
    Settings,
)

app = typer.Typer(help="Static pages of a dataset's tables, questions and methods.")


@app.callback()
def _group() -> None:
    """A group, though it has one command."""


@app.command()
def build(
    settings: Settings,
    questions: Questions,
    answers: Answers,
    corpus: Corpus,
    licences: Licences,
    judgements: Judgements,
    results: Results,
    tables: Annotated[Path, typer.Option(help="Folder of its tables.")],
    output: Output,
    selected: Annotated[
        Path | None,
        typer.Option(help="Folder of the selected questions, where they were selected."),
    ] = None,
    logs: Annotated[
        Path | None, typer.Option(help="Folder of the logs, for time and memory.")
    ] = None,
    trial: Annotated[str, typer.Option(help="Name of the trial whose tables these are.")] = "",
) -> None:
    """Write the explorer of a dataset into a folder; open its index.html."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.explorer.explorer_folder import write_explorer
    from ncsbench.tables.table_settings import TableSettings

    write_explorer(
        read_settings(settings, TableSettings),
        questions=questions,
        answers=answers,
        corpus=CorpusFolder(corpus),
        licences=licences,
        judgements=judgements,
        results=results,
        tables=tables,
        selected=selected,
        logs=logs,
        trial=trial,
        output=output,
    )
