import numpy as np
import pytest

from ncsbench.base.runs.rankings import Run
from ncsbench.evaluation.measures.metrics import (
    METRICS,
    answered_at,
    mean_reciprocal_rank,
    measure_ranks,
    median_lines,
    question_shares,
)

RANKS = np.array([1, 0, 5, 10, 11, 50, 51, 2], dtype=np.int32)


def test_answered_counts_questions() -> None:
    assert [answered_at(RANKS, k) for k in (1, 5, 10, 50)] == [1, 3, 4, 6]


def test_mrr_counts_to_the_depth_and_divides_by_all_questions() -> None:
    to_fifty = (1 + 1 / 5 + 1 / 10 + 1 / 11 + 1 / 50 + 1 / 2) / 8
    assert mean_reciprocal_rank(RANKS) == pytest.approx(to_fifty, abs=1e-15)
    assert mean_reciprocal_rank(RANKS, 10) == pytest.approx((1 + 0.2 + 0.1 + 0.5) / 8, abs=1e-15)


def test_no_questions_and_no_answers() -> None:
    nothing = np.zeros(0, dtype=np.int32)
    assert mean_reciprocal_rank(nothing) == 0.0
    assert answered_at(nothing, 10) == 0
    assert mean_reciprocal_rank(np.zeros(3, dtype=np.int32)) == 0.0
    assert all(len(question_shares(nothing, metric)) == 0 for metric in METRICS)


@pytest.mark.parametrize("depth", [10, 50])
def test_shares_add_up_to_the_metric(depth: int) -> None:
    for metric in METRICS:
        total = question_shares(RANKS, metric, depth).sum()
        assert total == pytest.approx(measure_ranks(RANKS, metric, depth), abs=1e-15)


def test_median_lines_of_the_top() -> None:
    rows = np.array([1, 1, 1, 2], dtype=np.int32)
    run = Run(query_ids=rows, ids=np.array([0, 1, 2, 3], dtype=np.int64), scores=np.zeros(4))
    lines = np.array([3, 8, 100, 50], dtype=np.int32)
    assert median_lines(run, lines, np.array([1, 2], dtype=np.int32), top=2) == 8.0
    assert median_lines(run, lines, np.array([1], dtype=np.int32), top=2) == 5.5
    assert median_lines(run, lines, np.array([3], dtype=np.int32)) is None
