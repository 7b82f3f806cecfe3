"""``examples.csv``: the methods of the corpus that resemble each answer most.

The released questions file calls these methods ``examples`` (NCSED paper, section 4): three methods
a question, found by similarity with its answer.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc

from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.base.files.storage import read_table
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

METHOD_COLUMNS = ["id", "filepath", "method_name", "start_line", "end_line", "url"]
EXAMPLE_COLUMNS = ["query_id", "stackoverflow_id", "judge", "rank", "similarity", *METHOD_COLUMNS]
"""Columns of ``examples.csv``, in order."""


def write_examples(matches: Path, questions: Path, corpus: CorpusFolder, output: Path) -> None:
    """List the methods that resemble each answer most, with their places.

    Args:
        matches: best matches of the corpus, by (similarity, row, rank) as they are stored.
        questions: questions as Parquet.
        corpus: folder of a built corpus.
        output: CSV file to write.
    """
    found = read_table(matches, MATCH_SCHEMA)
    table = read_table(questions, QUESTION_SCHEMA, ["query_id", "stackoverflow_id"])
    names = dict(
        zip(table["query_id"].to_pylist(), table["stackoverflow_id"].to_pylist(), strict=True)
    )
    wanted = pc.unique(found["id"])
    places = {
        place["id"]: place
        for part in corpus.iterate_methods(METHOD_COLUMNS)
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
    write_rows(output, EXAMPLE_COLUMNS, name_cells(EXAMPLE_COLUMNS, records))
