"""Methods of classes at the top level of a file, with the comment before each: Java and PHP."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from ncsbench.functions.documentation import read_comment
from ncsbench.functions.function_record import FoundFunction, Rules


@dataclass(frozen=True)
class MemberRules:
    """What a language takes.

    Attributes:
        types: nodes of the classes whose methods are taken.
        comments: nodes that document a method where they stand just before it.
        names: of methods that are dropped.
    """

    types: frozenset[str]
    comments: frozenset[str]
    names: frozenset[str]


def find_methods(
    around: Collection[Node], members: MemberRules, *, rules: Rules
) -> Iterator[FoundFunction]:
    """The methods of those of the nodes that are classes; identifiers are ``Class.method``."""
    for node in around:
        body = node.child_by_field_name("body")
        if node.type not in members.types or body is None:
            continue
        class_name = text_of(node.child_by_field_name("name"))
        before: Node | None = None
        for member in body.children:
            if member.type == "method_declaration":
                name = text_of(member.child_by_field_name("name"))
                documented = before is not None and before.type in members.comments
                docstring, summary = read_comment(
                    text_of(before if documented else None), rules=rules
                )
                yield FoundFunction(
                    node=member,
                    name=name,
                    identifier=f"{class_name}.{name}",
                    docstring=docstring,
                    summary=summary,
                    dropped="name" if name in members.names else "",
                )
            before = member


def text_of(node: Node | None) -> str:
    """The text of a node; empty for none."""
    return "" if node is None else (node.text or b"").decode("utf-8")
