"""Parts of threads, of which training pairs may hold some (docs/pairs.md)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import get_args

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.base.files.storage import read_table
from ncsbench.base.runs.rankings import Query
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.pairs.training_pairs.pair_options import ThreadPart
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import read_queries

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
"""The part of a thread. ``query_id`` is the id in ``threads.parquet``; ``group`` is the least post
id of the questions that are near duplicates of each other, which all have the same part."""


def read_threads(folder: Path, parts: Collection[ThreadPart]) -> pa.Table:
    """Read the threads of some parts, a table of ``QUESTION_SCHEMA``.

    Args:
        folder: folder that the stage ``choose_threads`` wrote.
        parts: names of the parts.
    """
    of_threads = read_table(folder / THREAD_PARTS, THREAD_PART_SCHEMA, ["query_id", "part"])
    chosen = of_threads.filter(pc.is_in(of_threads["part"], pa.array(sorted(parts))))
    threads = read_table(folder / THREADS, QUESTION_SCHEMA)
    ids = chosen["query_id"].combine_chunks()
    return threads.filter(pc.is_in(threads["query_id"], ids))


def read_part_queries(questions: Path, thread_parts: Path | None, part: str | None) -> list[Query]:
    """Read the threads of a part as queries, by ascending id.

    Args:
        questions: ``threads.parquet``; any table of ``QUESTION_SCHEMA`` where no part is named.
        thread_parts: the part of each thread, ``THREAD_PART_SCHEMA``.
        part: the part, which may be empty; None for all questions, in row order.

    Raises:
        ConfigurationError: where only one of ``thread_parts`` and ``part`` is given, and for a part
            that threads do not have.
    """
    if thread_parts is None or part is None:
        if thread_parts is None and part is None:
            return read_queries(questions)
        raise ConfigurationError("--thread-parts and --part go together; give both")
    if part not in PARTS:
        raise ConfigurationError(f"--part {part}: is no part of threads; {nearest(part, [*PARTS])}")
    table = read_table(thread_parts, THREAD_PART_SCHEMA, ["query_id", "part"])
    parts = dict(zip(table["query_id"].to_pylist(), table["part"].to_pylist(), strict=True))
    queries = [query for query in read_queries(questions) if parts.get(query.query_id) == part]
    return sorted(queries, key=lambda query: query.query_id)
