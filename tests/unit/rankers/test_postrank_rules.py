"""How often the rules of post-ranking held, read from the scores of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.runs.rankings import Run
from ncsbench.base.runs.trec_files import read_run, write_run
from ncsbench.errors import DataError
from ncsbench.rankers.vectors.ncs_postrank import (
    RULE_COLUMNS,
    count_rules,
    read_rules,
    score_rules,
    write_rule_counts,
)
from tests.ranked_runs import make_run

LINES, TOKENS, ALL_UNSPLIT = 1, 2, 32


def run_of(*scores: list[float]) -> Run:
    """A question for each list."""
    lengths = [len(each) for each in scores]
    return make_run(
        query_ids=np.repeat(np.arange(1, len(scores) + 1), lengths),
        ids=np.arange(sum(lengths)),
        scores=np.array([score for each in scores for score in each]),
        depth=500,
    )


@given(st.lists(st.tuples(st.integers(0, 63), st.floats(-1, 1)), min_size=1))
def test_the_rules_are_read_from_the_scores(methods: list[tuple[int, float]]) -> None:
    held = np.array([[(bits >> bit) & 1 == 1 for bit in range(6)] for bits, _ in methods])
    scores = score_rules(list(held.T), np.array([cosine for _, cosine in methods]))
    assert scores.tolist() == [4 * bits + cosine for bits, cosine in methods]
    assert np.array_equal(read_rules(scores), held)


def test_the_rules_survive_a_run_file_with_copies(tmp_path: Path) -> None:
    run = run_of([4 * 63 - 1.0] * 400 + [4 * 62 + 1.0] * 100)
    write_run(tmp_path / "a.trec", run, tag="a")
    read = read_rules(read_run(tmp_path / "a.trec").scores)
    assert np.array_equal(read, read_rules(run.scores))


def test_how_often_each_rule_held_dev_84(tmp_path: Path) -> None:
    first = [4 * (LINES + TOKENS + ALL_UNSPLIT) + 0.5, 4 * LINES + 0.9, -0.5]
    second = [4 * (LINES + TOKENS) + 0.1, 4 * (LINES + TOKENS) - 0.1]
    write_run(tmp_path / "mine.trec", run_of(first, second), tag="x")
    write_rule_counts("tiny", [tmp_path / "mine.trec"], tmp_path / "out.csv")
    rows = read_rows(tmp_path / "out.csv", RULE_COLUMNS)
    assert [list(row.values()) for row in rows if row["questions_any"] != "0"] == [
        ["tiny", "mine", "1", "2", "2", "2", "1", "5", "4"],
        ["tiny", "mine", "2", "2", "2", "2", "1", "5", "3"],
        ["tiny", "mine", "6", "2", "1", "1", "0", "5", "1"],
    ]
    assert [row["rule"] for row in rows] == ["1", "2", "3", "4", "5", "6"]


def test_a_run_without_results_has_counts_of_nought() -> None:
    assert {row["results_held"] + row["questions"] for row in count_rules(run_of())} == {"00"}


@pytest.mark.parametrize("score", [4 * 64.0, -2.5, 5.5])
def test_a_run_of_another_kind_ends_in_one_line(tmp_path: Path, score: float) -> None:
    write_run(tmp_path / "bm25.trec", run_of([score]), tag="bm25")
    with pytest.raises(DataError, match=r"bm25\.trec: the score .* not one of post-ranking; leave"):
        write_rule_counts("tiny", [tmp_path / "bm25.trec"], tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
