"""``examples.csv``: the methods of the corpus that resemble each answer most.

They are what the released questions file calls ``examples`` (NCSED paper, section 4): three methods
a question, found by similarity with its answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.records import MATCH_SCHEMA, QUESTION_SCHEMA
from ncsbench.storage import read_table
from ncsbench.tables.csv_rows import write_rows

METHOD_COLUMNS = ["id", "filepath", "method_name", "start_line", "end_line", "url"]
COLUMNS = ["row", "stackoverflow_id", "measure", "rank", "similarity", *METHOD_COLUMNS]
"""Columns of ``examples.csv``, in order."""


def write_examples(
    path: Path, *, matches: Path, questions: Path, methods: Iterable[pa.Table]
) -> None:
    """Write the best matches of every question, by (measure, row, rank) as they are stored.

    Args:
        path: file to write.
        matches: table of ``records.MATCH_SCHEMA``.
        questions: table of ``records.QUESTION_SCHEMA``.
        methods: all methods of the corpus as a stream of tables with ``METHOD_COLUMNS``.
    """
    found = read_table(matches, MATCH_SCHEMA)
    table = read_table(questions, QUESTION_SCHEMA, ["row", "stackoverflow_id"])
    names = dict(zip(table["row"].to_pylist(), table["stackoverflow_id"].to_pylist(), strict=True))
    wanted = pc.unique(found["id"])
    places = {
        place["id"]: place
        for part in methods
        for place in part.filter(pc.is_in(part["id"], wanted)).to_pylist()
    }
    write_rows(
        path,
        COLUMNS,
        (
            {
                "row": str(match["row"]),
                "stackoverflow_id": names[match["row"]],
                "measure": match["measure"],
                "rank": str(match["rank"]),
                "similarity": f"{match['similarity']:.6f}",
                **{
                    name: "" if value is None else str(value)
                    for name, value in places[match["id"]].items()
                },
            }
            for match in found.to_pylist()
        ),
    )
