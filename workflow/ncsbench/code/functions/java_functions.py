"""Functions of Java, and its tokens outside of files.

Functions are methods directly inside classes of the top level, with the comment before each; PHP's
functions are found alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from tree_sitter import Node

from ncsbench.code.functions.function_texts import (
    comments_before,
    find_kinds,
    read_comment,
    read_tokens,
    text_of,
    tokenize_docstring,
    without_directives,
)
from ncsbench.code.functions.registry import FoundFunction, Rules
from ncsbench.code.java.java import java_language, parse_java_bounded


def find_methods(
    around: Collection[Node],
    *,
    types: Collection[str],
    names: Collection[str],
    documents: tuple[bytes, ...] = (),
    rules: Rules,
) -> Iterator[FoundFunction]:
    """The methods of the nodes that are classes; identifiers are ``Class.method``.

    Args:
        around: nodes of the top level.
        types: of the classes whose methods are taken.
        names: of methods that are dropped.
        documents: marks of comments that document the next node, whatever is before the comments.
        rules: treatment of errors of the released code.
    """
    for node in around:
        body = node.child_by_field_name("body")
        if node.type not in types or body is None:
            continue
        class_name = text_of(node.child_by_field_name("name"))
        for member, comments in comments_before(body.children, rules=rules, kept=documents):
            if member.type == "method_declaration":
                name = text_of(member.child_by_field_name("name"))
                yield FoundFunction(
                    member,
                    name,
                    f"{class_name}.{name}",
                    *read_comment(_choose(comments, rules), rules=rules),
                    dropped="name" if name in names else "",
                )


def _choose(comments: list[Node], rules: Rules) -> str:
    """The last comment; as meant, the last one that begins with ``/**`` or ``///``, if any does."""
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


GRAMMAR = java_language()
WHOLE = frozenset({"block_comment", "line_comment", "string_literal"})
_WHOLE_KINDS = find_kinds(GRAMMAR, WHOLE)
_DROPPED_NAMES = frozenset("toString hashCode equals finalize notify notifyAll clone".split())


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The methods; methods with a body on one line are dropped, one without a body stays."""
    methods = find_methods(
        root.children,
        types={"class_declaration"},
        names=_DROPPED_NAMES,
        documents=(b"/**", b"///"),
        rules=rules,
    )
    for found in methods:
        body = found.node.child_by_field_name("body")
        one_line = body is not None and body.start_point.row == body.end_point.row
        yield (
            replace(found, dropped="body on one line") if one_line and not found.dropped else found
        )


def tokenize_java(code: str) -> list[str]:
    """Leaves of the tree of a piece of Java, as of a function; a string is one, a comment too.

    Broken syntax never raises. Where the parser takes too many steps, code is split as
    documentation is (DEV-162).
    """
    source = code.replace("\0", " ").encode()
    tree = parse_java_bounded(source)
    if tree is None:
        return tokenize_docstring(code)
    return read_tokens(tree.root_node, source, whole=_WHOLE_KINDS)[1]
