"""``examples.csv``: the methods of the corpus that resemble each answer most.

They are what the released questions file calls ``examples`` (NCSED paper, section 4): three methods
a question, found by similarity with its answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.csv_tables import name_cells, write_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.questions.question_schema import QUESTION_SCHEMA

METHOD_COLUMNS = ["id", "filepath", "method_name", "start_line", "end_line", "url"]
COLUMNS = ["query_id", "stackoverflow_id", "judge", "rank", "similarity", *METHOD_COLUMNS]
"""Columns of ``examples.csv``, in order."""


def write_examples(
    path: Path, *, matches: Path, questions: Path, methods: Iterable[pa.Table]
) -> None:
    """Write the best matches of every question, by (similarity, row, rank) as they are stored.

    Args:
        path: file to write.
        matches: table of ``MATCH_SCHEMA``.
        questions: table of ``QUESTION_SCHEMA``.
        methods: all methods of the corpus as a stream of tables with ``METHOD_COLUMNS``.
    """
    found = read_table(matches, MATCH_SCHEMA)
    table = read_table(questions, QUESTION_SCHEMA, ["query_id", "stackoverflow_id"])
    names = dict(
        zip(table["query_id"].to_pylist(), table["stackoverflow_id"].to_pylist(), strict=True)
    )
    wanted = pc.unique(found["id"])
    places = {
        place["id"]: place
        for part in methods
        for place in part.filter(pc.is_in(part["id"], wanted)).to_pylist()
    }
    records = (
        (
            *(one["query_id"], names[one["query_id"]], one["judge"], one["rank"]),
            f"{one['similarity']:.6f}",
            *(places[one["id"]][name] for name in METHOD_COLUMNS),
        )
        for one in found.to_pylist()
    )
    write_rows(path, COLUMNS, name_cells(COLUMNS, records))
