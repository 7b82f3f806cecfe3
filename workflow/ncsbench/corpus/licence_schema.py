"""The Arrow schema of the licences of a corpus, and what they say of a whole repository."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

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

``spdx`` is the id of the licence, else ``reason`` says why there is none. ``committed`` is the date
of the commit, where the source knows it; the committer's clock wrote it."""


def name_licence(files: Iterable[Mapping[str, Any]]) -> str:
    """What the licence files of one repository say, from its rows of ``LICENCE_SCHEMA``.

    SPDX ids in alphabetical order, ``unrecognised`` behind them where a file is no known licence:
    the files do not say whether all hold or one is to be chosen. ``none found`` without a file.
    """
    named = [file for file in files if file["path"] is not None]
    ids = sorted({file["spdx"] for file in named if file["spdx"]})
    others = [UNRECOGNISED] * any(not file["spdx"] for file in named)
    return ", ".join([*ids, *others]) or NONE_FOUND
