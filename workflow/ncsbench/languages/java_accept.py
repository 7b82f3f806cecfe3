"""Telling what Aroma's Java 8 grammar refuses although tree-sitter reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node, Tree

# Members of a compilation unit, and the order in which they must stand.
_TOP_LEVEL = {
    "package_declaration": 0,
    "import_declaration": 1,
    "class_declaration": 2,
    "interface_declaration": 2,
    "enum_declaration": 2,
    "annotation_type_declaration": 2,
    ";": 2,
}
_COMMENTS = frozenset({"line_comment", "block_comment"})
_ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
_REFUSED = frozenset(
    {
        "record_declaration",
        "compact_constructor_declaration",
        "module_declaration",
        "permits",
        "sealed",
        "non-sealed",
        "yield_statement",
        "switch_rule",
        "template_expression",
        "underscore_pattern",
        "record_pattern",
        "type_pattern",
        "guard",
        "receiver_parameter",
    }
)
_REFUSED_WITHIN = {
    "block": frozenset(
        {
            "import_declaration",
            "package_declaration",
            "enum_declaration",
            "annotation_type_declaration",
        }
    ),
    "cast_expression": frozenset({"&"}),
    "dimensions": _ANNOTATIONS,
    "dimensions_expr": _ANNOTATIONS,
    "object_creation_expression": _ANNOTATIONS,
    "array_creation_expression": _ANNOTATIONS,
    "switch_label": frozenset({","}),
    "string_literal": frozenset({'"""'}),
}
_LOCAL_MODIFIERS = frozenset({"final"}) | _ANNOTATIONS | _COMMENTS
_STATEMENTS = re.compile(r"block|constructor_body|switch_block_statement_group|\w+_statement")
_ESCAPE = re.compile(rb"\\(?:[btnfr\"'\\]|[0-3]?[0-7]?[0-7]|u+[0-9A-Fa-f]{4})")


def is_java_8(tree: Tree) -> bool:
    """Whether a compilation unit is free of errors and of what Aroma's grammar refuses.

    Refused are what came after Java 8 (but not ``var``), what tree-sitter tolerates in places
    where Java has it not (imports or enums in a block, members at top level, ``private`` local
    variables), unknown escapes in literals, and some rare constructs which that grammar lacks,
    such as intersection casts.
    """
    root = tree.root_node
    if root.has_error:
        return False
    order = [_TOP_LEVEL.get(child.type) for child in root.children if child.type not in _COMMENTS]
    if None in order or order != sorted(order, key=lambda place: place or 0):
        return False
    return not any(_is_refused(node, parent) for node, parent in _walk_with_parents(root))


def _is_refused(node: Node, parent: str) -> bool:
    kind = node.type
    if kind in _REFUSED or kind in _REFUSED_WITHIN.get(parent, ()):
        return True
    check = _CHECKS.get(kind)
    return check is not None and check(node, parent)


def _has_foreign_modifier(node: Node, _: str) -> bool:
    first = node.children[0]
    return first.type == "modifiers" and not _LOCAL_MODIFIERS.issuperset(
        child.type for child in first.children
    )


_CHECKS: dict[str, Callable[[Node, str], bool]] = {
    "local_variable_declaration": _has_foreign_modifier,
    "escape_sequence": lambda node, _: not _ESCAPE.fullmatch(node.text or b""),
    "switch_expression": lambda _, parent: not _STATEMENTS.fullmatch(parent),
    "resource": lambda node, _: node.child_by_field_name("name") is None,  # try (x)
    "instanceof_expression": lambda node, _: node.child_by_field_name("name") is not None,
    "annotated_type": lambda node, _: node.named_child_count > 2,
    "type_identifier": lambda node, _: node.text == b"super",  # Outer.super::m
}


def _walk_with_parents(root: Node) -> Iterator[tuple[Node, str]]:
    """Nodes in text order with the type of their parent, without recursion."""
    cursor = root.walk()
    parents = [""]
    while True:
        node = cursor.node
        if node is None:
            return
        yield node, parents[-1]
        if cursor.goto_first_child():
            parents.append(node.type)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            parents.pop()
