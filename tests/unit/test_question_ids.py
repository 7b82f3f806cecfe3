"""Questions that count by their ids: the same from the whole file and from a part of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.questions.question_entries import read_entries
from ncsbench.questions.question_ids import read_ids
from ncsbench.questions.questions_file import read_questions


def write_questions(path: Path, ids: list[str]) -> Path:
    """A question for each id; the second of one id has another text."""
    entries = [
        {"stackoverflow_id": one, "question": f"{one}, {ids[:n].count(one)}", "answer": "f();"}
        for n, one in enumerate(ids)
    ]
    path.write_text(json.dumps(entries))
    return path


def test_a_part_of_a_file_and_its_ids_in_the_whole_file_are_the_same_questions(
    tmp_path: Path,
) -> None:
    whole = write_questions(tmp_path / "whole.json", ["4", "3", "2", "1"])
    part = write_questions(tmp_path / "part.json", ["4", "2"])
    ids = ("2", "4")  # the order of the file counts
    chosen = read_questions([whole], ids)
    assert chosen.equals(read_questions([part], ids))
    assert chosen.equals(read_questions([part]))
    assert chosen["query_id"].to_pylist() == [1, 2]
    assert chosen["stackoverflow_id"].to_pylist() == ["4", "2"]


def test_all_questions_of_an_id_count(tmp_path: Path) -> None:
    """Two questions of the published file have one id."""
    path = write_questions(tmp_path / "q.json", ["1", "2", "1"])
    found = read_entries([path], ("1",))
    assert [(row["query_id"], row["question"], row["occurrence"]) for row in found] == [
        (1, "1, 0", 1),
        (2, "1, 1", 2),
    ]


def test_an_id_that_no_file_has_is_one_line(tmp_path: Path) -> None:
    path = write_questions(tmp_path / "q.json", ["1"])
    message = r"q.json: has no question 7 of question_ids \(and 1 more ids\); name the file"
    with pytest.raises(DataError, match=message):
        read_entries([path], ("1", "7", "8"))


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


def test_the_committed_ids_are_those_of_the_development_questions(root: Path, shared: Path) -> None:
    ids = read_ids(root / "config/datasets/ncsed_questions.txt")
    assert len(ids) == 185
    path = shared / "data/ncsed/questions-dev.json"
    assert read_questions([path], ids).equals(read_questions([path]))
