"""Parses one row as XML: slow, but exact."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.parsers import expat

from ncsbench.posts.post_errors import (
    MALFORMED_ROW,
    OUTSIDE_TEXT,
    TRUNCATED_ROW,
    LedgerLine,
    show_text,
)

_ID = re.compile(rb'row\s+Id="([0-9]{1,9})"')


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
