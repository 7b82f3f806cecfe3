"""Arrow schemas of posts."""

from __future__ import annotations

import pyarrow as pa

_UTC = pa.timestamp("ms", tz="UTC")
_POST_FIELDS = [
    pa.field("score", pa.int32(), nullable=False),
    pa.field("creation_date", _UTC, nullable=False),
    pa.field("owner_user_id", pa.int64()),
    pa.field("owner_display_name", pa.string()),
    pa.field("licence", pa.string(), nullable=False),
    pa.field("body", pa.string(), nullable=False),
    pa.field("offset", pa.int64(), nullable=False),
]

POST_QUESTION_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("title", pa.string(), nullable=False),
        pa.field("tags", pa.list_(pa.string()), nullable=False),
        pa.field("view_count", pa.int64()),
        pa.field("accepted_answer_id", pa.int64()),
        *_POST_FIELDS,
    ]
)
"""A question of a dump. ``body`` is HTML; ``licence`` is stated or follows from the date
(``posts.licences``); ``offset`` is the row's position in the unpacked dump, in bytes."""

POST_ANSWER_SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("parent_id", pa.int64(), nullable=False),
        *_POST_FIELDS,
    ]
)
"""An answer of a dump to a question that was read; fields as in ``POST_QUESTION_SCHEMA``."""
