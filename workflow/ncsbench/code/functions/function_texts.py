"""Texts of functions: tokens of the code, and documentation with its summary.

Tokens of code are the leaves of a tree. The rules of documentation are CodeSearchNet's (DEV-120):
a summary is the first paragraph. As released, every comment before a function documents it. As
meant, neither a comment behind code on the line of that code does, nor a line that instructs a tool
(DEV-220).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

    from ncsbench.code.functions.registry import FoundFunction, Rules


class CodeTokens:
    """The tokens of the functions of a file, which are asked for in text order.

    The tree of a function is walked once; a function inside it has a part of the same tokens.
    Without that, files of JavaScript would take as long as their functions are nested.

    Args:
        source: of the tree.
        whole: kinds of nodes that are one token although they may have children.
    """

    def __init__(self, source: bytes, whole: Collection[int]) -> None:
        self._source = source
        self._whole = whole
        self._end = 0
        self._starts: list[int] = []
        self._texts: list[str] = []

    def of_function(self, found: FoundFunction) -> list[str]:
        """The leaves of a function's tree that are not blank."""
        node, last = found.node, found.last or found.node
        if node.end_byte > self._end:
            self._end = node.end_byte
            self._starts, self._texts = read_tokens(
                node, self._source, whole=self._whole, without=found.without
            )
        first = bisect_left(self._starts, node.start_byte)
        return self._texts[first : bisect_left(self._starts, last.end_byte)]


def find_kinds(grammar: Language, names: Collection[str]) -> frozenset[int]:
    """The numbers of the kinds of nodes with these names."""
    kinds = range(grammar.node_kind_count)
    return frozenset(kind for kind in kinds if grammar.node_kind_for_id(kind) in names)


def read_tokens(
    node: Node, source: bytes, *, whole: Collection[int], without: Collection[Node] = ()
) -> tuple[list[int], list[str]]:
    """First bytes and texts of the leaves below ``node`` that are not blank, in text order.

    By cursor, so that depth cannot overflow; most of the time of an extraction is spent here.

    Args:
        node: the start of the walk.
        source: of the tree.
        whole: kinds of nodes that count as leaves.
        without: nodes that are left out, with all below them.
    """
    left_out = {inner.id for inner in without}
    starts: list[int] = []
    texts: list[str] = []
    cursor = node.walk()
    while True:
        current = cursor.node
        assert current is not None  # noqa: S101  (a cursor is always on a node)
        if current.id not in left_out:
            if current.kind_id not in whole and cursor.goto_first_child():
                continue
            start = current.start_byte
            text = source[start : current.end_byte].decode("utf-8").strip()
            if text and not (text == "\\" and current.type == "line_continuation"):
                starts.append(start)
                texts.append(text)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return starts, texts


def text_of(node: Node | None) -> str:
    """The text of a node; empty for None."""
    return "" if node is None else (node.text or b"").decode("utf-8")


_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_TOKEN = re.compile(r"\w+|[^\w\s]+")
_MARK = re.compile(r"\*|/\*+!?|//+!?")
_RELEASED_MARK = re.compile(r"\*|/\*\*|//")
_HASHES = re.compile(r"#+")


def strip_comment_marks(comment: str, *, rules: Rules) -> str:
    """The text of one or more comments of the C family, line by line without blanks around it.

    Args:
        comment: with its marks; where it begins with ``#``, all its lines do.
        rules: as released, a plain ``/*``, a third ``/`` and ``#`` stay.
    """
    mark = _RELEASED_MARK
    if rules == "as_meant":
        mark = _HASHES if comment.startswith("#") else _MARK
    return "\n".join(_strip_line(line, mark) for line in comment.split("\n")).strip()


def _strip_line(line: str, mark: re.Pattern[str]) -> str:
    line = line.strip().removesuffix("*/")
    found = mark.match(line)
    return line[found.end() if found else 0 :].strip()


def read_comment(comment: str, *, rules: Rules) -> tuple[str, str]:
    """The documentation that a comment of the C family is, and its summary."""
    docstring = strip_comment_marks(comment, rules=rules)
    return docstring, summarize(docstring)


