"""Reading of one row as XML, and names of the errors that a dump can have.

Each row is parsed as a document, since lxml's recovery loses rows behind broken ones, and offsets.
"""

from __future__ import annotations

import re
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
"""A piece of a dump that could not be read: reason, and offset in the unpacked text, in bytes."""

_SHOWN = 80
_ID = re.compile(rb'row\s+Id="([0-9]{1,9})"')


class LedgerLine(NamedTuple):
    """One line of the ledger; the fields are those of ``POST_LEDGER_SCHEMA``."""

    offset: int
    id: int | None
    reason: str
    detail: str


def show_text(text: bytes) -> str:
    """Return the beginning of hostile bytes, printable on one line."""
    shown = text[:_SHOWN].decode("ascii", "backslashreplace")
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in shown)
    return shown + ("..." if len(text) > _SHOWN else "")


class ParsedRow(NamedTuple):
    """Attributes of a row, None where the row is broken, and its error, None without an error."""

    attributes: dict[str, str] | None
    error: LedgerLine | None


def is_closed(row: bytes) -> bool:
    """Say whether a row ends, as an empty element or with its end tag (XML 1.0, 3.1)."""
    end = row.rstrip()
    return end.endswith(b"/>") or (end.endswith(b">") and b"</row" in end)


def parse_row(offset: int, text: bytes) -> ParsedRow:
    """Parse a row by expat as a document of its own.

    A row has no document type, so no entities exist beyond the five of XML.

    Args:
        offset: position in the dump at which the row begins, in bytes.
        text: the row without its first character, with the text that follows up to the next "<",
            or up to the "<" behind its end tag where the row has one.
    """
    attributes: dict[str, str] = {}
    closed: list[str] = []
    parser = expat.ParserCreate("UTF-8")
    parser.StartElementHandler = lambda _name, found: attributes.update(found)
    parser.EndElementHandler = closed.append
    try:
        parser.Parse(b"<" + text, True)
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
