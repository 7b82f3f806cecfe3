"""Asks a reader: by single keys at a terminal, by lines elsewhere."""

from __future__ import annotations

import io
import sys
from typing import Protocol

import typer

from ncsbench.errors import DataError
from ncsbench.text.safe_text import show_line


class Console(Protocol):
    """Shows text to a reader and takes the answers."""

    def write(self, text: str) -> None:
        """Show text that is safe and a line end."""

    def ask_key(self, prompt: str) -> str:
        """Return the key that was pressed; ``EOFError``, ``KeyboardInterrupt`` for leaving."""

    def ask_line(self, prompt: str) -> str:
        """Return a line of the reader's; raises like ``ask_key``."""


class LineConsole:
    """Reads answers as lines of the standard input, so that a pipe can answer too."""

    def write(self, text: str) -> None:
        """Show text that is safe and a line end."""
        sys.stdout.write(f"{text}\n")

    def ask_key(self, prompt: str) -> str:
        """A line; ``EOFError`` at the end of the input."""
        return self.ask_line(prompt)

    def ask_line(self, prompt: str) -> str:
        """A line without its end; ``EOFError`` at the end of the input."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\r\n")


class KeyConsole(LineConsole):
    """Reads single keys from a terminal."""

    def ask_key(self, prompt: str) -> str:
        """One key; ``KeyboardInterrupt`` for Ctrl-C, ``EOFError`` for Ctrl-D."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        key = typer.getchar()
        self.write(show_line(key))
        return key


def open_console() -> Console:
    """A console on the standard streams, whatever their encoding can show.

    Raises:
        DataError: where one of them is closed.
    """
    if sys.stdin is None or sys.stdout is None:
        raise DataError("the standard input and output must be open; run it at a terminal")
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return KeyConsole() if at_terminal else LineConsole()