def summarize(documentation: str) -> str:
    """The text up to the first line without text; else up to the first ``@``; else all of it."""
    blank = _BLANK_LINE.search(documentation)
    if blank:
        return documentation[: blank.start()].strip()
    return documentation.partition("@")[0].strip()


def tokenize_docstring(text: str) -> list[str]:
    """Runs of word characters, and runs of other characters that are no blanks."""
    return _TOKEN.findall(text)


_COMMENTS = {"comment", "block_comment", "line_comment"}
_DIRECTIVE = re.compile(
    r"""
    \s* (?: (?P<block> /\*+!? ) | \*+(?!/) | //+ | \#+ )? \s*
    (?: # Of the form tool:word or tool-word, whatever the tool.
        (?i: [@\w.]+
          : (?: ignore | disable | enable | suppress | allow | skip | todo | off | on ) \b )
      | (?: @[a-z]+ | [a-z-]*(?: lint | fmt | print | prettier | biome | rome | flow | standard ) )
        - (?: ignore | disable | enable | nocheck | expect-error ) \b
      # Editors, and tools for several languages.
      | @?noinspection\b | NOSONAR\b | nosemgrep\b | \#nosec\b | </?editor-fold\b | -\*- | vim?: \s
      | \#\s?(?: end )?region\b | endregion\b | clang-format\s+o(?: n | ff )\b
      # Go.
      | nolint\b | \+build\s
      # Java.
      | NOPMD\b | NOCHECKSTYLE\b | (?: SUPPRESS\s+ )? CHECKSTYLE\b [\s:.]* [A-Z]* \b
      | CS(?: OFF | ON )\b | CPD-O(?: FF | N )\b | \$NON-NLS-\d+\$ | \$FALL-THROUGH\$
      # JavaScript.
      | eslint (?: -env \s | \s+ [\w@/-]+ \s* : ) | (?: js | ts )[hl]int [\s:] | webpack[A-Z]\w+:
      | (?: istanbul | [cv]8 | node:coverage ) \s+ (?: ignore | disable | enable ) \b
      | @ts-check\b | @(?: no )?flow\b | \$Flow[A-Z]\w* | Stryker\s+(?: disable | restore )\b
      | [@\#]__[A-Z_]+__ | [@\#]\s?source(?: Mapping )?URL=
      # PHP.
      | @codeCoverageIgnore | @codingStandards | @?phpcs: | @SuppressWarnings\b
      | @(?: psalm | phan )-[a-z-]*suppress\b | @suppress\s+Phan
      # Ruby.
      | @![a-z]
      | (?: frozen_string_literal | (?: en )?coding | typed | warn_indent ) : \s* [\w-]+ \s* $
    )
    """,
    re.VERBOSE,
)


def comments_before(
    nodes: Iterable[Node], *, rules: Rules, kept: tuple[bytes, ...] = ()
) -> Iterator[tuple[Node, list[Node]]]:
    """Every node that is no comment, with the comments between it and the node before.

    Args:
        nodes: in text order.
        rules: as meant, comments behind the node before, on its last line, are left out.
        kept: marks of comments that stay also there.
    """
    comments: list[Node] = []
    row = -1
    for node in nodes:
        if node.type in _COMMENTS:
            comments.append(node)
            continue
        if rules == "as_meant":
            comments = without_trailing(comments, row, node, kept)
        yield node, comments
        comments = []
        row = node.end_point.row


def without_trailing(
    comments: Iterable[Node], row: int, node: Node, kept: tuple[bytes, ...] = ()
) -> list[Node]:
    """The comments before a node, without those behind code that end on an earlier row."""
    left: list[Node] = []
    for comment in comments:
        if comment.start_point.row == row and comment.end_point.row < node.start_point.row:
            row = comment.end_point.row
            if not (comment.text or b"").startswith(kept):
                continue
        left.append(comment)
    return left


def without_directives(comment: str, further: re.Pattern[str] | None = None) -> str:
    """A comment without the lines that instruct a tool.

    A ``/* */`` comment that begins with such a line is dropped whole.
    """
    first = _DIRECTIVE.match(comment)
    if first and first["block"] == "/*":
        return ""
    return "\n".join(
        line
        for line in comment.split("\n")
        if not (_DIRECTIVE.match(line) or (further and further.match(line)))
    )
