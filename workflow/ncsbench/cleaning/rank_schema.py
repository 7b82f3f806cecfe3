"""The Arrow schema of the ranks of a cell."""

from __future__ import annotations

import pyarrow as pa

RANK_SCHEMA = pa.schema(
    [
        pa.field("benchmark", pa.string(), nullable=False),
        pa.field("query", pa.int32(), nullable=False),
        pa.field("group", pa.string(), nullable=False),
        pa.field("positives", pa.int32(), nullable=False),
        pa.field("candidates", pa.int32(), nullable=False),
        pa.field("first_rank", pa.int32(), nullable=False),
    ]
)
"""One row a query with right code at hand. ``group``: the first query of the same group, as a text:
those of posts stay out of results. ``first_rank``: of the best right one, from 1 (DEV-195);
``candidates``: the right ones and the distractors."""
