"""How answers were read, and what is said where they were not."""

from __future__ import annotations

import logging
from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.answers import write_answers
from ncsbench.evaluation.judge.judgement_schemas import ANSWER_COLUMNS
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.unit.evaluation.test_sensitivity import question


def ask(*answers: str) -> pa.Table:
    rows = [{**question(n), "answer": answer} for n, answer in enumerate(answers, 1)]
    return pa.Table.from_pylist(rows, QUESTION_SCHEMA)


def test_answers_that_cannot_be_read_are_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asked = ask("run(a);", "no code at all, only words.")
    with caplog.at_level(logging.WARNING):
        write_answers(asked, tmp_path / "answers.csv")
    rows = read_rows(tmp_path / "answers.csv", ANSWER_COLUMNS)
    assert [row["wrapping"] for row in rows] == ["statements", "none"]
    assert [record.message for record in caplog.records] == [
        "1 of 2 answers cannot be read as Java, so that no method can be right; the first is of "
        "question 2 (stackoverflow_id 2); answers.csv has them with the wrapping 'none' "
        "(docs/judge.md)"
    ]


def test_no_answer_that_can_be_read_is_an_error_of_one_line(tmp_path: Path) -> None:
    asked = ask("only words.", "and more of them, sadly.")
    with pytest.raises(DataError, match="none of the 2 answers can be read as Java") as caught:
        write_answers(asked, tmp_path / "answers.csv")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "answers.csv").exists()
