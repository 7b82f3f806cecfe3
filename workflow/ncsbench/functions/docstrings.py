"""Docstrings of Python as the language has them (DEV-221)."""

from __future__ import annotations

import ast
import re
import warnings

from tree_sitter import Node

from ncsbench.functions.members import text_of

_STRING = re.compile(r"""\A([A-Za-z]*)(\"{3}|'{3}|"|')(.*)\2\Z""", re.DOTALL)


def read_docstring(body: Node | None) -> tuple[Node | None, str]:
    """The statement of a body that is its docstring, and the text, without blanks around it.

    That is the first statement, if it is strings alone, in brackets or not, of which none has bytes
    or values in it.
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
    """What a string says; None for one that can be part of no docstring.

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
