"""Functions of Go: declarations of functions and methods at the top level of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter_go
from tree_sitter import Language, Node

from ncsbench.code.functions.function_texts import (
    comments_before,
    read_comment,
    strip_comment_marks,
    summarize,
    text_of,
    without_directives,
)
from ncsbench.code.functions.registry import FoundFunction, Rules

GRAMMAR = Language(tree_sitter_go.language())
WHOLE = frozenset({"comment", "interpreted_string_literal", "raw_string_literal", "rune_literal"})
_TAKEN = {"function_declaration", "method_declaration"}
_DIRECTIVE = re.compile(r"//(?:line |extern |export |[a-z0-9]+:[a-z0-9])")  # as go/ast has them


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The functions and methods; their documentation is the run of comments just before each.

    As meant, the documentation is what ``go/parser`` takes: no empty line parts it from the
    function.
    """
    for node, comments in comments_before(root.named_children, rules=rules):
        if node.type in _TAKEN:
            name = text_of(node.child_by_field_name("name"))
            yield FoundFunction(node, name, name, *_document(comments, node, rules))


def _document(comments: list[Node], node: Node, rules: Rules) -> tuple[str, str]:
    """Documentation and summary (DEV-120)."""
    if rules == "as_released":
        text = "\n".join(map(text_of, comments))
        # Between lines that begin with marks there is no line without text.
        summary = strip_comment_marks(summarize(text), rules=rules)
        return strip_comment_marks(text, rules=rules), summary
    run: list[str] = []
    row = node.start_point.row
    for comment in reversed(comments):
        if comment.end_point.row + 1 < row or (not run and comment.end_point.row == row):
            break
        run.append(without_directives(text_of(comment), _DIRECTIVE))
        row = comment.start_point.row
    return read_comment("\n".join(filter(None, reversed(run))), rules=rules)
