"""Chains of ``<`` that no Java has, read as blanks before Java is parsed (DEV-183).

At each ``<`` behind a name the parser follows two readings, a type argument and a comparison. It
gives up neither while no closing sign comes, so that its memory grows with the square of
``a<a<a<``, or faster with other signs in between.
"""

from __future__ import annotations

import re

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
