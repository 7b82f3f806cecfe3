"""Tokens of code: the leaves of a tree."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tree_sitter import Node


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
