"""Compiles what compares trees before it is needed, and says so."""

from __future__ import annotations

from typing import Protocol

from ncsbench.judge.compiled_code import compile_once, is_compiled


class Progress(Protocol):
    """Is told how far the work is."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """``done`` of ``total`` steps; 0 of 0 where nobody knows how many."""


def compile_with(progress: Progress) -> None:
    """Compile what compares trees; nothing is said where an earlier call did it."""
    if not is_compiled():
        progress("compiling what compares trees, once", 0, 0)
    compile_once()
