"""The text of a file; its hashes and Java package tell copied files and vendored libraries."""

from __future__ import annotations

import re
from hashlib import blake2b

import pyarrow as pa

from ncsbench.text.file_decoding import decode_source

__all__ = ["FILE_TEXT_FIELDS", "decode_source", "describe_text"]

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
