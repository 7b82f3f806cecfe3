"""Finds what tree-sitter accepts but Aroma's Java 8 grammar refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node, Tree

from ncsbench.code.java.java import ANNOTATIONS, COMMENTS, walk_both_ways
from ncsbench.code.java.java_terms import RESERVED
from ncsbench.code.java_trees.java_spt_rules import children_of
from ncsbench.code.java_trees.java_spt_statements import OPEN_ENDED, TYPE_DECLARATIONS

# Members of a compilation unit, and the order in which they must come.
_TOP_LEVEL = {
    "package_declaration": 0,
    "import_declaration": 1,
    "class_declaration": 2,
    "interface_declaration": 2,
    "enum_declaration": 2,
    "annotation_type_declaration": 2,
    ";": 2,
}
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
_RESERVED = frozenset(word.encode() for word in RESERVED)
_NOT_IN_BLOCKS = frozenset(
    {
        "import_declaration",
        "package_declaration",
        "enum_declaration",
        "annotation_type_declaration",
    }
)
_REFUSED_WITHIN = {
    "block": _NOT_IN_BLOCKS,
    "constructor_body": _NOT_IN_BLOCKS,
    "switch_block_statement_group": _NOT_IN_BLOCKS,
    "annotation_type_element_declaration": frozenset({"dimensions"}),
    "cast_expression": frozenset({"&"}),
    "dimensions": ANNOTATIONS,
    "dimensions_expr": ANNOTATIONS,
    "object_creation_expression": ANNOTATIONS,
    "array_creation_expression": ANNOTATIONS,
    "switch_label": frozenset({","}),
    "string_literal": frozenset({'"""'}),
    "wildcard": ANNOTATIONS,
}
_MEMBERS = TYPE_DECLARATIONS | {
    "annotation_type_element_declaration",
    "constant_declaration",
    "constructor_declaration",
    "field_declaration",
    "method_declaration",
}
_BODIES = frozenset(
    {"annotation_type_body", "class_body", "enum_body_declarations", "interface_body"}
)
_MEMBER_MODIFIERS = frozenset({"native", "synchronized", "transient", "volatile"})
_QUALIFIED_TYPES = frozenset({"scoped_type_identifier", "generic_type"})
_CREATIONS = frozenset({"object_creation_expression", "array_creation_expression"})
_STATEMENTS = re.compile(r"block|constructor_body|switch_block_statement_group|\w+_statement")
_ESCAPE = re.compile(rb"\\(?:[btnfr\"'\\]|[0-3]?[0-7]?[0-7]|u+[0-9A-Fa-f]{4})")


def is_java_8(tree: Tree) -> bool:
    """Say whether a compilation unit is free of errors and of syntax that Aroma's grammar refuses.

    The grammar refuses: Java later than 8 (except ``var``); what tree-sitter tolerates where Java
    forbids it (imports or enums in a block, members at top level, ``private`` local variables,
    keywords as names); unknown escapes in literals; and some rare constructs that it lacks, such
    as intersection casts.
    """
    root = tree.root_node
    if root.has_error:
        return False
    order = [_TOP_LEVEL.get(child.type) for child in root.children if child.type not in COMMENTS]
    if None in order or order != sorted(order, key=lambda rank: rank or 0):
        return False
    return not any(_is_refused(node, above) for node, above in _walk_with_ancestors(root))


def _is_refused(node: Node, above: list[Node]) -> bool:
    kind = node.type
    if kind in _REFUSED or (above and kind in _REFUSED_WITHIN.get(above[-1].type, ())):
        return True
    check = _CHECKS.get(kind)
    return check is not None and check(node, above)


def _has_foreign_modifier(node: Node, above: list[Node]) -> bool:
    kinds = {child.type for child in node.children} - ANNOTATIONS - COMMENTS
    owner, container = above[-1].type, above[-2].type
    if owner not in _MEMBERS:
        return not kinds <= {"final"} or (bool(kinds) and owner == "enum_constant")
    if "default" in kinds and (owner, container) != ("method_declaration", "interface_body"):
        return True
    return container not in _BODIES and not kinds.isdisjoint(_MEMBER_MODIFIERS)


