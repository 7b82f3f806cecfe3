"""Common parts of the modules of commands: options, and a way to keep the library quiet."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

Output = Annotated[Path, typer.Option("--output", "-o", help="File or folder to write.")]
Dataset = Annotated[
    str | None, typer.Option(help="Name or file of the dataset; else that of config/config.yaml.")
]

Trial = Annotated[
    str | None, typer.Option(help="Take the rows of this trial in place of those of the dataset.")
]


@contextmanager
def quiet_library() -> Iterator[None]:
    """Log warnings alone: stages of a workflow, and faiss, log more than a user asked for."""
    log = logging.getLogger()
    before = log.level
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(before)
