"""Finds the definitions of a file: functions, methods and types with their documentation.

Documentation is the comment on the lines just before a definition, decorators left out, or the
string that begins it in Python. Nothing here walks up the tree, so that time grows with the file
however deep it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tree_sitter import Node, QueryCursor

from ncsbench.base.text.file_decoding import decode_source
from ncsbench.code.definitions.languages import CodeLanguage
from ncsbench.code.java.java import LONE_CR, blank_deep_types, mask_forms, parse_bounded

TYPE_LINES = 10
"""Lines of a type that are its code; its methods are definitions of their own."""
MAXIMUM_AROUND = 50
"""Most definitions around a definition; one inside more is left out."""
REST_LINES = 40
"""Most lines of a piece of code that lies in no definition."""
_SHORT = 3  # a function inside another with fewer lines is part of it
_COLUMNS = 400  # a definition with more before it on its line is in code that a program wrote
_COMMENT_LINES = 1000
_SIGNS = 5_000
_TYPE_CHARACTERS, _REST_CHARACTERS = 2000, 4000
_NO_CODE = re.compile(
    r"\W*$|\W*(?:end|else|fi|done)\W*$|\s*(?://|#|/?\*)|\s*(?:\w+\s+)?[\"'][^\"']*[\"'],?$"
    r"|\s*(?:export\s+.*\bfrom|from|import|namespace|package|require|require_relative|use|using)\b"
)
_BEFORE = re.compile(r"(?:(?:export|default|const|let|var|async|type|static)\s+|[\w$.]+\s*=\s*)*")
_COMMENT = re.compile(r"\s*(?://|#(?!\[))")
_OPENING = ("/*", "/**")  # of a comment just before a definition, and of one before an empty line
_DECORATOR = re.compile(r"\s*(?:@\w|#\[)")


@dataclass(frozen=True)
class Definition:
    """One definition.

    Attributes:
        name: as it is written.
        scope: the types around it, outermost first, with dots between them; else the name that it
            is defined on, such as a receiver; may be empty.
        is_type: True for a class, an interface and the like.
        start_line: line of its name, from 1.
        end_line: its last line.
        code: its text; of a type the first ``TYPE_LINES`` lines.
        documentation: with its marks; empty without any.
    """

    name: str
    scope: str
    is_type: bool
    start_line: int
    end_line: int
    code: str
    documentation: str


@dataclass(frozen=True)
class DefinedFile:
    """The definitions of a file in text order.

    Attributes:
        definitions: in text order.
        has_errors: True where the file has syntax errors.
        gave_up: True where nothing was found, since parser or query would take too long.
    """

    definitions: list[Definition]
    has_errors: bool = False
    gave_up: bool = False


def find_definitions(source: bytes, language: CodeLanguage) -> DefinedFile:
    """Find the definitions of a file; broken syntax never raises.

    Args:
        source: the file; bytes that are no UTF-8 are read as ``decode_source`` does.
        language: of the file.
    """
    source = LONE_CR.sub(b"\n", decode_source(source)[0].encode("utf-8", "replace"))
    parser, query = language.make_parser()
    # Rare forms and chains of "<" become as many other bytes, without which Java takes all memory.
    readable = blank_deep_types(mask_forms(source)) if language.title == "Java" else source
    tree = parse_bounded(parser, readable)
    if tree is None or (tree.root_node.has_error and _is_slow(tree.root_node)):
        return DefinedFile([], has_errors=True, gave_up=True)
    found: dict[tuple[int, int], _Match] = {}
    for _, captures in QueryCursor(query).matches(tree.root_node):
        match = _Match(captures, source)
        if match.node.start_point.column <= _COLUMNS:
            found.setdefault((match.node.start_byte, -match.node.end_byte), match)
    lines = source.decode("utf-8", "replace").split("\n")
    listed = _describe([found[key] for key in sorted(found)], source, lines)
    return DefinedFile(list(listed), tree.root_node.has_error)


def _is_slow(root: Node) -> bool:
    """Say whether many signs or keywords follow each other in a tree without a node with a name.

    A query looks at all of them at each one. Broken syntax alone has such trees.
    """
    cursor = root.walk()
    signs = 0
    while signs < _SIGNS:
        node = cursor.node
        signs = 0 if node is None or node.is_named else signs + 1
        if cursor.goto_first_child():
            signs = 0
            continue
        while not cursor.goto_next_sibling():
            signs = 0
            if not cursor.goto_parent():
                return False
    return True


class _Match:
    """One match of a query."""

    def __init__(self, captures: dict[str, list[Node]], source: bytes) -> None:
        def read(name: str) -> str:
            nodes = captures.get(name)
            bounds = slice(nodes[0].start_byte, nodes[0].end_byte) if nodes else slice(0)
            return source[bounds].decode("utf-8", "replace")

        self.is_type = "type" in captures
        self.node = captures["type" if self.is_type else "function"][0]
        self.row = captures["name"][0].start_point.row
        self.name = read("name").strip("\"'`")[:_COLUMNS]
        self.scope = read("scope")[:_COLUMNS].split(".")[0]
        self.documentation = read("documentation")


def _describe(matches: list[_Match], source: bytes, lines: list[str]) -> Iterator[Definition]:
    around: list[_Match] = []
    for match in matches:
        node = match.node
        while around and around[-1].node.end_byte <= node.start_byte:
            around.pop()
        first, last = node.start_point.row, node.end_point.row
        types = [one.name for one in around if one.is_type]
        inner = any(not one.is_type for one in around)
        is_part = inner and not match.is_type and last - first + 1 < _SHORT
        if len(around) <= MAXIMUM_AROUND:
            around.append(match)
            if not is_part:
                yield Definition(
                    name=match.name,
                    scope=".".join(types) or match.scope,
                    is_type=match.is_type,
                    start_line=match.row + 1,
                    end_line=last + 1,
                    code=_cut_code(match, source),
                    documentation=match.documentation or _read_comment(lines, first),
                )


def _cut_code(match: _Match, source: bytes) -> str:
    """Return the text of a definition, from the words before it that are part of it."""
    node = match.node
    text = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
    before = source[node.start_byte - node.start_point.column : node.start_byte]
    opening = before.decode("utf-8", "replace").lstrip()
    text = opening + text if _BEFORE.fullmatch(opening) else text
    if match.is_type:
        return "\n".join(text.split("\n")[:TYPE_LINES])[:_TYPE_CHARACTERS]
    return text


def _read_comment(lines: list[str], row: int) -> str:
    """Return the comment on the lines just before a row, decorators left out; else empty.

    One empty line may follow a comment that begins with ``/**``.
    """
    last = row
    while last and _DECORATOR.match(lines[last - 1]):
        last -= 1
    empty = last > 1 and not lines[last - 1].strip()
    last -= empty
    first, furthest = last, max(0, last - _COMMENT_LINES)
    if first and lines[first - 1].rstrip().endswith("*/"):
        while first > furthest and "/*" not in lines[first - 1]:
            first -= 1
        opening = lines[first - 1].lstrip() if first else ""
        return "\n".join(lines[first - 1 : last]) if opening.startswith(_OPENING[empty]) else ""
    while first > furthest and not empty and _COMMENT.match(lines[first - 1]):
        first -= 1
    return "\n".join(lines[first:last])


def find_rest(text: str, covered: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """Find the code of a file that no definition has: constants, fields, calls at the top level.

    Imports, comments and lines without a word are code only beside other lines.

    Args:
        text: of the file.
        covered: first and last lines of definitions, from 1.

    Yields:
        First line, last line and text of pieces of at most ``REST_LINES`` lines.
    """
    lines = text.split("\n")
    rest = [True] * len(lines)
    for first, last in covered:
        for row in range(max(0, first - 1), min(last, len(lines))):
            rest[row] = False
    row = 0
    while row < len(lines):
        last = row
        while last < min(len(lines), row + REST_LINES) and rest[last]:
            last += 1
        piece = lines[row:last]
        if any(len(line) <= _COLUMNS and not _NO_CODE.match(line) for line in piece):
            yield row + 1, last, "\n".join(piece)[:_REST_CHARACTERS]
        row = max(last, row + 1)
