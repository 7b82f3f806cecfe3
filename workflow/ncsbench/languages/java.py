"""Parses Java with tree-sitter in bounded time and memory, and walks its trees without recursion.

A file on which the parser takes far too many steps is given up. Chains of ``<`` that no Java has
are read as blanks before (DEV-183): at each ``<`` behind a name the parser follows two readings, a
type argument and a comparison. It gives up neither while no closing sign comes, so that its memory
grows with the square of ``a<a<a<``, or faster with other signs in between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import tree_sitter_java
from tree_sitter import Language, Node, Parser, Tree

STEPS_A_BYTE = 20
"""Most steps of the parser for each byte; the densest code, ``1,1,1``, takes 10 (DEV-122)."""
STEPS_OF_A_FILE = 20_000
"""Steps that every file may take beside these."""
_STEPS_A_REPORT = 100  # tree-sitter's own number
_CHUNK = 65_536


def parse_bounded(parser: Parser, source: bytes) -> Tree | None:
    """The tree of a file; None where the parser takes too many steps.

    On some broken syntax tree-sitter's time grows with the square of the file, which is hours for a
    file of some hundred kilobytes. Steps are counted, so the answer is the same on every machine.
    """
    steps = 0

    def is_too_much(*_: object) -> bool:
        nonlocal steps
        steps += _STEPS_A_REPORT
        return steps > STEPS_OF_A_FILE + STEPS_A_BYTE * len(source)

    parser.reset()
    try:
        # It reports its steps where the source comes in chunks alone.
        tree = parser.parse(
            lambda offset, _: source[offset : offset + _CHUNK], progress_callback=is_too_much
        )
    except ValueError:
        return None
    # The same tree again, in hardly any time, with the text of its nodes at hand.
    return None if tree is None else parser.parse(source, tree)


MAXIMUM_DEPTH = 30
"""So many ``<`` in a row are parsed. No Java has more: types are not nested like that, and between
two comparisons stand ``&&``, ``||`` or signs of ``_CHAIN``."""

# What does not end is read to the end of its line or of the text: no byte is looked at twice.
_TEXT_BLOCK = r'"""(?:[^"\\]++|\\.|"(?!""))*(?:"""|\\?\Z)'
_STRING = r'"(?:[^"\\\n]++|\\[^\n])*"?'
_CHARACTER = r"'(?:[^'\\\n]++|\\[^\n])*'?"
_LITERAL_OR_LINE = rf"{_TEXT_BLOCK}|{_STRING}|{_CHARACTER}|//[^\n]*+"
_UNREAD = re.compile(rf"{_LITERAL_OR_LINE}|/\*.*?(?:\*/|\Z)".encode(), re.DOTALL)
_UNREAD_BUT_BLOCKS = re.compile(_LITERAL_OR_LINE.encode(), re.DOTALL)
# At these signs the parser gives up one of its two readings, as rows of all pairs of signs showed.
_CHAIN = re.compile(rb"<[^;,(){}=:+\->\"]*+")
# But it passes over them where no Java has them: before signs that stand between two values.
_BETWEEN = r"(?:[*%&|^/?]|\.(?!\d))"
_NO_END = re.compile(
    rf"(?<![;,:({{}}=+\->\s])[;,:({{}}=+\->\s]++(?={_BETWEEN})|(?<=<)\s*+;".encode()
)
_SHIFT = re.compile(rf"<<(?!=?\s*+{_BETWEEN})".encode())
_BLANKS = bytes(byte if byte in b"\t\n\v\f\r" else ord(" ") for byte in range(256))


def blank_deep_types(source: bytes) -> bytes:
    """Java with blanks in place of what stands from the first to the last ``<`` of a deep chain.

    A chain is a row of ``<`` with nothing but names and a few signs between them; strings and
    comments count for nothing. It takes linear time.

    Args:
        source: UTF-8, right or wrong.

    Returns:
        As many bytes in the same lines; ``source`` itself where it has no deep chain.
    """
    if source.count(b"<") <= MAXIMUM_DEPTH:
        return source
    code = _UNREAD.sub(_hide, source)
    code = code.replace(b"++", b'""').replace(b"--", b'""')
    code = _SHIFT.sub(b";;", code.replace(b"&&", b";;").replace(b"||", b";;"))
    code = _NO_END.sub(lambda found: b" " * len(found[0]), code)
    pieces, end = [], 0
    for chain in _CHAIN.finditer(code):
        if chain[0].count(b"<") > MAXIMUM_DEPTH:
            last = chain.start() + chain[0].rindex(b"<") + 1
            pieces += [source[end : chain.start()], blank_out(source[chain.start() : last])]
            end = last
    return b"".join([*pieces, source[end:]]) if pieces else source


def blank_out(text: bytes) -> bytes:
    """As many blanks, in the same lines."""
    return text.translate(_BLANKS)


def _hide(unread: re.Match[bytes]) -> bytes:
    """As many bytes: blanks for a comment, quotes for a literal."""
    text = unread[0]
    if text.startswith((b'"', b"'")):
        return b'"' * len(text)
    if text.startswith(b"//") or (text.endswith(b"*/") and len(text) > len("/*/")):
        return b" " * len(text)
    # A comment that does not end is none to the parser.
    return _UNREAD_BUT_BLOCKS.sub(_hide, text)


@cache
def java_language() -> Language:
    """The tree-sitter grammar of Java."""
    return Language(tree_sitter_java.language())


@cache
def _parser() -> Parser:
    return Parser(java_language())


def parse_java(source: bytes) -> Tree:
    """Parse UTF-8 encoded Java; broken syntax gives ERROR or MISSING nodes, never an exception.

    Deep chains of ``<`` are blanks in the tree (DEV-183). Where the parser takes too many steps,
    all of it is one ERROR (DEV-122).
    """
    return parse_shallow(blank_deep_types(source))


def parse_java_bounded(source: bytes) -> Tree | None:
    """The same; None where the parser takes too many steps."""
    return parse_bounded(_parser(), blank_deep_types(source))


def parse_shallow(source: bytes) -> Tree:
    """Parse what ``blank_deep_types`` gave; other text may take gigabytes."""
    parser = _parser()
    tree = parse_bounded(parser, source)
    if tree is None:
        parser.reset()  # else it goes on where it gave up
        tree = parser.parse(b"#" * len(source))
    return tree


def walk(node: Node) -> Iterator[Node]:
    """All nodes below and with ``node`` in text order, by cursor, so that depth cannot overflow."""
    return (found for found, is_over in walk_both_ways(node) if not is_over)


def walk_both_ways(root: Node) -> Iterator[tuple[Node, bool]]:
    """Each node when it is reached and when all below it was read, by cursor: depth is no limit."""
    cursor = root.walk()
    above = [root]
    while True:
        yield above[-1], False
        if not cursor.goto_first_child():
            while True:
                yield above.pop(), True
                if not above:
                    return
                if cursor.goto_next_sibling():
                    break
                cursor.goto_parent()
        current = cursor.node
        above.append(above[-1] if current is None else current)  # It always stands on a node.
