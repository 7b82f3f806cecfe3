"""Options that several commands share, and the line that says how far a command is."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Self

import typer

Output = Annotated[Path, typer.Option("--output", "-o", help="File or folder to write.")]
Dataset = Annotated[
    str | None, typer.Option(help="Name or file of the dataset; else that of config/config.yaml.")
]

Trial = Annotated[
    str | None, typer.Option(help="Take the rows of this trial in place of those of the dataset.")
]


_PATIENCE = 2.0
_CLEAR = "\r\033[K"


class ProgressLine:
    """Says after two seconds what was reported last: ever anew on a terminal, else each 5 s."""

    def __init__(self, screen: IO[str]) -> None:
        self._screen = screen
        self._over = screen.isatty()
        self._line = self._shown = ""
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        if self._shown and self._over:
            self._screen.write(_CLEAR)
            self._screen.flush()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Take in ``done`` of ``total`` steps; 0 of 0 where nobody knows how many."""
        self._line = f"ncsbench: {what}" + (f" {done:,} of {total:,}" if total else "")

    def _watch(self) -> None:
        wait = _PATIENCE
        while not self._end.wait(wait):
            wait = 0.1 if self._over else 5.0
            line = self._line
            if line != self._shown:
                self._shown = line
                self._screen.write(f"{_CLEAR}{line}" if self._over else f"{line}\n")
                self._screen.flush()


@contextmanager
def quiet_library() -> Iterator[None]:
    """Let only warnings through: stages of a workflow, and faiss, log what nobody asked for."""
    log = logging.getLogger()
    before = log.level
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(before)
