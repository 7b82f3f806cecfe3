"""Learning curves: points, intervals, and the line beyond the last point."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.intervals import draw_resamples, interval_of_sum
from ncsbench.learning_curves.curves import (
    LEARNING_CURVE_COLUMNS,
    LearningPoint,
    build_learning_curves,
    read_published_pairs,
)

ROOT = Path(__file__).parents[2]
QUESTIONS = 40
DRAWS = draw_resamples(QUESTIONS, np.random.default_rng(1), resamples=300)


def answer(count: int, rank: int = 4) -> NDArray[np.int32]:
    """First ranks with ``count`` questions answered at ``rank``."""
    return np.where(np.arange(QUESTIONS) < count, rank, 0).astype(np.int32)


def point(pairs: int, count: int, *, model: str = "unif", seed: int = 1) -> LearningPoint:
    return LearningPoint(model, f"{pairs} pairs", pairs, seed, answer(count), answer(count, 2))


def build(points: list[LearningPoint], target: int = 1024, **more: int) -> list[dict[str, str]]:
    return build_learning_curves(
        dataset="tiny", points=points, draws=DRAWS, target_pairs=target, **more
    )


def answered(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [row for row in rows if row["measure"] == "answered_10"]


def test_points_on_a_line_are_continued_on_it_dev_78() -> None:
    """DEV-78: two more answers per doubling go on to the target, four doublings further."""
    rows = build([point(64, 12), point(16, 8), point(32, 10)])
    found = answered(rows)
    assert [(row["kind"], row["pairs"], row["value"]) for row in found] == [
        ("measured", "16", "8"),
        ("measured", "32", "10"),
        ("measured", "64", "12"),
        ("extrapolated", "1024", "20"),
    ]
    assert (found[-1]["per_doubling"], found[-1]["fitted_points"]) == ("2.000", "3")
    assert found[0]["per_doubling"] == ""
    strict = rows[-1]
    assert (strict["measure"], strict["value"]) == ("strict_mrr", "0.250000")


def test_only_the_last_points_are_fitted() -> None:
    rows = build([point(2, 30), point(16, 8), point(32, 10)], fitted_points=2)
    assert answered(rows)[-1]["value"] == "20"


def test_a_figure_cannot_leave_its_range_dev_78() -> None:
    """DEV-78: no more questions are answered than there are, and no fewer than none."""
    up = answered(build([point(1, 1), point(2, 30)], target=1 << 20))[-1]
    down = answered(build([point(1, 30), point(2, 1)], target=1 << 20))[-1]
    assert (up["value"], up["high"]) == ("40", "40")
    assert (down["value"], down["low"], down["per_doubling"]) == ("0", "0", "-29.000")


def test_intervals_are_of_resampled_questions_since_a_figure_may_be_a_mean_of_runs() -> None:
    (row, _) = build([point(16, 8)])
    found = interval_of_sum((answer(8) > 0).astype(float), DRAWS)
    expected = pytest.approx((found.low, found.high), abs=0.051)  # written with one decimal
    assert (float(row["low"]), float(row["high"])) == expected


def test_the_line_has_the_interval_of_lines_fitted_to_resampled_questions() -> None:
    points = [point(16, 8), point(32, 17), point(64, 21)]
    resampled = np.stack([(p.first_ranks[DRAWS] > 0).sum(axis=1) for p in points])
    slopes, heights = np.polyfit([4, 5, 6], resampled, 1)
    row = answered(build(points, target=256))[-1]
    for name, values, digits in (("", heights + 8 * slopes, 1), ("per_doubling_", slopes, 3)):
        found = (float(row[f"{name}low"]), float(row[f"{name}high"]))
        expected = np.clip(np.quantile(values, [0.025, 0.975]), -99, QUESTIONS)
        assert found == pytest.approx(tuple(expected), abs=0.51 * 10**-digits)


def test_runs_with_other_seeds_are_averaged() -> None:
    row = answered(build([point(16, 8), point(16, 11, seed=2)]))[0]
    cells = [row[name] for name in ("runs", "value", "lowest_run", "highest_run")]
    assert cells == ["2", "9.5", "8", "11"]


def test_seeds_of_a_share_go_together_with_their_mean_number_of_pairs() -> None:
    half = [replace(point(pairs, count, seed=pairs), share="1 of 2") for pairs, count in
            ((15, 8), (18, 11))]  # fmt: skip
    (row, _, _) = answered(build([*half, point(40, 12)]))
    assert [row[name] for name in ("share", "pairs", "runs", "value")] == [
        "1 of 2",
        "16",
        "2",
        "9.5",
    ]


def test_models_are_apart_and_one_point_has_no_line() -> None:
    rows = build([point(16, 8), point(64, 9, model="other"), point(32, 10)])
    kinds = [(row["model"], row["kind"]) for row in answered(rows)]
    assert kinds == [
        ("unif", "measured"),
        ("unif", "measured"),
        ("unif", "extrapolated"),
        ("other", "measured"),
    ]
    assert build([]) == []


@settings(max_examples=25)
@given(
    st.dictionaries(st.integers(1, 5000), st.integers(0, QUESTIONS), min_size=2, max_size=6),
    st.integers(2, 6),
)
def test_the_line_is_that_of_least_squares(counts: dict[int, int], fitted: int) -> None:
    rows = build([point(n, k) for n, k in counts.items()], target=6000, fitted_points=fitted)
    chosen = sorted(counts)[-fitted:]
    slope, height = np.polyfit(np.log2(chosen), [counts[n] for n in chosen], 1)
    row = answered(rows)[-1]
    expected = np.clip(slope * np.log2(6000) + height, 0, QUESTIONS)
    assert float(row["value"]) == pytest.approx(expected, abs=0.051)
    assert float(row["per_doubling"]) == pytest.approx(slope, abs=0.00051)
    assert 0 <= float(row["low"]) <= float(row["high"]) <= QUESTIONS


def test_numbers_of_pairs_must_be_positive() -> None:
    with pytest.raises(ConfigurationError, match="0 pairs: was trained on 0 pairs"):
        build([point(0, 3)])
    for target, fitted in ((0, 4), (100, 1)):
        with pytest.raises(ConfigurationError, match="learning curves: need a target"):
            build([point(1, 3)], target=target, fitted_points=fitted)


def test_the_published_number_of_pairs_is_read(tmp_path: Path) -> None:
    blog = ROOT / "config" / "published" / "blog.csv"
    with blog.open(encoding="utf-8", newline="") as file:
        printed = [row for row in csv.DictReader(file) if row["column"] == "stackoverflow_pairs"]
    assert [str(read_published_pairs(blog))] == [row["value"] for row in printed]
    (tmp_path / "b.csv").write_text("table,row,column,value,source,note\n")
    with pytest.raises(DataError, match="has no figure training, UNIF, stackoverflow_pairs"):
        read_published_pairs(tmp_path / "b.csv")


def test_the_rows_have_the_columns() -> None:
    rows = build_learning_curves(dataset="t", points=[point(4, 3)], draws=DRAWS, target_pairs=9)
    assert {frozenset(row) for row in rows} == {frozenset(LEARNING_CURVE_COLUMNS)}


def test_without_points_there_are_no_rows() -> None:
    assert build_learning_curves(dataset="t", points=[], draws=DRAWS, target_pairs=9) == []
