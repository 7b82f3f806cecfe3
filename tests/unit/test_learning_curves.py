"""Learning curves: points by number of pairs, and their intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.intervals import draw_resamples, interval_of_sum
from ncsbench.learning_curves.curves import (
    LEARNING_CURVE_COLUMNS,
    LearningPoint,
    build_learning_curves,
)

QUESTIONS = 40
DRAWS = draw_resamples(QUESTIONS, np.random.default_rng(1), resamples=300)


def answer(count: int, rank: int = 4) -> NDArray[np.int32]:
    """First ranks with ``count`` questions answered at ``rank``."""
    return np.where(np.arange(QUESTIONS) < count, rank, 0).astype(np.int32)


def point(pairs: int, count: int, *, model: str = "unif", seed: int = 1) -> LearningPoint:
    return LearningPoint(model, f"{pairs} pairs", pairs, seed, answer(count), answer(count, 2))


def build(points: list[LearningPoint]) -> list[dict[str, str]]:
    return build_learning_curves(dataset="tiny", points=points, draws=DRAWS)


def answered(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [row for row in rows if row["measure"] == "answered_10"]


def test_intervals_are_of_resampled_questions_since_a_figure_may_be_a_mean_of_runs() -> None:
    (row, _) = build([point(16, 8)])
    found = interval_of_sum((answer(8) > 0).astype(float), DRAWS)
    expected = pytest.approx((found.low, found.high), abs=0.051)  # written with one decimal
    assert (float(row["low"]), float(row["high"])) == expected


def test_runs_with_other_seeds_are_averaged() -> None:
    row = answered(build([point(16, 8), point(16, 11, seed=2)]))[0]
    cells = [row[name] for name in ("runs", "value", "lowest_run", "highest_run")]
    assert cells == ["2", "9.5", "8", "11"]


def test_seeds_of_a_share_go_together_with_their_mean_number_of_pairs() -> None:
    half = [replace(point(pairs, count, seed=pairs), share="1 of 2") for pairs, count in
            ((15, 8), (18, 11))]  # fmt: skip
    (row, _) = answered(build([*half, point(40, 12)]))
    assert [row[name] for name in ("share", "pairs", "runs", "value")] == [
        "1 of 2",
        "16",
        "2",
        "9.5",
    ]


def test_models_are_apart_each_from_few_pairs_to_many() -> None:
    rows = build([point(16, 8), point(64, 9, model="other"), point(32, 10)])
    found = [(row["model"], row["pairs"], row["value"]) for row in answered(rows)]
    assert found == [("unif", "16", "8"), ("unif", "32", "10"), ("other", "64", "9")]
    assert build([]) == []


def test_numbers_of_pairs_must_be_positive() -> None:
    with pytest.raises(ConfigurationError, match="0 pairs: was trained on 0 pairs"):
        build([point(0, 3)])


def test_the_rows_have_the_columns() -> None:
    rows = build_learning_curves(dataset="t", points=[point(4, 3)], draws=DRAWS)
    assert {frozenset(row) for row in rows} == {frozenset(LEARNING_CURVE_COLUMNS)}


def test_without_points_there_are_no_rows() -> None:
    assert build_learning_curves(dataset="t", points=[], draws=DRAWS) == []
