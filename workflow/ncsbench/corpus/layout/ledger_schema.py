"""Schemas of the tables about a corpus: its ledger, its licences, and its duplicates.

These schemas are apart from those of methods, so that a new column repeats no training.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import of_corpus
from ncsbench.base.files.storage import iterate_tables
from ncsbench.corpus.layout.corpus_settings import DuplicateRule

LEFT_OUT = ("nested", "field_initialisers")
"""The options of ``MethodOptions`` by which methods are left out."""
COUNTS = ("methods", *LEFT_OUT)
"""Numbers of methods: taken, and left out by an option."""
SYNTAX_ERRORS = "syntax errors"
"""Part of the reason of a file of which methods may be lost."""
CR_LINES = "CR line ends counted as one line"
"""Part of the reason of a Java file without an LF: all its methods are in line 1 (DEV-03)."""
DEEP_TYPES = "deep types read as blanks"
"""Part of the reason of a file that ``code.java.java`` changed before parsing it (DEV-183)."""

FILE_TEXT_FIELDS = (
    pa.field("bytes_hash", pa.string()),
    pa.field("text_hash", pa.string()),
    pa.field("package", pa.string()),
)
"""Columns of the ledger; null where no file was read, ``package`` also in the unnamed one.

The hashes are 64 bits in hex: that any two of a million files share one by chance has a probability
of 3 * 10^-8.
"""

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
NONE_FOUND = "none found"
UNRECOGNISED = "unrecognised"
LICENCE_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("commit", pa.string()),
        pa.field("committed", pa.timestamp("ms", tz="UTC")),
        pa.field("path", pa.string()),
        pa.field("spdx", pa.string()),
        pa.field("reason", pa.string()),
    ]
)
"""One row for each licence file of a repository that was read, in corpus order and by path; one
without ``path`` for a repository that has none.

``spdx`` is the id of the licence, else ``reason`` says why it has no id. ``committed`` is the date
of the commit, where the source knows it; the committer's clock wrote it."""
RULES: tuple[DuplicateRule, ...] = get_args(DuplicateRule)
"""The rules by which methods are compared, in the order of the tables."""
FIRST_SCHEMA = of_corpus(
    pa.schema([pa.field(name, pa.int64(), nullable=False) for name in ("id", *RULES)])
)
"""For every method the id of the first of its duplicates, itself among them, by each rule."""
SIZE_BOUNDS = (2, 3, 6, 21, 101)
"""The least number of members of each class of clusters."""
SIZES = tuple(
    f"size_{low}" if high == low + 1 else f"size_{low}_{high - 1}" if high else f"size_{low}_up"
    for low, high in zip(SIZE_BOUNDS, (*SIZE_BOUNDS[1:], 0), strict=True)
)
DUPLICATE_COLUMNS = (
    *("dataset", "kind", "name", "repositories", "total", "clusters", "across", "copies", "share"),
    *("methods", "methods_share", "largest", *SIZES),
)
"""Columns of ``duplicates.csv`` (docs/corpus.md)."""


def find_doubts(reason: str | None) -> list[str]:
    """The remarks on a file that was taken and may be read wrongly, such as ``syntax errors``."""
    return [remark for remark in (reason or "").split(", ") if remark and not _SURE.match(remark)]


def generalise(reason: str) -> str:
    """A reason without the sizes in parentheses, so that files can share it."""
    return reason.split(" (", maxsplit=1)[0]


def name_licence(files: Iterable[Mapping[str, Any]]) -> str:
    """Name the licences that the files of one repository give, from its ``LICENCE_SCHEMA`` rows.

    SPDX ids in alphabetical order, ``unrecognised`` behind them where a file is no known licence:
    the files do not say whether all hold or one is to be chosen. ``none found`` without a file.
    """
    named = [file for file in files if file["path"] is not None]
    ids = sorted({file["spdx"] for file in named if file["spdx"]})
    others = [UNRECOGNISED] * any(not file["spdx"] for file in named)
    return ", ".join([*ids, *others]) or NONE_FOUND


def read_copies(firsts: Path) -> dict[DuplicateRule, NDArray[np.bool_]]:
    """Read which methods are duplicates of an earlier one, by each rule: bool, shape (methods,)."""
    tables = iterate_tables(firsts, FIRST_SCHEMA)
    table = pa.concat_tables([FIRST_SCHEMA.empty_table(), *tables])
    ids = table["id"].to_numpy()
    return {rule: table[rule].to_numpy() != ids for rule in RULES}
