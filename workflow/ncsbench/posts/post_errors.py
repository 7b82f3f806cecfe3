"""The errors that a dump can have; each becomes one line of the ledger."""

from __future__ import annotations

from typing import NamedTuple

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
