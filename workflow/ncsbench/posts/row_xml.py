"""Reads one row as XML, and names the errors that a dump can have.

A row is parsed whole, which is slow but exact, or only for what shows whether it matters.

An ordinary row has only attributes in double quotes, with distinct names, characters that XML
allows, and the references that dumps have; expat accepts it. Every other row is parsed, so that
the quick look may accept less than XML allows but never more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from xml.parsers import expat

import pyarrow as pa

TRUNCATED_ROW = "truncated row"
MALFORMED_ROW = "malformed XML"
LONG_ROW = "row too long"
OUTSIDE_TEXT = "text outside rows"
DOCUMENT_TYPE = "document type"
EARLY_END = "dump ends early"
MISSING_ATTRIBUTE = "missing attribute"
INVALID_VALUE = "invalid value"
DUPLICATE_ID = "duplicate id"
ANSWER_WITHOUT_QUESTION = "answer without question"

POST_LEDGER_SCHEMA = pa.schema(
    [
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("id", pa.int64()),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("detail", pa.string(), nullable=False),
    ]
)
"""What in a dump could not be read, and where it begins in the unpacked text, in bytes."""

_SHOWN = 80
_ID = re.compile(rb'row\s+Id="([0-9]{1,9})"')
_READ = (b"Id", b"PostTypeId", b"ParentId", b"Tags")
_BEFORE_VALUE = re.compile(rb"[ \t\r\n]+([A-Za-z_][A-Za-z_0-9.-]*)=")
_BEHIND_VALUES = re.compile(rb"[ \t\r\n]*/>[ \t\r\n]*")
_REFUSED = bytes(code for code in range(32) if code not in b"\t\r\n") + b"\xef"
"""Control characters, and the first byte of those beyond ASCII that XML refuses."""
_OTHER_REFERENCE = re.compile(rb"&(?!lt;|gt;|#x[9AD];|quot;|amp;|apos;|#39;)")
_LONGEST_NAMES = 2000
"""Bytes between the values of a row; a row with more is parsed, so that the cache stays small."""
_UNREAD = re.compile(r"[&\t\r\n]")


class LedgerLine(NamedTuple):
    """One line of the ledger; the fields are those of ``POST_LEDGER_SCHEMA``."""

    offset: int
    id: int | None
    reason: str
    detail: str


def show_text(text: bytes) -> str:
    """The beginning of hostile bytes, printable on one line."""
    shown = text[:_SHOWN].decode("ascii", "backslashreplace")
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in shown)
    return shown + ("..." if len(text) > _SHOWN else "")


class ParsedRow(NamedTuple):
    """Attributes of a row, None where it is broken, and what was wrong with it."""

    attributes: dict[str, str] | None
    error: LedgerLine | None


def is_closed(row: bytes) -> bool:
    """Whether a row ends: as an empty element, or with its end tag (XML 1.0, 3.1)."""
    end = row.rstrip()
    return end.endswith(b"/>") or (end.endswith(b">") and b"</row" in end)


def parse_row(offset: int, text: bytes) -> ParsedRow:
    """Parse a row by expat as a document of its own.

    A row has no document type, so no entities exist beyond the five of XML.

    Args:
        offset: where the row begins in the dump, in bytes.
        text: the row without its first character, with what follows up to the next "<"
            or, where it has an end tag, up to the one behind that.
    """
    attributes: dict[str, str] = {}
    closed: list[str] = []
    parser = expat.ParserCreate("UTF-8")
    parser.StartElementHandler = lambda _name, found: attributes.update(found)
    parser.EndElementHandler = closed.append
    try:
        parser.Parse(b"<", False)
        parser.Parse(text, True)
    except expat.ExpatError as error:
        if closed:
            at = parser.ErrorByteIndex
            outside = LedgerLine(
                offset + at, None, OUTSIDE_TEXT, show_text(text[at - 1 :].rstrip())
            )
            return ParsedRow(attributes, outside)
        found = _ID.match(text)
        number = int(found[1]) if found else None
        if is_closed(text):
            problem = expat.errors.messages[error.code]
            detail = f"{problem} at byte {parser.ErrorByteIndex} of the row"
            return ParsedRow(None, LedgerLine(offset, number, MALFORMED_ROW, detail))
        return ParsedRow(None, LedgerLine(offset, number, TRUNCATED_ROW, show_text(text[-80:])))
    return ParsedRow(attributes, None)


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