def _is_statement_of_another(node: Node, above: list[Node]) -> bool:
    outer = above[-1]
    if outer.type == "for_statement":
        return outer.children[-1] == node
    return outer.type == "do_statement" or outer.type in OPEN_ENDED


def _has_foreign_semicolon(node: Node, above: list[Node]) -> bool:
    """Say whether a node is ``switch (..) {..};`` where only one statement is allowed."""
    if node.children[0].type != "switch_expression":
        return False
    for outer in reversed(above):
        if outer.type not in OPEN_ENDED or outer.children[-1] != node:
            return outer.type == "do_statement" or outer.type in OPEN_ENDED
        node = outer
    return False


def _is_foreign_method(node: Node, above: list[Node]) -> bool:
    """Say whether more annotations follow type parameters than the one of the type.

    Interfaces, where this is allowed, are passed over.
    """
    kinds = [child.type for child in node.children]
    annotations = sum(kind in ANNOTATIONS for kind in kinds)
    in_class = above[-1].type != "interface_body"
    return in_class and annotations > ("void_type" not in kinds)


def _lacks_value(node: Node, above: list[Node]) -> bool:
    """Say whether a constant of an interface lacks a value; an annotation type's may."""
    declarators = (child for child in node.children if child.type == "variable_declarator")
    return above[-1].type == "interface_body" and any(
        child.child_by_field_name("value") is None for child in declarators
    )


def _is_foreign_call(node: Node, _: list[Node]) -> bool:
    """Say whether a call is ``Outer.super.<T>f()``."""
    kinds = [child.type for child in node.children]
    return "type_arguments" in kinds and "super" in kinds[1:]


def _is_foreign_diamond(node: Node, above: list[Node]) -> bool:
    """Say whether ``<>`` is elsewhere than behind a name that follows ``new``."""
    if node.named_child_count:
        return False
    created = next(outer.type for outer in reversed(above) if outer.type not in _QUALIFIED_TYPES)
    return above[-1].type != "generic_type" or created not in _CREATIONS


def _is_reserved(node: Node, _: list[Node]) -> bool:
    return node.text in _RESERVED  # also in `Outer.super::m`


_CHECKS: dict[str, Callable[[Node, list[Node]], bool]] = {
    "local_variable_declaration": _is_statement_of_another,
    "class_declaration": _is_statement_of_another,
    "interface_declaration": _is_statement_of_another,
    "expression_statement": _has_foreign_semicolon,
    "method_declaration": _is_foreign_method,
    "constant_declaration": _lacks_value,
    "method_invocation": _is_foreign_call,
    "type_arguments": _is_foreign_diamond,
    "modifiers": _has_foreign_modifier,
    "identifier": _is_reserved,
    "type_identifier": _is_reserved,
    "escape_sequence": lambda node, _: not _ESCAPE.fullmatch(node.text or b""),
    "switch_expression": lambda _, above: not _STATEMENTS.fullmatch(above[-1].type),
    "resource": lambda node, _: node.child_by_field_name("name") is None,  # try (x)
    "instanceof_expression": lambda node, _: node.child_by_field_name("name") is not None,
    "annotated_type": lambda node, _: len(children_of(node)) > 2,
    "array_initializer": lambda node, _: children_of(node)[1].type == ",",  # {,}
    "formal_parameters": lambda node, _: any(
        child.type == "spread_parameter" for child in children_of(node)[:-2]
    ),
    "void_type": lambda _, above: above[-1].type not in {"method_declaration", "class_literal"},
}


def _walk_with_ancestors(root: Node) -> Iterator[tuple[Node, list[Node]]]:
    """Nodes in text order, each with its ancestors, the outermost first, without recursion."""
    ancestors: list[Node] = []
    for node, is_over in walk_both_ways(root):
        if is_over:
            ancestors.pop()
        else:
            yield node, ancestors
            ancestors.append(node)
