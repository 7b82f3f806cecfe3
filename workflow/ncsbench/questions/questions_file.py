"""Reading evaluation questions as a table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.artifacts.storage import read_table
from ncsbench.questions.question_entries import read_entries
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.runs.rankings import Query


def read_questions(paths: Sequence[Path], ids: Collection[str] = ()) -> pa.Table:
    """Questions of all files in order, or those with one of ``ids``, as ``QUESTION_SCHEMA``.

    ``DataError`` names file and entry, as ``read_entries`` does.
    """
    return pa.Table.from_pylist(read_entries(list(paths), ids), QUESTION_SCHEMA)


def read_queries(path: Path) -> list[Query]:
    """The queries of a questions table, in row order."""
    table = read_table(path, QUESTION_SCHEMA, ["query_id", "question"])
    return [Query(row["query_id"], row["question"]) for row in table.to_pylist()]
