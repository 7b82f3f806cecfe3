"""Parsing that ends: a file on which the parser takes far too many steps is given up."""

from __future__ import annotations

from tree_sitter import Parser, Tree

STEPS_A_BYTE = 20
"""Most steps of the parser for each byte; the densest code, ``1,1,1``, takes 10 (DEV-122)."""
STEPS_OF_A_FILE = 20_000
"""Steps that every file may take beside these."""
_STEPS_A_REPORT = 100  # tree-sitter's own number
_CHUNK = 65_536


def parse_bounded(parser: Parser, source: bytes) -> Tree | None:
    """The tree of a file; None where the parser takes too many steps.

    On some broken syntax tree-sitter's time grows with the square of the file, which is hours for a
    file of some hundred kilobytes. Steps are counted, so the answer is the same on every machine.
    """
    steps = 0

    def is_too_much(*_: object) -> bool:
        nonlocal steps
        steps += _STEPS_A_REPORT
        return steps > STEPS_OF_A_FILE + STEPS_A_BYTE * len(source)

    parser.reset()
    try:
        # It reports its steps where the source comes in chunks alone.
        tree = parser.parse(
            lambda offset, _: source[offset : offset + _CHUNK], progress_callback=is_too_much
        )
    except ValueError:
        return None
    # The same tree again, in hardly any time, with the text of its nodes at hand.
    return None if tree is None else parser.parse(source, tree)
