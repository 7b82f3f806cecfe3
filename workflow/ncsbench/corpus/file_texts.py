"""The text of a file; its hashes and Java package tell copied files and vendored libraries."""

from __future__ import annotations

import codecs
import re
from hashlib import blake2b

import pyarrow as pa

FILE_TEXT_FIELDS = (
    pa.field("bytes_hash", pa.string()),
    pa.field("text_hash", pa.string()),
    pa.field("package", pa.string()),
)
"""Columns of the ledger; null where no file was read, ``package`` also in the unnamed one.

The hashes are 64 bits in hex: that any two of a million files share one by chance has a probability
of 3 * 10^-8.
"""

_PACKAGE = re.compile(r"^[ \t]*+package[ \t]++([\w.]++)[ \t]*+;", re.MULTILINE)
_BYTES = 8


def decode_source(data: bytes) -> tuple[str, str]:
    """The text of a code file, with a remark where it is not plain UTF-8."""
    remarks = []
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
        remarks.append("read as UTF-16")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
            remarks.append("read as Latin-1")
    if "\0" in text:
        text = text.replace("\0", " ")
        remarks.append("NUL bytes read as blanks")
    return text, ", ".join(remarks)


def describe_text(data: bytes, text: str) -> dict[str, str | None]:
    """The cells of ``FILE_TEXT_FIELDS`` of one file.

    Args:
        data: the file.
        text: the same, decoded. White space does not count, so that line ends and indentation of a
            copy may differ.
    """
    package = _PACKAGE.search(text)
    return {
        "bytes_hash": blake2b(data, digest_size=_BYTES).hexdigest(),
        "text_hash": _hash_text("".join(text.split())),
        "package": package and package[1],
    }


def _hash_text(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=_BYTES).hexdigest()
