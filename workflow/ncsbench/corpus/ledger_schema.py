"""The Arrow schema of the ledger of a corpus: what was taken from the sources and what was not."""

from __future__ import annotations

import re

import pyarrow as pa

from ncsbench.corpus.file_texts import FILE_TEXT_FIELDS

LEFT_OUT = ("nested", "field_initialisers")
"""The options of ``MethodOptions`` by which methods are left out."""
COUNTS = ("methods", *LEFT_OUT)
"""Numbers of methods: taken, and left out by an option."""
SYNTAX_ERRORS = "syntax errors"
"""In the reason of a file of which methods may be lost."""
CR_LINES = "CR line ends counted as one line"
"""In the reason of a Java file without an LF: all its methods are in line 1 (DEV-03)."""
DEEP_TYPES = "deep types read as blanks"
"""In the reason of a file that ``languages.java`` changed before it was parsed (DEV-183)."""

LEDGER_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("path", pa.string()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        *(pa.field(name, pa.int32(), nullable=False) for name in COUNTS),
        *FILE_TEXT_FIELDS,
    ]
)
"""One line per repository (``path`` null) and per Java file: ``taken`` or ``skipped`` and why, with
its ``COUNTS``; a file that was taken has its ``FILE_TEXT_FIELDS``, too."""


_SURE = re.compile(r"read as (?!Latin-1)(?!.*bad byte)(?!.*by guess)")


def find_doubts(reason: str | None) -> list[str]:
    """The remarks on a file that was taken and may be read wrongly, such as ``syntax errors``."""
    return [remark for remark in (reason or "").split(", ") if remark and not _SURE.match(remark)]


def generalise(reason: str) -> str:
    """A reason without the sizes in parentheses, which would make every file one of its own."""
    return reason.split(" (", maxsplit=1)[0]
