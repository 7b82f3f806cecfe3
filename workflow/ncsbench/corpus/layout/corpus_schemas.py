"""Schemas of a corpus: its methods, and the items of these."""

from __future__ import annotations

import pyarrow as pa

METHOD_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("repository", pa.string(), nullable=False),
        pa.field("commit", pa.string()),
        pa.field("path", pa.string(), nullable=False),
        pa.field("filepath", pa.string(), nullable=False),
        pa.field("method_name", pa.string(), nullable=False),
        pa.field("class_name", pa.string(), nullable=False),
        pa.field("start_line", pa.int32(), nullable=False),
        pa.field("end_line", pa.int32(), nullable=False),
        pa.field("url", pa.string()),
        pa.field("code", pa.string(), nullable=False),
        pa.field("comment", pa.string()),
        pa.field("lines", pa.int32(), nullable=False),
        pa.field("tokens", pa.int32(), nullable=False),
    ]
)
"""One method with a body. ``id`` is dense from 0 in the order (repository, path, position)."""

ITEM_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("kinds", pa.list_(pa.uint8()), nullable=False),
        pa.field("texts", pa.list_(pa.string()), nullable=False),
    ]
)
"""The items of a method in text order: ``kinds[i]`` is the ``ItemKind`` of ``texts[i]``."""

EXTRACTED_SCHEMA = pa.schema([*list(METHOD_SCHEMA)[1:], *list(ITEM_SCHEMA)[1:]])
"""Methods with their items, in the order of the ids that they will get."""

PLACE_SCHEMA = pa.schema(
    [METHOD_SCHEMA.field(name) for name in ("id", "repository", "path", "start_line", "end_line")]
)
"""Place of a method; for a method that was left out, ``id`` is that of the first of its duplicates,
which represents it."""
