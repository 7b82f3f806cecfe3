"""Parses Java with tree-sitter and walks its trees without recursion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_java
from tree_sitter import Language, Node, Parser, Tree

from ncsbench.languages.bounded_parsing import parse_bounded
from ncsbench.languages.deep_types import blank_deep_types


@cache
def java_language() -> Language:
    """The tree-sitter grammar of Java."""
    return Language(tree_sitter_java.language())


@cache
def _parser() -> Parser:
    return Parser(java_language())


def parse_java(source: bytes) -> Tree:
    """Parse UTF-8 encoded Java; broken syntax gives ERROR or MISSING nodes, never an exception.

    Deep chains of ``<`` are blanks in the tree (DEV-183). Where the parser takes too many steps,
    all of it is one ERROR (DEV-122).
    """
    return parse_shallow(blank_deep_types(source))


def parse_java_bounded(source: bytes) -> Tree | None:
    """The same; None where the parser takes too many steps."""
    return parse_bounded(_parser(), blank_deep_types(source))


def parse_shallow(source: bytes) -> Tree:
    """Parse what ``blank_deep_types`` gave; other text may take gigabytes."""
    parser = _parser()
    tree = parse_bounded(parser, source)
    if tree is None:
        parser.reset()  # else it goes on where it gave up
        tree = parser.parse(b"#" * len(source))
    return tree


def walk(node: Node) -> Iterator[Node]:
    """All nodes below and with ``node`` in text order, by cursor, so that depth cannot overflow."""
    cursor = node.walk()
    while True:
        current = cursor.node
        assert current is not None  # noqa: S101  (a cursor always stands on a node)
        yield current
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while True:
            if not cursor.goto_parent():
                return
            if cursor.goto_next_sibling():
                break
