"""The table of ranks that every run reached on every question."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.storage import read_table
from ncsbench.evaluation.measures.per_question import (
    PER_QUESTION_SCHEMA,
    read_measures,
    write_per_question,
)
from ncsbench.evaluation.measures.results import Judge

QUESTIONS = pa.table(
    {"query_id": pa.array([1, 2, 4], pa.int32()), "stackoverflow_id": ["7", "8", "7"]}
)
RANKS = {
    "ncs": np.array([0, 3, 51], dtype=np.int32),
    "ncs-seed2020": np.array([10, 1, 6], dtype=np.int32),
    "bm25": np.array([1, 1, 0], dtype=np.int32),
}
ARGUMENTS = {
    "questions": QUESTIONS,
    "first_ranks": dict.fromkeys((Judge("jaccard", 0.25), Judge("dice", 0.3)), RANKS),
    "replicate_of": {"ncs-seed2020": "ncs"},
    "published_ranks": {"ncs": np.array([0, -1, 12], dtype=np.int32)},
}


def test_rows_go_by_judge_run_and_question(tmp_path: Path) -> None:
    write_per_question(tmp_path / "q.parquet", **ARGUMENTS)
    rows = read_table(tmp_path / "q.parquet", PER_QUESTION_SCHEMA).to_pylist()
    assert [(row["judge"], row["model"], row["replicate"], row["query_id"]) for row in rows] == [
        (similarity, model, replicate, row)
        for similarity in ("jaccard", "dice")
        for model, replicate in (("ncs", None), ("ncs", "ncs-seed2020"), ("bm25", None))
        for row in (1, 2, 4)
    ]
    assert [row["first_rank"] for row in rows[:9]] == [0, 3, 51, 10, 1, 6, 1, 1, 0]
    assert [row["reciprocal_rank"] for row in rows[:6]] == [0, 1 / 3, 0, 0.1, 1, 1 / 6]
    assert [row["answered_5"] for row in rows[:6]] == [False, True, False, False, True, False]
    assert [row["answered_10"] for row in rows[3:6]] == [True, True, True]
    assert rows[-1]["threshold"] == 0.3


def test_published_ranks_are_null_where_there_are_none(tmp_path: Path) -> None:
    write_per_question(tmp_path / "q.parquet", **ARGUMENTS)
    column = read_table(tmp_path / "q.parquet", PER_QUESTION_SCHEMA)["published_rank"].to_pylist()
    assert column[:9] == [0, None, 12, 0, None, 12, None, None, None]


def test_measures_are_read_as_they_were_written(tmp_path: Path) -> None:
    values = {"nDCG@10": np.array([0, 0.5, 1]), "AP": np.array([0.1, 0.2, 0.3])}
    measured = dict.fromkeys(ARGUMENTS["first_ranks"], dict.fromkeys(RANKS, values))
    write_per_question(tmp_path / "q.parquet", **ARGUMENTS, measured=measured)
    found = read_measures(tmp_path / "q.parquet", ["ncs"])
    assert list(found) == list(measured) and list(found[Judge("dice", 0.3)]) == ["ncs"]
    of_model = found[Judge("dice", 0.3)]["ncs"]
    assert {name: of.tolist() for name, of in of_model.items()} == {
        name: of.tolist() for name, of in values.items()
    }
    write_per_question(tmp_path / "former.parquet", **ARGUMENTS)
    assert read_measures(tmp_path / "former.parquet", ["ncs"])[Judge("dice", 0.3)] == {"ncs": {}}


def test_numbers_of_questions_must_agree(tmp_path: Path) -> None:
    short = {Judge("dice", 0.3): {"bm25": np.zeros(2, dtype=np.int32)}}
    with pytest.raises(ValueError, match="bm25: 2 first ranks"):
        write_per_question(tmp_path / "q.parquet", **{**ARGUMENTS, "first_ranks": short})
    assert list(tmp_path.iterdir()) == []
