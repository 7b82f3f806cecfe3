"""Telling what Aroma's Java 8 grammar refuses although tree-sitter reads it."""

from __future__ import annotations

import re
from functools import cache

from tree_sitter import Node, Query, QueryCursor, Tree

from ncsbench.languages.java import java_language

_REFUSED = """
[
  (record_declaration) (compact_constructor_declaration) (module_declaration) (permits)
  (yield_statement) (switch_rule) (template_expression) (underscore_pattern)
  (record_pattern) (type_pattern) (guard) (receiver_parameter)
] @refused
(block [
  (import_declaration) (package_declaration) (enum_declaration) (annotation_type_declaration)
] @refused)
(cast_expression "&" @refused)
(instanceof_expression name: (identifier) @refused)
(dimensions [(annotation) (marker_annotation)] @refused)
(dimensions_expr [(annotation) (marker_annotation)] @refused)
(object_creation_expression [(annotation) (marker_annotation)] @refused)
(array_creation_expression [(annotation) (marker_annotation)] @refused)
(annotated_type [(annotation) (marker_annotation)] [(annotation) (marker_annotation)] @refused)
(switch_label "," @refused)
(resource . [(identifier) (field_access)] @refused .)
(string_literal "\\"\\"\\"" @refused)
(modifiers ["sealed" "non-sealed"] @refused)
((scoped_type_identifier (type_identifier) @refused) (#eq? @refused "super"))
(block (local_variable_declaration (modifiers) @local))
(for_statement init: (local_variable_declaration (modifiers) @local))
(escape_sequence) @escape
(switch_expression) @switch
"""
_ESCAPE = re.compile(rb"\\(?:[btnfr\"'\\]|[0-3]?[0-7]?[0-7]|u+[0-9A-Fa-f]{4})")
_LOCAL_MODIFIERS = frozenset({"final", "annotation", "marker_annotation"})
_TOP_LEVEL = frozenset(
    {
        "package_declaration",
        "import_declaration",
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "annotation_type_declaration",
        "line_comment",
        "block_comment",
        ";",
    }
)
_STATEMENTS = re.compile("block|constructor_body|switch_block_statement_group|.*_statement")


@cache
def _query() -> Query:
    return Query(java_language(), _REFUSED)


def is_java_8(tree: Tree) -> bool:
    """Whether a compilation unit is free of errors and of what Aroma's grammar refuses.

    Refused are what came after Java 8 (but not ``var``), what tree-sitter tolerates in places
    where Java has it not (imports or enums in a block, members at top level, ``private`` local
    variables), unknown escapes in literals, and some rare constructs which that grammar lacks,
    such as intersection casts.
    """
    root = tree.root_node
    if root.has_error or any(child.type not in _TOP_LEVEL for child in root.children):
        return False
    captures = QueryCursor(_query()).captures(root)
    return not (
        captures.get("refused")
        or any(
            modifier.type not in _LOCAL_MODIFIERS
            for modifiers in captures.get("local", ())
            for modifier in modifiers.children
        )
        or any(not _ESCAPE.fullmatch(node.text or b"") for node in captures.get("escape", ()))
        or any(not _is_statement(node) for node in captures.get("switch", ()))
    )


def _is_statement(switch: Node) -> bool:
    parent = switch.parent
    return parent is not None and _STATEMENTS.fullmatch(parent.type) is not None
