"""``answers.csv``: how each answer was read as Java, or that it was not."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ncsbench.aroma.features import features_of_bodies
from ncsbench.aroma.trees import TreeFolder
from ncsbench.artifacts.csv_tables import name_cells, write_rows
from ncsbench.errors import DataError
from ncsbench.judge.answers import answer_records
from ncsbench.judge.judgement_schemas import ANSWER_COLUMNS, UNREAD
from ncsbench.judge.unread_answers import warn_of_unread


def write_answers(questions: pa.Table, output: Path) -> None:
    """List the reading of every answer, with its number of features; none that is read is an error.

    A warning tells how many answers cannot be read, if any.

    Args:
        questions: ``query_id``, ``stackoverflow_id`` and ``answer`` of the questions.
        output: file to write.

    Raises:
        DataError: where no answer can be read, since every figure would be 0.
    """
    records_read = []
    for question in questions.to_pylist():
        folder = TreeFolder()
        read = answer_records(question["answer"], folder.symbols)
        wrapping, records = (UNREAD, []) if read is None else read
        forest, _ = folder.fold([record.codes for record in records])
        key = (question["query_id"], question["stackoverflow_id"])
        records_read.append((*key, wrapping, features_of_bodies(forest).size))
    rows = name_cells(ANSWER_COLUMNS, records_read)
    if rows and all(row["wrapping"] == UNREAD for row in rows):
        raise DataError(
            f"{output}: none of the {len(rows)} answers can be read as Java, so every figure "
            "would be 0; give answers with code in the questions file (docs/answers.md)"
        )
    warn_of_unread(rows)
    write_rows(output, ANSWER_COLUMNS, rows)
