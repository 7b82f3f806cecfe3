"""The functions of a file: parsed, found by the module of the language, tokenised."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import groupby

from tree_sitter import Parser, Tree

from ncsbench.base.text.file_decoding import decode_source
from ncsbench.code.functions.function_texts import CodeTokens, find_kinds, tokenize_docstring
from ncsbench.code.functions.registry import (
    GAVE_UP,
    FoundFunction,
    Function,
    ParsedFile,
    Rules,
    find_language,
)
from ncsbench.code.java.java import LONE_CR, blank_deep_types, mask_forms, parse_bounded

_OPENING = re.compile(rb"<<[~-]?([\"`]?)([A-Za-z_]\w*)\1")
_WORD = re.compile(rb"\s*([A-Za-z_]\w*)\s*\Z")


def hide_nested_heredocs(source: bytes) -> bytes:
    """Ruby in which a here-document with another one inside has no substitution.

    The outer here-document is one token either way. With a substitution, the scanner of
    tree-sitter-ruby 0.23 takes the text behind the inner here-document for code, and the file loses
    its classes.

    Returns:
        As many bytes in the same lines.
    """
    if source.count(b"<<") < 2:
        return source
    lines = source.split(b"\n")
    ends: defaultdict[bytes, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        if word := _WORD.match(line):
            ends[word[1]].append(number)
    number = 0
    while number < len(lines):
        place = number + 1
        for opening in _OPENING.finditer(lines[number]):
            if end := _find_end(ends, opening[2], place, len(lines)):
                inside = range(place, end)
                if any(
                    _find_end(ends, inner[2], here + 1, end)
                    for here in inside
                    for inner in _OPENING.finditer(lines[here])
                ):
                    for here in inside:
                        lines[here] = lines[here].replace(b"#{", b"# ")
                place = end + 1
        number = place
    return b"\n".join(lines)


def _find_end(ends: defaultdict[bytes, list[int]], word: bytes, start: int, stop: int) -> int:
    """The first line, from ``start`` to before ``stop``, of the word alone; else 0."""
    numbers = ends.get(word, [])
    index = bisect_left(numbers, start)
    return numbers[index] if index < len(numbers) and numbers[index] < stop else 0


MAXIMUM_AROUND = 50
"""Most functions around a function; one inside more is left out, since texts would grow as the
square."""

MAXIMUM_COMMENT = 1000
"""Most lines of a comment; the lines of a longer one are read as empty lines (DEV-126)."""

_LF_ALONE = ("go", "ruby")
"""Languages in which a CR by itself ends no line."""


def parse_functions(source: bytes, language: str, *, rules: Rules = "as_meant") -> ParsedFile:
    """The functions of a file.

    Bytes that are no UTF-8 are read as ``decode_source`` does; broken syntax never raises.
    Functions with at most one token are dropped, as released.

    Args:
        source: the bytes of the file.
        language: a name of ``registry.LANGUAGES``.
        rules: treatment of errors of the released code.

    Raises:
        ConfigurationError: for a language that is not known.
    """
    module = find_language(language).load()
    source = _readable(source, language)
    tree, is_deep = _parse(source, language, rules)
    if tree is None:
        return ParsedFile([], {GAVE_UP: 1}, has_errors=True, has_deep_types=is_deep)
    root = tree.root_node
    tokens = CodeTokens(source, _whole(language))
    functions: list[Function] = []
    dropped: Counter[str] = Counter()
    for found in _without_deep_ones(module.find_functions(root, rules=rules), dropped):
        function = _describe(found, source, tokens)
        if len(function.code_tokens) > 1:
            functions.append(function)
        else:
            dropped["one token"] += 1
    return ParsedFile(functions, dict(sorted(dropped.items())), root.has_error, is_deep)


def _parse(source: bytes, language: str, rules: Rules) -> tuple[Tree | None, bool]:
    """The tree of a file, if the parser ends, and whether it was read without deep types."""
    if language == "ruby" and rules == "as_meant":
        return parse_bounded(_parser(language), hide_nested_heredocs(source)), False
    if language != "java":
        return parse_bounded(_parser(language), source), False
    simple = mask_forms(source)
    shallow = blank_deep_types(simple)
    return parse_bounded(_parser(language), shallow), shallow is not simple


@cache
def _parser(language: str) -> Parser:
    return Parser(find_language(language).load().GRAMMAR)


@cache
def _whole(language: str) -> frozenset[int]:
    module = find_language(language).load()
    return find_kinds(module.GRAMMAR, module.WHOLE)


def _readable(source: bytes, language: str) -> bytes:
    """UTF-8 without byte order mark, NUL and very long comments, each line ended by an LF."""
    source = decode_source(source)[0].encode("utf-8", "replace")
    if language not in _LF_ALONE:
        source = LONE_CR.sub(b"\n", source)
    return _blank_long_comments(source)


def _blank_long_comments(source: bytes) -> bytes:
    """Source without the text of long comments: more than ``MAXIMUM_COMMENT`` lines with ``#``.

    The lines of such a comment are in a row, and each begins with ``#``. Inside a function, the
    grammar of Python looks at each comment through all comments that follow. Lines that only
    continue another one are like comments to the grammar.
    """
    if source.count(b"#") + source.count(b"\\") <= MAXIMUM_COMMENT:
        return source
    lines = source.split(b"\n")
    kept: list[bytes] = []
    for is_comment, run in groupby(lines, _is_comment):
        found = list(run)
        kept += [b""] * len(found) if is_comment and len(found) > MAXIMUM_COMMENT else found
    return b"\n".join(kept)


def _is_comment(line: bytes) -> bool:
    stripped = line.strip()
    return stripped[:1] in {b"", b"#"} or stripped == b"\\"


def _without_deep_ones(
    found: Iterator[FoundFunction], dropped: Counter[str]
) -> Iterator[FoundFunction]:
    """The functions that no rule drops, in text order."""
    around: list[int] = []
    for function in found:
        while around and around[-1] <= function.node.start_byte:
            around.pop()
        reason = function.dropped
        if len(around) > MAXIMUM_AROUND:
            reason = reason or "deeply nested"
        else:
            around.append(function.node.end_byte)
        if reason:
            dropped[reason] += 1
        else:
            yield function


def _describe(found: FoundFunction, source: bytes, tokens: CodeTokens) -> Function:
    node, last = found.node, found.last or found.node
    text = source[node.start_byte : last.end_byte]
    return Function(
        name=found.name,
        identifier=found.identifier,
        start_line=node.start_point.row + 1,
        end_line=last.end_point.row + 1,
        code=text.decode("utf-8", "replace"),
        code_tokens=tokens.of_function(found),
        docstring=found.docstring,
        summary=found.summary,
        docstring_tokens=tokenize_docstring(found.summary),
    )
