"""Functions of Go: declarations of functions and methods at the top level of a file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_go
from tree_sitter import Language, Node

from ncsbench.functions.documentation import read_comment, strip_comment_marks, summarize
from ncsbench.functions.function_record import FoundFunction, Rules

WHOLE = frozenset({"comment", "interpreted_string_literal", "raw_string_literal", "rune_literal"})
_TAKEN = {"function_declaration", "method_declaration"}


@cache
def grammar() -> Language:
    """The tree-sitter grammar."""
    return Language(tree_sitter_go.language())


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The functions and methods; their documentation is the run of comments just before."""
    comments: list[str] = []
    for node in root.named_children:
        if node.type == "comment":
            comments.append(_text(node))
            continue
        if node.type in _TAKEN:
            name = _text(node.child_by_field_name("name"))
            docstring, summary = _document("\n".join(comments), rules)
            yield FoundFunction(node, name, name, docstring, summary)
        comments = []


def _document(comments: str, rules: Rules) -> tuple[str, str]:
    """Documentation and summary (DEV-120)."""
    docstring, summary = read_comment(comments, rules=rules)
    if rules == "as_released":
        # Between lines that begin with marks there is no line without text.
        summary = strip_comment_marks(summarize(comments), rules=rules)
    return docstring, summary


def _text(node: Node | None) -> str:
    return "" if node is None else (node.text or b"").decode("utf-8")
