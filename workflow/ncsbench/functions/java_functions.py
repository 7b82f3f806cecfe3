"""Functions of Java: methods directly inside classes of the top level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from ncsbench.functions.function_record import FoundFunction, Rules
from ncsbench.functions.members import MemberRules, find_methods
from ncsbench.languages.java import java_language as grammar

__all__ = ["WHOLE", "find_functions", "grammar"]

WHOLE = frozenset({"block_comment", "line_comment", "string_literal"})
_MEMBERS = MemberRules(
    types=frozenset({"class_declaration"}),
    names=frozenset("toString hashCode equals finalize notify notifyAll clone".split()),
    documents=(b"/**", b"///"),
)


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The methods; those whose body is on one line are dropped, one without a body stays."""
    for found in find_methods(root.children, _MEMBERS, rules=rules):
        body = found.node.child_by_field_name("body")
        one_line = body is not None and body.start_point.row == body.end_point.row
        yield (
            replace(found, dropped="body on one line") if one_line and not found.dropped else found
        )
