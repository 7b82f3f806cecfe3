"""The Arrow schema of the inventory of a dataset: what its sources hold, before it is read."""

from __future__ import annotations

import pyarrow as pa

LINE, REPOSITORY, JAVA, LICENCE = "line", "repository", "java", "licence"
"""Kinds of rows: a line of the list that names no repository; a repository; one of its files.

Files of code have the name of their language.
"""
NO_JAVA = "no Java file"
"""The reason of a repository that was read and has nothing to extract."""

INVENTORY_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("listed", pa.string()),
        pa.field("commit", pa.string()),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("path", pa.string()),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
    ]
)
"""Lines of the list that name no repository (their text as ``repository``), then each repository in
corpus order, followed by its code files and its licence files, by path.

``listed`` is the commit, branch or ``HEAD`` of the list, ``commit`` what it stands for. ``bytes``
of a repository are those of its code files. ``status`` is ``taken`` or ``skipped``, with the
``reason``; the reason of what is taken is a remark."""
