"""The Arrow schema of evaluation questions."""

from __future__ import annotations

import pyarrow as pa

QUESTION_SCHEMA = pa.schema(
    [
        pa.field("query_id", pa.int32(), nullable=False),
        pa.field("stackoverflow_id", pa.string(), nullable=False),
        pa.field("occurrence", pa.int32(), nullable=False),
        pa.field("question", pa.string(), nullable=False),
        pa.field("question_url", pa.string(), nullable=False),
        pa.field("question_author", pa.string(), nullable=False),
        pa.field("question_author_url", pa.string(), nullable=False),
        pa.field("answer", pa.string(), nullable=False),
        pa.field("answer_url", pa.string(), nullable=False),
        pa.field("answer_author", pa.string(), nullable=False),
        pa.field("answer_author_url", pa.string(), nullable=False),
        pa.field("examples", pa.list_(pa.int64()), nullable=False),
        pa.field("examples_url", pa.list_(pa.string()), nullable=False),
    ]
)
"""One evaluation question. ``query_id`` counts from 1 over the questions files in order, like the
published sheet's "No."; ``occurrence`` counts the uses of one ``stackoverflow_id`` from 1."""
