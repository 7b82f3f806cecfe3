"""Evaluation questions as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.errors import DataError
from ncsbench.posts.questions.gold_entries import read_gold
from ncsbench.posts.questions.question_entries import read_entries
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.selection_options import QuestionPart, QuestionSettings


def write_questions(settings: QuestionSettings, output: Path) -> None:
    """Write the questions of a dataset as Parquet, checked.

    Args:
        settings: files of the questions.
        output: table of questions to write.
    """
    gold = [Path(path) for path in settings.gold]
    asked = read_questions([Path(path) for path in settings.questions], answered=not gold)
    if gold and all(".jsonl" in path for path in settings.questions):  # of BEIR: all its parts
        named = pa.array({entry.question for entry in read_gold(gold)}, pa.string())
        asked = asked.filter(pc.is_in(asked["stackoverflow_id"], named))
    write_table(output, asked, QUESTION_SCHEMA)


def write_part(settings: QuestionPart, questions: Path, output: Path) -> None:
    """Write the questions of a part of a dataset's questions; each question keeps its id.

    Args:
        settings: name of the part and ids of its questions.
        questions: questions of the dataset as Parquet.
        output: table of questions to write.
    """
    chosen = choose_part(read_table(questions, QUESTION_SCHEMA), settings)
    write_table(output, chosen, QUESTION_SCHEMA)


def read_questions(paths: Sequence[Path], *, answered: bool = True) -> pa.Table:
    """Read the questions of all files in order, as a table of ``QUESTION_SCHEMA``.

    A ``DataError`` names file and entry, as that of ``read_entries`` does; ``answered`` is its
    argument.
    """
    return pa.Table.from_pylist(read_entries(list(paths), answered=answered), QUESTION_SCHEMA)


def choose_part(questions: pa.Table, part: QuestionPart) -> pa.Table:
    """Return the questions of a part, which keep their ids and their order.

    Args:
        questions: table of ``QUESTION_SCHEMA``.
        part: name of the part, and the ``stackoverflow_id`` of its questions. All questions with
            such an id count: the published file has two questions with the same id.

    Raises:
        DataError: where there is no question with one of the ids.
    """
    known = set(questions["stackoverflow_id"].to_pylist())
    absent = [one for one in part.ids if one not in known]
    if absent:
        more = f" (and {len(absent) - 1} more ids)" if len(absent) > 1 else ""
        raise DataError(
            f"part {part.name}: there is no question {absent[0]}{more} among the "
            f"{len(questions)} of the dataset; remove the id, or name the file that has it as "
            "questions"
        )
    return questions.filter(pc.is_in(questions["stackoverflow_id"], pa.array(part.ids)))


def read_queries(path: Path) -> list[Query]:
    """Read the queries of a table of questions, in row order."""
    table = read_table(path, QUESTION_SCHEMA, ["query_id", "question"])
    return [Query(row["query_id"], row["question"]) for row in table.to_pylist()]
