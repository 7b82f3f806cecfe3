"""Parts of threads: which threads training pairs may hold (docs/threads.md)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import get_args

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import read_table
from ncsbench.pairs.set_names import ThreadPart
from ncsbench.questions.question_schema import QUESTION_SCHEMA

PARTS: tuple[ThreadPart, ...] = get_args(ThreadPart)
THREADS = "threads.parquet"
THREAD_PARTS = "thread_parts.parquet"

THREAD_PART_SCHEMA = pa.schema(
    [
        pa.field("query_id", pa.int32(), nullable=False),
        pa.field("part", pa.string(), nullable=False),
        pa.field("group", pa.int64(), nullable=False),
    ]
)
"""The part of a thread. ``query_id`` is that of ``threads.parquet``; ``group`` is the least post id
of the questions that are near duplicates of each other, which all have one part."""


def read_threads(folder: Path, parts: Collection[ThreadPart]) -> pa.Table:
    """The threads of some parts, a table of ``QUESTION_SCHEMA``.

    Args:
        folder: what stage ``choose_threads`` wrote.
        parts: names of the parts.
    """
    of_threads = read_table(folder / THREAD_PARTS, THREAD_PART_SCHEMA, ["query_id", "part"])
    chosen = of_threads.filter(pc.is_in(of_threads["part"], pa.array(sorted(parts))))
    threads = read_table(folder / THREADS, QUESTION_SCHEMA)
    ids = chosen["query_id"].combine_chunks()
    return threads.filter(pc.is_in(threads["query_id"], ids))
