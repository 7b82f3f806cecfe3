"""A pruned method as text: the lines that contain its kept leaves."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from ncsbench.languages.java import parse_java, walk
from ncsbench.text.safe_text import show_visibly

GAP = "…"
"""Stands for lines that were left out between others."""

_LEAVES = frozenset(
    {
        "identifier",
        "type_identifier",
        "decimal_integer_literal",
        "hex_integer_literal",
        "octal_integer_literal",
        "binary_integer_literal",
        "decimal_floating_point_literal",
        "hex_floating_point_literal",
        "character_literal",
        "string_literal",
        "true",
        "false",
    }
)
_BEFORE = b"class C {\n"


def show_kept(code: str, kept: NDArray[np.bool_]) -> str:
    """The lines of a method that contain kept leaves; each gap between them is one ``…``.

    Args:
        code: text of one method declaration.
        kept: bool, shape (leaves of its body,), in text order. Where the body does not have as
            many leaves, as beyond the cap of the depth (DEV-24), the whole method is shown.

    Returns:
        Lines without common indentation and without a line end at the end.
    """
    lines = code.split("\n")
    spans = leaf_lines(code)
    if len(spans) != len(kept):
        return _join_lines(lines)
    shown = sorted(
        {
            line
            for (first, last), keep in zip(spans, kept.tolist(), strict=True)
            if keep
            for line in range(first, last + 1)
        }
    )
    picked: list[str] = []
    previous = None
    for line in shown:
        if previous is not None and any(lines[i].strip() for i in range(previous + 1, line)):
            picked.append(lines[line][: _indentation(lines[line])] + GAP)
        picked.append(lines[line])
        previous = line
    return _join_lines(picked)


def leaf_lines(code: str) -> list[tuple[int, int]]:
    """First and last line, from 0, of each leaf of a method's body in text order.

    Leaves are those of the tree that the features come from (``languages.java_spt``).
    """
    tree = parse_java(_BEFORE + code.encode("utf-8", "replace") + b"\n}\n")
    body = _first_body(tree.root_node)
    if body is None:
        return []
    return [
        (node.start_point[0] - 1, node.end_point[0] - 1)
        for node in walk(body)
        if node.type in _LEAVES
    ]


def _first_body(root: Node) -> Node | None:
    for node in walk(root):
        if node.type == "method_declaration":
            body = node.child_by_field_name("body")
            if body is not None:
                return body
    return None


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _join_lines(lines: Sequence[str]) -> str:
    return show_visibly(textwrap.dedent("\n".join(line.rstrip() for line in lines)))
