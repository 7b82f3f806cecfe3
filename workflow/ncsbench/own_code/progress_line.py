"""How far a command is, on one line, where it takes longer than two seconds."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Protocol

_PATIENCE = 2.0
_CLEAR = "\r\033[K"


class Progress(Protocol):
    """Is told how far the work is."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """``done`` of ``total`` steps; 0 of 0 where nobody knows how many."""


class ProgressLine:
    """Says after two seconds what was reported last: ever anew on a terminal, else each 5 s."""

    def __init__(self, screen: IO[str]) -> None:
        self._screen = screen
        self._over = screen.isatty()
        self._line = self._shown = ""
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> ProgressLine:
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
