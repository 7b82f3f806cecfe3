"""Functions of JavaScript: declarations and expressions with the word ``function``, anywhere.

Arrow functions, methods of classes and generators do not count, as released (DEV-125).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter_javascript
from tree_sitter import Language, Node, Query, QueryCursor

from ncsbench.code.functions.function_texts import (
    strip_comment_marks,
    summarize,
    text_of,
    without_directives,
    without_trailing,
)
from ncsbench.code.functions.registry import FoundFunction, Rules

GRAMMAR = Language(tree_sitter_javascript.language())
WHOLE = frozenset({"string"})
_DROPPED_NAMES = {"toString", "toLocaleString", "valueOf"}
_BLANKS = re.compile(rb"\s*")
# Names that ESLint and JSHint are to know.
_GLOBALS = re.compile(r"/\*\s*(?:globals?|exported)\s+[\w$]+(?:\s*[,:]\s*[\w$]+)*\s*\*/")
_QUERY = Query(
    GRAMMAR,
    """
[(function_declaration) (function_expression)] @function
(comment) @comment
(pair value: (function_expression) @held) @holder
(variable_declaration (variable_declarator value: (function_expression) @held)) @holder
(lexical_declaration (variable_declarator value: (function_expression) @held)) @holder
""",
)


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The functions; their documentation is the run of comments just before each.

    The run is before the function, or before the declaration or the pair of an object that holds
    it.
    """
    functions: list[Node] = []
    comments: list[Node] = []
    holders: dict[int, Node] = {}
    for _, captures in QueryCursor(_QUERY).matches(root):
        functions += captures.get("function", ())
        comments += captures.get("comment", ())
        if "held" in captures:
            holders[captures["held"][0].id] = captures["holder"][0]
    functions.sort(key=lambda node: node.start_byte)
    runs = _CommentRuns(root, comments, rules)
    for node in functions:
        name = text_of(node.child_by_field_name("name"))
        texts = [text_of(comment) for comment in runs.before(holders.get(node.id, node))]
        if rules == "as_meant":
            texts = list(filter(None, (without_directives(text, _GLOBALS) for text in texts)))
        docstring = " ".join(strip_comment_marks(text, rules=rules) for text in texts)
        dropped = "name" if name in _DROPPED_NAMES else ""
        yield FoundFunction(node, name, name, docstring, summarize(docstring), dropped)


class _CommentRuns:
    """The comments of a file by the start of the next text, so that time grows with the file."""

    def __init__(self, root: Node, comments: list[Node], rules: Rules) -> None:
        self._rules = rules
        self._text, self._offset = root.text or b"", root.start_byte
        self._before = {self._skip_blanks(comment.end_byte): comment for comment in comments}

    def _skip_blanks(self, place: int) -> int:
        blanks = _BLANKS.match(self._text, place - self._offset)
        return place if blanks is None else blanks.end() + self._offset

    def before(self, node: Node) -> list[Node]:
        """The comments before a place in text order, back to the first empty line."""
        run: list[Node] = []
        start = node.start_byte
        while comment := self._before.get(start):
            between = self._text[comment.end_byte - self._offset : start - self._offset]
            if run and between.count(b"\n") > 1:
                break
            run.append(comment)
            start = comment.start_byte
        run.reverse()
        if run and self._rules == "as_meant" and self._is_behind_code(run[0]):
            return without_trailing(run, run[0].start_point.row, node)
        return run

    def _is_behind_code(self, comment: Node) -> bool:
        place = comment.start_byte - self._offset - 1
        while place >= 0 and self._text[place] in b" \t\f\v\r":
            place -= 1
        return place >= 0 and self._text[place] != ord("\n")
