"""Reads the few attributes that show whether a row matters, without parsing the row.

An ordinary row has only attributes in double quotes, with distinct names, characters that XML
allows, and the references that dumps have; expat accepts it. Every other row is parsed, so this
look may accept less than XML allows but never more.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ncsbench.posts.row_xml import ParsedRow, parse_row

_READ = (b"Id", b"PostTypeId", b"ParentId", b"Tags")
_BEFORE_VALUE = re.compile(rb"[ \t\r\n]+([A-Za-z_][A-Za-z_0-9.-]*)=")
_BEHIND_VALUES = re.compile(rb"[ \t\r\n]*/>[ \t\r\n]*")
_REFUSED = bytes(code for code in range(32) if code not in b"\t\r\n") + b"\xef"
"""Control characters, and the first byte of those beyond ASCII that XML refuses."""
_OTHER_REFERENCE = re.compile(rb"&(?!lt;|gt;|#x[9AD];|quot;|amp;|apos;|#39;)")
_LONGEST_NAMES = 2000
"""Bytes between the values of a row; a row with more is parsed, so that the cache stays small."""
_UNREAD = re.compile(r"[&\t\r\n]")


def read_head(offset: int, text: bytes) -> ParsedRow:
    """Read a row as ``parse_row`` does; of an ordinary row only what ``_READ`` names."""
    attributes = _skim(text)
    return parse_row(offset, text) if attributes is None else ParsedRow(attributes, None)


def _skim(text: bytes) -> dict[str, str] | None:
    """The attributes of an ordinary row that ``_READ`` names; None where it is not ordinary."""
    pieces = text.split(b'"')
    between = b'"'.join(pieces[::2])
    if len(pieces) % 2 == 0 or len(between) > _LONGEST_NAMES:
        return None
    names, places = _find_places(between)
    if not names or not _has_only_characters(text):
        return None
    values = b'"'.join([pieces[place] for place in places]).decode()
    values = values.replace("&lt;", "<").replace("&gt;", ">")
    return None if _UNREAD.search(values) else dict(zip(names, values.split('"'), strict=True))


@lru_cache(maxsize=1024)
def _find_places(between: bytes) -> tuple[list[str], list[int]]:
    """Which of the values in a row are read, and where, by what lies between its quotes.

    A dump has few such sequences, so that nearly every row costs only a look into the cache.
    """
    *before, behind = between.removeprefix(b"row").split(b'"')
    found = [_BEFORE_VALUE.fullmatch(one) for one in before]
    names = [one[1] for one in found if one]
    if len(set(names)) < len(found) or not _BEHIND_VALUES.fullmatch(behind):
        return [], []
    read = [name for name in _READ if name in names]
    return [name.decode() for name in read], [2 * names.index(name) + 1 for name in read]


def _has_only_characters(text: bytes) -> bool:
    """Whether a row has only characters and references that are surely right."""
    if len(text.translate(None, _REFUSED)) < len(text) or _OTHER_REFERENCE.search(text):
        return False
    try:
        return text.isascii() or bool(text.decode())
    except UnicodeDecodeError:
        return False
