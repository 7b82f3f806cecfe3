"""Pruned methods as text."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from ncsbench.evaluation.structural_search.shown_results import leaf_lines, show_kept

CLOSE = dedent(
    """\
    void close(Cursor rows) {
        if (rows == null) {
            return;
        }

        rows.close();
        log("closed",
            rows);
    }"""
)
# rows / rows close / log "closed" / rows


DEEP = "void m() { x = " + "(" * 20_000 + "1" + ")" * 20_000 + "; }"


def show(code: str, *kept: int, leaves: int) -> str:
    return show_kept(code, np.isin(np.arange(leaves), kept))


def test_leaves_of_the_body_are_found_in_text_order() -> None:
    assert leaf_lines(CLOSE) == [(1, 1), (5, 5), (5, 5), (6, 6), (6, 6), (7, 7)]


@pytest.mark.parametrize(
    ("code", "kept", "leaves", "shown"),
    [
        (CLOSE, [0, 3], 6, 'if (rows == null) {\n…\nlog("closed",'),
        (CLOSE, [1, 4], 6, 'rows.close();\nlog("closed",'),  # neighbours have no gap
        (CLOSE, [], 6, ""),
        ("void m() {\n  a();\n\n  b();\n}", [0, 1], 2, "a();\nb();"),  # nor has a blank line
        (
            'void m() {\n  String s = """\n    one\n    two""";\n}',
            [2], 3,
            'String s = """\n  one\n  two""";',  # a leaf of several lines
        ),
        ('void m() {\n\tf("\x1b[2J\u202e", é);\n}', [0], 3, 'f("<U+001B>[2J<U+202E>", é);'),
    ],
)  # fmt: skip
def test_lines_with_kept_leaves_are_shown_and_gaps_between_them(
    code: str, kept: list[int], leaves: int, shown: str
) -> None:
    assert show(code, *kept, leaves=leaves) == shown


@pytest.mark.parametrize(
    ("code", "leaves"),
    [(CLOSE, 7), ("", 1), ("}}} {{{", 1), ("int x;", 1), ("C() { m(); }", 1), (DEEP, 2)],
)
def test_a_text_whose_leaves_do_not_agree_is_shown_as_it_is(code: str, leaves: int) -> None:
    assert show(code, 0, leaves=leaves) == code


def test_line_ends_of_windows_are_no_part_of_a_line() -> None:
    assert "\r" not in show(CLOSE.replace("\n", "\r\n"), 1, 4, leaves=6)
