"""Tokens of code: the leaves of a tree."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

    from ncsbench.functions.registry import FoundFunction


class CodeTokens:
    """The tokens of the functions of a file, which are asked for in text order.

    The tree of a function is walked once; a function inside it has a part of the same tokens.
    Without that, files of JavaScript would take as long as their functions are nested.

    Args:
        source: of the tree.
        whole: kinds of nodes that are one token although they may have children.
    """

    def __init__(self, source: bytes, whole: Collection[int]) -> None:
        self._source = source
        self._whole = whole
        self._end = 0
        self._starts: list[int] = []
        self._texts: list[str] = []

    def of_function(self, found: FoundFunction) -> list[str]:
        """The leaves of a function; none is blank."""
        node, last = found.node, found.last or found.node
        if node.end_byte > self._end:
            self._end = node.end_byte
            self._starts, self._texts = read_tokens(
                node, self._source, whole=self._whole, without=found.without
            )
        first = bisect_left(self._starts, node.start_byte)
        return self._texts[first : bisect_left(self._starts, last.end_byte)]


def find_kinds(grammar: Language, names: Collection[str]) -> frozenset[int]:
    """The numbers of the kinds of nodes with these names."""
    kinds = range(grammar.node_kind_count)
    return frozenset(kind for kind in kinds if grammar.node_kind_for_id(kind) in names)


def read_tokens(
    node: Node, source: bytes, *, whole: Collection[int], without: Collection[Node] = ()
) -> tuple[list[int], list[str]]:
    """First bytes and texts of the leaves below ``node`` that are not blank, in text order.

    By cursor, so that depth cannot overflow; most of the time of an extraction is spent here.

    Args:
        node: where the walk starts.
        source: of the tree.
        whole: kinds of nodes that count as leaves.
        without: nodes that are left out, with all below them.
    """
    left_out = {inner.id for inner in without}
    starts: list[int] = []
    texts: list[str] = []
    cursor = node.walk()
    while True:
        current = cursor.node
        assert current is not None  # noqa: S101  (a cursor always stands on a node)
        if current.id not in left_out:
            if current.kind_id not in whole and cursor.goto_first_child():
                continue
            start = current.start_byte
            text = source[start : current.end_byte].decode("utf-8").strip()
            if text and not (text == "\\" and current.type == "line_continuation"):
                starts.append(start)
                texts.append(text)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return starts, texts


def text_of(node: Node | None) -> str:
    """The text of a node; empty for none."""
    return "" if node is None else (node.text or b"").decode("utf-8")
