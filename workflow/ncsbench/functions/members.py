"""Methods of classes at the top level of a file, with the comment before each: Java and PHP."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from ncsbench.functions.comments import comments_before, without_directives
from ncsbench.functions.documentation import read_comment
from ncsbench.functions.function_record import FoundFunction, Rules


@dataclass(frozen=True)
class MemberRules:
    """What a language takes.

    Attributes:
        types: nodes of the classes whose methods are taken.
        names: of methods that are dropped.
        documents: marks of comments that document what follows, whatever stands before them.
    """

    types: frozenset[str]
    names: frozenset[str]
    documents: tuple[bytes, ...] = ()


def find_methods(
    around: Collection[Node], members: MemberRules, *, rules: Rules
) -> Iterator[FoundFunction]:
    """The methods of those of the nodes that are classes; identifiers are ``Class.method``."""
    for node in around:
        body = node.child_by_field_name("body")
        if node.type not in members.types or body is None:
            continue
        class_name = text_of(node.child_by_field_name("name"))
        for member, comments in comments_before(body.children, rules=rules, kept=members.documents):
            if member.type == "method_declaration":
                name = text_of(member.child_by_field_name("name"))
                yield FoundFunction(
                    member,
                    name,
                    f"{class_name}.{name}",
                    *read_comment(_choose(comments, rules), rules=rules),
                    dropped="name" if name in members.names else "",
                )


def _choose(comments: list[Node], rules: Rules) -> str:
    """The last comment; as meant, the last that begins with ``/**`` or ``///``, if there is one."""
    if rules == "as_released":
        return text_of(comments[-1]) if comments else ""
    chosen, is_document, row = "", False, -1
    for comment in comments:
        text = without_directives(text_of(comment))
        is_line = text.startswith("///")
        if is_line and comment.start_point.row == row:
            chosen += "\n" + text
        elif text and (text.startswith(("/**", "///")) or not is_document):
            chosen, is_document = text, text.startswith(("/**", "///"))
        row = comment.start_point.row + 1 if is_line else -1
    return chosen


def text_of(node: Node | None) -> str:
    """The text of a node; empty for none."""
    return "" if node is None else (node.text or b"").decode("utf-8")
