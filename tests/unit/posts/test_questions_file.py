import json
from pathlib import Path
from typing import Any

import pytest

from ncsbench.errors import DataError
from ncsbench.posts.questions.questions_file import read_questions
from tests.refusals import one_line

QUESTION = {"stackoverflow_id": "7", "question": "How?", "answer": "f();", "examples": [1, 2]}


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_rows_count_over_all_files_and_ids_may_repeat(tmp_path: Path) -> None:
    first = write(tmp_path / "a.json", [QUESTION, {**QUESTION, "stackoverflow_id": 8}])
    second = write(tmp_path / "b.json", [QUESTION])
    rows = read_questions([first, second]).to_pylist()
    assert [(row["query_id"], row["stackoverflow_id"], row["occurrence"]) for row in rows] == [
        (1, "7", 1),
        (2, "8", 1),
        (3, "7", 2),
    ]
    assert rows[0]["examples"] == [1, 2]
    assert rows[0]["answer_url"] == ""


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "must be a JSON list"),
        ([], "must be a JSON list of at least one"),
        ([QUESTION, {"stackoverflow_id": "1", "question": "x"}], "question 2: field 'answer' is"),
        ([{**QUESTION, "question": 3}], "question 1: field 'question' must be text"),
        ([{**QUESTION, "examples": ["1"]}], "field 'examples' must be a list of int values"),
        (["text"], "question 1: must be an object"),
        ([{**QUESTION, "stackoverflow_id": True}], "field 'stackoverflow_id' must be text"),
        ([{**QUESTION, "examples": [10**30]}], "'examples' has a number of more than 64 bits"),
    ],
)
def test_mistakes_name_file_and_question(tmp_path: Path, value: Any, message: str) -> None:
    with one_line(DataError, "q.json", match=message):
        read_questions([write(tmp_path / "q.json", value)])


@pytest.mark.parametrize("text", ["[" * 100_000, f"[{'1' * 5000}]"])
def test_hostile_json_ends_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "q.json"
    path.write_text(text)
    with one_line(DataError, match=r"q\.json: is not valid JSON"):
        read_questions([path])


def test_lone_surrogates_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    path.write_text('[{"stackoverflow_id": "1", "question": "a\\ud800", "answer": "f();"}]')
    assert read_questions([path])["question"].to_pylist() == ["a?"]
