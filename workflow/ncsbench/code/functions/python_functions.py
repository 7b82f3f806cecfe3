"""Functions of Python: those of a file's top level and the methods of its classes."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace

import tree_sitter_python
from tree_sitter import Language, Node

from ncsbench.code.functions.function_texts import summarize, text_of
from ncsbench.code.functions.registry import FoundFunction, Rules

_STRING = re.compile(r"""\A([A-Za-z]*)(\"{3}|'{3}|"|')(.*)\2\Z""", re.DOTALL)


def read_docstring(body: Node | None) -> tuple[Node | None, str]:
    """The statement of a body that is its docstring, and the text, without blanks around it.

    The docstring is the first statement, if it is strings alone, in brackets or not, none of which
    has bytes or values in it.
    """
    members = body.named_children if body else []
    first = next((node for node in members if node.type != "comment"), None)
    node = first if first is not None and first.type == "expression_statement" else None
    while node is not None and node.type in {"expression_statement", "parenthesized_expression"}:
        inner = [child for child in node.named_children if child.type != "comment"]
        has_more = any(child.type == "," for child in node.children)
        node = inner[0] if len(inner) == 1 and not has_more else None
    if node is None or node.type not in {"string", "concatenated_string"}:
        return None, ""
    strings = [node] if node.type == "string" else node.named_children
    texts = [_read(text_of(string)) for string in strings if string.type != "comment"]
    if None in texts:
        return None, ""
    return first, "".join(filter(None, texts)).strip()


def _read(string: str) -> str | None:
    """The value of a string; None for a string that cannot be part of a docstring.

    A string of another version of Python, or with half a character, is read as it is written.
    """
    found = _STRING.match(string)
    if found is None or set(found[1].lower()) & set("bft"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = str(ast.literal_eval(string))
        text.encode()
    except (SyntaxError, ValueError):
        text = found[3]
    return text.replace("\0", " ")


GRAMMAR = Language(tree_sitter_python.language())
WHOLE = frozenset({"string"})
_EMPTY = {"pass_statement", "raise_statement"}


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The functions and methods, decorated or not; documented by their docstring.

    As released, methods such as ``__init__`` stay, which were meant to be left out (DEV-128), and
    those of a decorated class are left out (DEV-222).
    """
    for around in root.named_children:
        node = _undecorated(around)
        if node.type == "class_definition":
            body = node.child_by_field_name("body")
            scope = text_of(node.child_by_field_name("name"))
            lost = "decorated class" if rules == "as_released" and node != around else ""
            for member in body.named_children if body else ():
                for found in _describe(_undecorated(member), scope, rules):
                    yield replace(found, dropped=found.dropped or lost) if lost else found
        else:
            yield from _describe(node, "", rules)


def _undecorated(node: Node) -> Node:
    decorated = node.type == "decorated_definition" and node.child_by_field_name("definition")
    return decorated or node


def _describe(node: Node, scope: str, rules: Rules) -> Iterator[FoundFunction]:
    if node.type != "function_definition":
        return
    name = text_of(node.child_by_field_name("name"))
    if rules == "as_meant":
        string, docstring = read_docstring(node.child_by_field_name("body"))
    else:
        string = _find_released_docstring(node)
        # Prefix and first quotes of r"..." stay (DEV-128).
        docstring = text_of(string).strip('"').strip("'").strip()
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


def _find_released_docstring(definition: Node) -> Node | None:
    """The first statement of the body that is a string, at any place."""
    body = definition.child_by_field_name("body")
    for statement in body.named_children if body else ():
        if statement.type == "expression_statement":
            string = statement.child(0)
            if string is not None and string.type == "string":
                return string
    return None


def _find_end(definition: Node) -> Node | None:
    """Find the last node of a function, without comments on lines of their own after it (DEV-126).

    The grammar has such comments in the body, wherever they are indented. The result is None where
    no comment is at the end.
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
