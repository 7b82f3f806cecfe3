"""Threads of a part as queries."""

from __future__ import annotations

from pathlib import Path

from ncsbench.artifacts.storage import read_table
from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import ConfigurationError
from ncsbench.pairs.thread_parts import PARTS, THREAD_PART_SCHEMA
from ncsbench.questions.questions_file import read_queries
from ncsbench.runs.rankings import Query


def read_part_queries(questions: Path, thread_parts: Path | None, part: str | None) -> list[Query]:
    """The threads of a part, by ascending id.

    Args:
        questions: ``threads.parquet``; any table of ``QUESTION_SCHEMA`` where no part is named.
        thread_parts: the part of each thread, ``THREAD_PART_SCHEMA``.
        part: the part, which may be empty; None for all questions, in row order.

    Raises:
        ConfigurationError: where only one of both is given, and for a part that threads do not
            have.
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
