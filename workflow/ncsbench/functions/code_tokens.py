"""Tokens of code: the leaves of a tree."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from ncsbench.functions.function_record import FoundFunction


class CodeTokens:
    """The tokens of the functions of a file, which are asked for in text order.

    The tree of a function is walked once; a function inside it has a part of the same tokens.
    Without that, files of JavaScript would take as long as their functions are nested.

    Args:
        whole: types of nodes that are one token although they may have children.
    """

    def __init__(self, whole: Collection[str]) -> None:
        self._whole = whole
        self._end = 0
        self._starts: list[int] = []
        self._texts: list[str] = []

    def of_function(self, found: FoundFunction) -> list[str]:
        """The leaves of a function; none is blank."""
        node, last = found.node, found.last or found.node
        if node.end_byte > self._end:
            self._end = node.end_byte
            self._read(found)
        first = bisect_left(self._starts, node.start_byte)
        return self._texts[first : bisect_left(self._starts, last.end_byte)]

    def _read(self, found: FoundFunction) -> None:
        self._starts, self._texts = [], []
        for leaf in iterate_leaves(found.node, whole=self._whole, without=found.without):
            text = (leaf.text or b"").decode("utf-8").strip()
            if text and not (text == "\\" and leaf.type == "line_continuation"):
                self._starts.append(leaf.start_byte)
                self._texts.append(text)


def iterate_leaves(
    node: Node, *, whole: Collection[str], without: Collection[Node] = ()
) -> Iterator[Node]:
    """The leaves below ``node`` in text order, by cursor, so that depth cannot overflow.

    Args:
        node: where the walk starts.
        whole: types of nodes that count as leaves.
        without: nodes that are left out, with all below them.
    """
    left_out = {inner.id for inner in without}
    cursor = node.walk()
    while True:
        current = cursor.node
        assert current is not None  # noqa: S101  (a cursor always stands on a node)
        if current.id not in left_out:
            if current.type not in whole and cursor.goto_first_child():
                continue
            yield current
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
