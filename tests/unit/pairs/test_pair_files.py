"""Pairs are written without leaks, and the file is checked anew."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import read_table, write_table
from ncsbench.cli.main import app
from ncsbench.errors import DataError
from ncsbench.pairs.leak_checks.leaks import LeakFinder
from ncsbench.pairs.training_pairs.pair_files import (
    LEAK_COLUMNS,
    PAIR_STEPS,
    Candidate,
    Funnel,
    PairFiles,
    check_pairs,
)
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.unit.pairs.test_leaks import ANSWER, evaluation_questions


def pair(key: str, query: str = "a title", code: str = "f(x);", url: str = "") -> dict[str, str]:
    empty = dict.fromkeys(PAIR_SCHEMA.names, "")
    return {**empty, "key": key, "query": query, "code": code, "code_url": url}


def pair_files(folder: Path) -> PairFiles:
    """Files of a set of pairs; the evaluation questions have the answer ``ANSWER``."""
    questions = folder / "questions.parquet"
    write_table(questions, evaluation_questions(ANSWER), QUESTION_SCHEMA)
    return PairFiles(questions, *(folder / name for name in ("output", "funnel", "leaks")))


def write(path: Path, *candidates: Candidate, keep: bool = False) -> tuple[list[str], Funnel]:
    funnel = Funnel(PAIR_STEPS)
    files = replace(pair_files(path.parent), output=path)
    files.write(candidates, funnel, "kept" if keep else "dropped")
    leaks = read_rows(files.leaks, LEAK_COLUMNS)
    return [f"{leak['kind']} {leak['key']}" for leak in leaks], funnel


def test_leaks_of_each_kind_are_left_out_and_counted(tmp_path: Path) -> None:
    leaks, funnel = write(
        tmp_path / "pairs.parquet",
        Candidate(pair("s:1", query="first"), (101,)),
        Candidate(pair("s:2", query="Go to the home screen 1"), (5,)),
        Candidate(pair("s:3", code=ANSWER)),
        Candidate(pair("s:4")),
    )
    assert leaks == ["id s:1", "title s:2", "snippet s:3"]
    assert [(row["kept"], row["removed"]) for row in funnel.rows()[:3]] == [
        ("3", "1"), ("2", "1"), ("1", "1"),
    ]  # fmt: skip
    assert read_table(tmp_path / "pairs.parquet", PAIR_SCHEMA)["key"].to_pylist() == ["s:4"]


@pytest.mark.parametrize(("keep", "keys"), [(False, ["s:1", "s:3"]), (True, ["s:1", "s:2", "s:3"])])
def test_repeated_pairs_are_kept_or_dropped(tmp_path: Path, keep: bool, keys: list[str]) -> None:
    pairs = [pair("s:1"), pair("s:2"), pair("s:3", query="another title")]
    write(tmp_path / "pairs.parquet", *map(Candidate, pairs), keep=keep)
    assert read_table(tmp_path / "pairs.parquet", PAIR_SCHEMA)["key"].to_pylist() == keys


@pytest.mark.parametrize(
    "leaking",
    [
        pair("stackoverflow:201:1"),
        pair("StackOverflow.com:201:1"),
        pair("s:1", url="https://stackoverflow.com/a/201"),
        pair("s:1", url="https://stackoverflow.com/questions/101/title"),
    ],
)
def test_a_leak_that_stayed_in_the_file_is_a_hard_failure(
    tmp_path: Path, leaking: dict[str, str]
) -> None:
    path = tmp_path / "pairs.parquet"
    with pytest.raises(DataError, match=r"leaks evaluation question 101 \(query id 1\)"):
        write(path, Candidate(leaking))
    assert [left.name for left in tmp_path.iterdir()] == ["questions.parquet"]


def test_a_key_that_occurs_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'s:1' occurs twice"):
        write(tmp_path / "pairs.parquet", Candidate(pair("s:1")), Candidate(pair("s:1", "b")))


def check(tmp_path: Path, *rows: dict[str, str]) -> tuple[int, str]:
    questions, pairs = tmp_path / "questions.parquet", tmp_path / "pairs.parquet"
    write_table(questions, evaluation_questions(ANSWER), QUESTION_SCHEMA)
    write_table(pairs, pa.Table.from_pylist(list(rows), PAIR_SCHEMA), PAIR_SCHEMA)
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("No.,StackOverflow ID,M FRank\r\n1,999,NF\r\n")
    arguments = ["check", str(pairs), "--questions", str(questions), "--score-sheet", str(sheet)]
    result = CliRunner().invoke(app, ["pairs", *arguments])
    return result.exit_code, result.stdout


def test_the_command_names_every_leak_of_a_file_from_elsewhere(tmp_path: Path) -> None:
    code, out = check(
        tmp_path,
        pair("s:1", code=ANSWER),
        pair("s:2"),
        pair("s:3", url="https://stackoverflow.com/q/999"),
    )
    assert code == 1
    first, second = out.splitlines()
    assert "pair s:1 leaks evaluation question 101 (query id 1): its code is nearly" in first
    assert "pair s:3 leaks evaluation question 999: it is one of its posts" in second


def test_the_command_is_silent_about_pairs_without_leaks(tmp_path: Path) -> None:
    assert check(tmp_path, pair("s:1"), pair("elsewhere:101:1")) == (0, "")


def test_a_file_of_other_columns_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "pairs.parquet"
    write_table(path, evaluation_questions(ANSWER), QUESTION_SCHEMA)
    with pytest.raises(DataError, match="does not have the expected columns"):
        list(check_pairs(path, LeakFinder(evaluation_questions(ANSWER))))
