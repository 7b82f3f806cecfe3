"""Functions of Python: those of a file's top level and the methods of its classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import tree_sitter_python
from tree_sitter import Language, Node

from ncsbench.functions.documentation import summarize
from ncsbench.functions.function_record import FoundFunction, Rules
from ncsbench.functions.members import text_of

WHOLE = frozenset({"string"})
_EMPTY = {"pass_statement", "raise_statement"}
_PREFIX = re.compile(r"\A[A-Za-z]{0,2}(?=[\"'])")


@cache
def grammar() -> Language:
    """The tree-sitter grammar."""
    return Language(tree_sitter_python.language())


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The functions and methods, decorated or not; documented by their docstring.

    As released, methods such as ``__init__`` stay, which were meant to be left out (DEV-128).
    """
    for node in root.named_children:
        if node.type == "class_definition":
            body = node.child_by_field_name("body")
            scope = text_of(node.child_by_field_name("name"))
            for member in body.named_children if body else ():
                yield from _describe(member, scope, rules)
        else:
            yield from _describe(node, "", rules)


def _describe(node: Node, scope: str, rules: Rules) -> Iterator[FoundFunction]:
    if node.type == "decorated_definition":
        decorated = node.child_by_field_name("definition")
        assert decorated is not None  # noqa: S101  (the grammar has none without)
        node = decorated
    if node.type != "function_definition":
        return
    name = text_of(node.child_by_field_name("name"))
    string = _find_docstring(node)
    docstring = _strip_quotes(text_of(string), rules)
    yield FoundFunction(
        node,
        name,
        f"{scope}.{name}" if scope else name,
        docstring,
        summarize(docstring),
        _why_dropped(node, name, scope, rules),
        () if string is None else (string,),
        _find_end(node),
    )


def _why_dropped(definition: Node, name: str, scope: str, rules: Rules) -> str:
    *_, before, body = (definition, *definition.children)
    first = body.children[:1]  # a comment that begins the body is no part of it
    if before.type == ":" and first and first[0].type in _EMPTY:
        return "empty"
    if rules == "as_meant" and scope and name.startswith("__") and name.endswith("__"):
        return "name"
    return ""


def _find_docstring(definition: Node) -> Node | None:
    """The first statement that is a string, wherever it stands in the body."""
    body = definition.child_by_field_name("body")
    for statement in body.named_children if body else ():
        if statement.type == "expression_statement":
            string = statement.child(0)
            if string is not None and string.type == "string":
                return string
    return None


def _strip_quotes(string: str, rules: Rules) -> str:
    r"""The text of a string; as released, prefix and first quotes of ``r"..."`` stay (DEV-128)."""
    if rules == "as_meant":
        string = _PREFIX.sub("", string)
    return string.strip('"').strip("'").strip()


def _find_end(definition: Node) -> Node | None:
    """Where a function ends: comments on lines of their own after its end are no part (DEV-126).

    The grammar has them in the body, wherever they are indented.
    """
    node, comment = definition, None
    while count := node.child_count:
        last = node.child(count - 1)
        if last is not None and last.type == "comment":
            for last in reversed(node.children):
                if last.type != "comment":
                    break
                comment = last
        if last is None or last == comment:
            break
        node = last
    if comment is None:
        return None
    return comment if comment.start_point.row == node.end_point.row else node
