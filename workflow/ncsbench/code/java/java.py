r"""Parses Java with tree-sitter in bounded time and memory, and walks its trees without recursion.

The grammar lacks escapes like ``\u0067`` (JLS 3.3), CR as a line end (3.4), currency signs in names
(3.8) and some rare forms (DEV-212). ``read_java`` gives what it reads, and the way back to
the text as it is in the file: escapes are decoded, all else becomes as many other bytes.

A file on which the parser takes far too many steps is given up. Chains of ``<`` that no Java has
are read as blanks before (DEV-183): at each ``<`` behind a name the parser follows two readings, a
type argument and a comparison. It gives up neither while no closing sign comes, so that its memory
grows with the square of ``a<a<a<``, or faster with other signs in between.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import tree_sitter_java
from tree_sitter import Language, Node, Parser, Tree

ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
COMMENTS = frozenset({"line_comment", "block_comment"})
"""Types of the nodes of comments."""
STEPS_A_BYTE = 20
"""Most steps of the parser for each byte; the densest code, ``1,1,1``, takes 10 (DEV-122)."""
STEPS_OF_A_FILE = 20_000
"""Steps that every file may take beside ``STEPS_A_BYTE``."""
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
    # The same tree again, in hardly any time, with access to the text of its nodes.
    return None if tree is None else parser.parse(source, tree)


MAXIMUM_DEPTH = 30
"""Most ``<`` in a row that are parsed. No Java has more: types are not nested like that, and
between two comparisons there are ``&&``, ``||`` or signs that end a ``_CHAIN``."""

# What does not end is read to the end of its line or of the text: no byte is looked at twice.
_TEXT_BLOCK = r'"""(?:[^"\\]++|\\.|"(?!""))*(?:"""|\\?\Z)'
_STRING = r'"(?:[^"\\\n]++|\\[^\n])*"?'
_CHARACTER = r"'(?:[^'\\\n]++|\\[^\n])*'?"
_LITERAL_OR_LINE = rf"{_TEXT_BLOCK}|{_STRING}|{_CHARACTER}|//[^\n]*+"
_UNREAD = re.compile(rf"{_LITERAL_OR_LINE}|/\*.*?(?:\*/|\Z)".encode(), re.DOTALL)
_UNREAD_BUT_BLOCKS = re.compile(_LITERAL_OR_LINE.encode(), re.DOTALL)
# At these signs the parser gives up one of its two readings, as rows of all pairs of signs showed.
_CHAIN = re.compile(rb"<[^;,(){}=:+\->\"]*+")
# But it passes over them where no Java has them: before signs that belong between two values.
_BETWEEN = r"(?:[*%&|^/?]|\.(?!\d))"
_NO_END = re.compile(
    rf"(?<![;,:({{}}=+\->\s])[;,:({{}}=+\->\s]++(?={_BETWEEN})|(?<=<)\s*+;".encode()
)
_SHIFT = re.compile(rf"<<(?!=?\s*+{_BETWEEN})".encode())
_BLANKS = bytes(byte if byte in b"\t\n\v\f\r" else ord(" ") for byte in range(256))


def blank_deep_types(source: bytes) -> bytes:
    """Java with blanks in place of the text from the first to the last ``<`` of a deep chain.

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
    """As many blanks as the text has bytes, in the same lines."""
    return text.translate(_BLANKS)


def _hide(unread: re.Match[bytes]) -> bytes:
    """As many bytes as were found: blanks for a comment, quotes for a literal."""
    text = unread[0]
    if text.startswith((b'"', b"'")):
        return b'"' * len(text)
    if text.startswith(b"//") or (text.endswith(b"*/") and len(text) > len("/*/")):
        return b" " * len(text)
    # To the parser, a comment that does not end is not a comment.
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
    """Parse as ``parse_java``; None where the parser takes too many steps."""
    return parse_bounded(_parser(), blank_deep_types(source))


def parse_shallow(source: bytes) -> Tree:
    """Parse the result of ``blank_deep_types``; other text may take gigabytes."""
    parser = _parser()
    tree = parse_bounded(parser, source)
    if tree is None:
        parser.reset()  # else it goes on where it gave up
        tree = parser.parse(b"#" * len(source))
    return tree


def text_of(node: Node) -> str:
    """The text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def walk(node: Node) -> Iterator[Node]:
    """All nodes below and with ``node`` in text order, by cursor, so that depth cannot overflow."""
    return (found for found, is_over in walk_both_ways(node) if not is_over)


def walk_both_ways(root: Node) -> Iterator[tuple[Node, bool]]:
    """Each node at its start and after all nodes below it, by cursor: depth is no limit."""
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
        above.append(above[-1] if current is None else current)  # It is always on a node.


LONE_CR = re.compile(rb"\r(?!\r*\n)")
"""A CR that ends a line by itself; rows of CR before an LF are one line end with it."""

_ESCAPE = re.compile(
    rb"\\\\|\\u+([Dd][89ABab][\dA-Fa-f]{2})\\u+([Dd][C-Fc-f][\dA-Fa-f]{2})|\\u+([\dA-Fa-f]{4})"
)
_UNWRITABLE = re.compile(r"\Z|[\0-\x08\x0b\x0e-\x1f\ufffd]")
_LITERAL = r'"(?:[^"\\\n]|\\[^\n])*"|' + r"'(?:[^'\\\n]|\\[^\n])*'"
_PART = rf"[^()\"']|{_LITERAL}"
_ARGUMENTS = rf"\((?:{_PART}|\((?:{_PART}|\((?:{_PART})*\))*\))*\)"
_ANNOTATION = rf"@\s*[\w$.\x80-\xff]+(?:\s*{_ARGUMENTS})?"
# In a row of annotations; longer ones are hostile.
_ANNOTATIONS = rf"{_ANNOTATION}(?:\s*{_ANNOTATION}){{0,7}}"
_BEFORE_DOTS = re.compile(rf"{_ANNOTATIONS}(?=\s*\.\.\.)".encode())
_AFTER_BAR = re.compile(rf"\|\s*({_ANNOTATIONS})".encode())
_MODULE = re.compile(rb"^[ \t]*import\s+(module)(?=\s+[\w$\x80-\xff])", re.MULTILINE)
_NUMBER = re.compile(rb"(?<![\w$\x80-\xff])\d\w*?__\w*")
# Not longer, or a hostile file would take the square of its length.
_PATTERN_PART = r"(?:[\w$.<>?,()\[\]@ \t\x80-\xff]|(?<=[,(])[ \t\r]*\n){0,150}"
_ODD_PATTERN = re.compile(
    rf"(?:case(?<![\w$]case)|instanceof)\b(?={_PATTERN_PART}?(?:\bfinal\b|\b_\b|@))"
    rf"(?:(?<=case){_PATTERN_PART}?(?=->|:|\bwhen\b)|(?<=instanceof){_PATTERN_PART})".encode()
)
_UNNAMED = re.compile(rb"\b_\b")
_MODIFIERS = re.compile(rf"\bfinal\b|{_ANNOTATION}".encode())
# Each begins with its own letters: the engine finds these without looking at every byte.
_CONSTRUCTOR_CALLS = [
    re.compile(rb"%b(?<=[;}\s]%b)(?=\s*\()" % (2 * (word,))) for word in (b"super", b"this")
]
_JAVA_NAME = frozenset({"Sc", "Pc", "Lu", "Ll", "Lt", "Lm", "Lo", "Nl"})


@dataclass(frozen=True)
class ReadableJava:
    """A Java file in three forms.

    Attributes:
        original: the file as it is.
        decoded: the file without escapes, and with LF for each CR that ends a line by itself.
        parsed: the text for the parser, with as many bytes as ``decoded``.
        is_deep: True where a part of it was read as blanks (DEV-183).
    """

    original: bytes
    decoded: bytes
    parsed: bytes
    is_deep: bool
    _ends: list[int]
    _shifts: list[int]
    _line_ends: list[int]
    _text: str | None

    def original_text(self, node: Node) -> str:
        """The text of a node of the tree of ``parsed`` as it is in the file."""
        return self.original_slice(node.start_byte, node.end_byte)

    def original_slice(self, start: int, end: int) -> str:
        """The text of the file between two places of ``parsed``."""
        if self._text is not None:
            return self._text[start:end]
        return self.original[self._place(start) : self._place(end)].decode("utf-8")

    def text(self, node: Node) -> str:
        """The text of a node without escapes, as a name is read."""
        if self._text is not None:
            return self._text[node.start_byte : node.end_byte]
        return self.decoded[node.start_byte : node.end_byte].decode("utf-8")

    def line(self, place: int) -> int:
        """The line of a place of ``parsed``, from 1; lines end at LF alone (DEV-03)."""
        return bisect_left(self._line_ends, self._place(place)) + 1

    def _place(self, place: int) -> int:
        return place + self._shifts[bisect_right(self._ends, place)]


def read_java(source: bytes) -> ReadableJava:
    """Java given as UTF-8, ready to be parsed."""
    decoded, ends, shifts = _decode_escapes(source)
    if b"\r" in decoded:
        decoded = LONE_CR.sub(b"\n", decoded)
    masked = mask_forms(_mask_names(decoded))
    parsed = blank_deep_types(masked)
    lines = [found.start() for found in re.finditer(b"\n", source)]
    # Most files: one decoding for all of their texts.
    text = source.decode() if decoded is source and source.isascii() else None
    return ReadableJava(source, decoded, parsed, parsed is not masked, ends, shifts, lines, text)


def mask_forms(source: bytes) -> bytes:
    """Java without the forms that the grammar lacks, its names unchanged.

    Returns:
        As many bytes in the same lines.
    """
    if b"@" in source:
        if b"..." in source:
            source = _BEFORE_DOTS.sub(lambda found: blank_out(found[0]), source)
        if b"|" in source:
            source = _AFTER_BAR.sub(_blank_group, source)
    if b"import module" in source:
        source = _MODULE.sub(_blank_group, source)
    if b"__" in source:
        source = _NUMBER.sub(lambda found: found[0].replace(b"__", b"00"), source)
    for call in _CONSTRUCTOR_CALLS:
        source = call.sub(_mask_later_call, source)
    if b"case" not in source and b"instanceof" not in source:
        return source
    return _ODD_PATTERN.sub(lambda found: _simplify_pattern(found[0]), source)


def _mask_later_call(found: re.Match[bytes]) -> bytes:
    """A constructor call behind another statement (Java 25) as the call of another name."""
    before = found.start()
    while found.string[before - 1 : before].isspace():
        before -= 1
    is_later = found.string[before - 1 : before] in {b";", b"}"}
    return found[0][:-4] + b"____" if is_later else found[0]


def _blank_group(found: re.Match[bytes]) -> bytes:
    start, end = (found.start(1) - found.start(), found.end(1) - found.start())
    return found[0][:start] + blank_out(found[1]) + found[0][end:]


def _simplify_pattern(label: bytes) -> bytes:
    """A pattern without modifiers; of several in a ``case``, all without names, the first."""
    label = _MODIFIERS.sub(lambda found: blank_out(found[0]), label)
    comma = next(_outer_commas(label), len(label))
    several = label.startswith(b"case") and _UNNAMED.search(label, 0, comma)
    return label[:comma] + blank_out(label[comma:]) if several else label


def _outer_commas(text: bytes) -> Iterator[int]:
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign in b"(<") - (sign in b")>")
        if sign == ord(",") and not depth:
            yield place


def _decode_escapes(source: bytes) -> tuple[bytes, list[int], list[int]]:
    """The text without escapes, the ends of the decoded parts, and the shift behind each.

    An escape of a control character or of half a character cannot be written, and stays.
    """
    pieces: list[bytes] = []
    ends: list[int] = []
    shifts = [0]
    done = 0
    for found in _ESCAPE.finditer(source) if b"\\u" in source else ():
        digits = b"".join(group for group in found.groups() if group)
        character = bytes.fromhex(digits.decode()).decode("utf-16-be", "replace")
        if _UNWRITABLE.match(character):
            continue
        pieces += [source[done : found.start()], character.encode()]
        done = found.end()
        shifts.append(shifts[-1] + len(found[0]) - len(pieces[-1]))
        ends.append(done - shifts[-1])
    return b"".join([*pieces, source[done:]]) if ends else source, ends, shifts


def _mask_names(source: bytes) -> bytes:
    """Java with letters in place of the signs that names of Java may have and the grammar lacks."""
    if source.isascii():
        return source
    text = source.decode("utf-8")
    return _odd_letters().sub(lambda found: "_" * len(found[0].encode()), text).encode()


@cache
def _odd_letters() -> re.Pattern[str]:
    """Characters with which a name of Java may begin (JLS 3.8), but no identifier of Unicode."""
    signs = (chr(code) for code in range(0x80, 0x20000) if not chr(code).isidentifier())
    odd = "".join(sign for sign in signs if unicodedata.category(sign) in _JAVA_NAME)
    return re.compile(
        rf"[{odd}]|(?<=[\w$\u0300-\u036f])[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u00ad]"
    )
