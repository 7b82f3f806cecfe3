"""Pruned methods as text."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest
from numpy.typing import NDArray

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


def mask(*kept: int, leaves: int) -> NDArray[np.bool_]:
    return np.isin(np.arange(leaves), kept)


def test_leaves_of_the_body_are_found_in_text_order() -> None:
    assert leaf_lines(CLOSE) == [(1, 1), (5, 5), (5, 5), (6, 6), (6, 6), (7, 7)]


def test_lines_with_kept_leaves_are_shown_and_a_gap_between_them() -> None:
    shown = show_kept(CLOSE, mask(0, 3, leaves=6))
    assert shown == 'if (rows == null) {\n…\nlog("closed",'


def test_neighbouring_lines_have_no_gap_between_them() -> None:
    assert show_kept(CLOSE, mask(1, 4, leaves=6)) == 'rows.close();\nlog("closed",'


def test_blank_lines_are_no_gap() -> None:
    code = "void m() {\n    first();\n\n    second();\n}"
    assert show_kept(code, mask(0, 1, leaves=2)) == "first();\nsecond();"


def test_nothing_kept_shows_nothing() -> None:
    assert show_kept(CLOSE, mask(leaves=6)) == ""


def test_a_leaf_of_several_lines_is_shown_whole() -> None:
    code = 'void m() {\n  String s = """\n    one\n    two""";\n}'
    assert show_kept(code, mask(2, leaves=3)) == 'String s = """\n  one\n  two""";'


def test_where_the_leaves_do_not_agree_the_whole_method_is_shown() -> None:
    assert show_kept(CLOSE, mask(0, leaves=7)) == CLOSE


@pytest.mark.parametrize("code", ["", "}}} {{{", "int x;", "C() { m(); }"])
def test_a_text_without_a_method_is_shown_as_it_is(code: str) -> None:
    assert show_kept(code, mask(0, leaves=1)) == code


def test_line_ends_of_windows_are_no_part_of_a_line() -> None:
    assert show_kept(CLOSE.replace("\n", "\r\n"), mask(1, 4, leaves=6)).count("\r") == 0


def test_characters_that_could_deceive_a_terminal_are_shown_visibly() -> None:
    code = 'void m() {\n\tf("\x1b[2J\u202e", é);\n}'
    assert show_kept(code, mask(0, leaves=3)) == 'f("<U+001B>[2J<U+202E>", é);'


def test_deep_nesting_does_not_overflow() -> None:
    code = "void m() { x = " + "(" * 20_000 + "1" + ")" * 20_000 + "; }"
    assert show_kept(code, mask(0, leaves=2)) == code
