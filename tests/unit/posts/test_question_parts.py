"""Parts of the questions by their ids; a question keeps the id of its row in the file."""

import csv
import json
from pathlib import Path

import pytest

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.posts.questions.question_entries import read_ids
from ncsbench.posts.questions.questions_file import choose_part, read_questions
from ncsbench.posts.questions.selection_options import QuestionPart


def write_questions(path: Path, ids: list[str]) -> Path:
    """A question for each id; the second of one id has another text."""
    entries = [
        {"stackoverflow_id": one, "question": f"{one}, {ids[:n].count(one)}", "answer": "f();"}
        for n, one in enumerate(ids)
    ]
    path.write_text(json.dumps(entries))
    return path


def test_all_questions_of_an_id_are_in_a_part_and_keep_their_rows(tmp_path: Path) -> None:
    """Two questions of the published file have one id."""
    whole = read_questions([write_questions(tmp_path / "q.json", ["1", "2", "3", "1"])])
    part = choose_part(whole, QuestionPart(name="some", ids=("3", "1")))
    assert part.schema == whole.schema
    columns = ["query_id", "question", "occurrence"]
    assert [tuple(row.values()) for row in part.select(columns).to_pylist()] == [
        (1, "1, 0", 1),
        (3, "3, 0", 1),
        (4, "1, 1", 2),
    ]


def test_an_id_that_no_question_has_is_one_line(tmp_path: Path) -> None:
    whole = read_questions([write_questions(tmp_path / "q.json", ["1"])])
    message = r"^part some: there is no question 7 \(and 1 more ids\) among the 1 of the dataset; "
    with pytest.raises(DataError, match=message):
        choose_part(whole, QuestionPart(name="some", ids=("1", "7", "8")))


def test_ids_are_read_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_bytes(b"\xef\xbb\xbf12\r\n\n 7 \n")
    assert read_ids(path) == ("12", "7")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "has no ids"),
        (b"1\n2\n1\n", "line 3: 1 is there twice; keep one"),
        (b"1, 2\n", "line 1: '1, 2' is no id"),
        (b"\xff", "is not UTF-8 text"),
        (None, "cannot be read"),
    ],
)
def test_a_file_without_ids_is_one_line(tmp_path: Path, text: bytes | None, message: str) -> None:
    if text is not None:
        (tmp_path / "ids.txt").write_bytes(text)
    with pytest.raises(ConfigurationError, match=message):
        read_ids(tmp_path / "ids.txt")


@pytest.mark.shared
def test_the_committed_parts_make_up_the_published_file(root: Path, shared: Path) -> None:
    parts = {
        name: read_ids(root / f"config/datasets/ncsed_{name}.txt")
        for name in ("kept_back", "development")
    }
    whole = read_questions([shared / "data/ncsed/heldout/questions.json"])
    chosen = {
        name: choose_part(whole, QuestionPart(name=name, ids=ids)) for name, ids in parts.items()
    }
    assert {name: len(table) for name, table in chosen.items()} == {
        "kept_back": 102,
        "development": 185,
    }
    rows = [row for table in chosen.values() for row in table["query_id"].to_pylist()]
    assert sorted(rows) == list(range(1, 288))
    # Until version 0.8.1 question n was the n-th of the development questions.
    with (root / "config/datasets/ncsed_former_ids.csv").open(newline="") as file:
        former = [tuple(row.values()) for row in csv.DictReader(file)]
    development = chosen["development"]
    assert former == [
        (str(number), str(row), id_)
        for number, (row, id_) in enumerate(
            zip(
                development["query_id"].to_pylist(),
                development["stackoverflow_id"].to_pylist(),
                strict=True,
            ),
            1,
        )
    ]
