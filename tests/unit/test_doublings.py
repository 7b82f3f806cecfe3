"""Lines of a figure against the logarithm of a size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.haystacks.haystack_table import draw_line, extrapolate

QUESTIONS = 40
DRAWS = draw_resamples(QUESTIONS, np.random.default_rng(1), resamples=300)


def continue_line(counts: dict[int, int], target: int) -> dict[str, str]:
    """The line through numbers of answered questions by size, read at ``target``."""
    shares = np.stack([np.arange(QUESTIONS) < count for count in counts.values()]).astype(float)
    return extrapolate(list(counts), shares, target, "answered_10", DRAWS)


def test_points_on_a_line_are_continued_on_it() -> None:
    """Two more answers per doubling go on to the target, four doublings further."""
    row = continue_line({16: 8, 32: 10, 64: 12}, 1024)
    assert (row["value"], row["per_doubling"], row["fitted_points"]) == ("20", "2.000", "3")


def test_a_figure_cannot_leave_its_range_dev_105() -> None:
    """DEV-105: no more questions are answered than there are, and no fewer than none."""
    up, down = continue_line({1: 1, 2: 30}, 1 << 20), continue_line({1: 30, 2: 1}, 1 << 20)
    assert (up["value"], up["high"]) == ("40", "40")
    assert (down["value"], down["low"], down["per_doubling"]) == ("0", "0", "-29.000")


def test_the_line_has_the_interval_of_lines_fitted_to_resampled_questions() -> None:
    counts = {16: 8, 32: 17, 64: 21}
    resampled = np.stack([(DRAWS < count).sum(axis=1) for count in counts.values()])
    slopes, heights = np.polyfit([4, 5, 6], resampled, 1)
    row = continue_line(counts, 256)
    for name, values, digits in (("", heights + 8 * slopes, 1), ("per_doubling_", slopes, 3)):
        found = (float(row[f"{name}low"]), float(row[f"{name}high"]))
        expected = np.clip(np.quantile(values, [0.025, 0.975]), -99, QUESTIONS)
        assert found == pytest.approx(tuple(expected), abs=0.51 * 10**-digits)


@settings(max_examples=25)
@given(st.dictionaries(st.integers(1, 5000), st.integers(0, QUESTIONS), min_size=2, max_size=6))
def test_the_line_is_that_of_least_squares(counts: dict[int, int]) -> None:
    row = continue_line(dict(sorted(counts.items())), 6000)
    slope, height = np.polyfit(np.log2(list(counts)), list(counts.values()), 1)
    expected = np.clip(slope * np.log2(6000) + height, 0, QUESTIONS)
    assert float(row["value"]) == pytest.approx(expected, abs=0.051)
    assert float(row["per_doubling"]) == pytest.approx(slope, abs=0.00051)
    assert 0 <= float(row["low"]) <= float(row["high"]) <= QUESTIONS


@pytest.mark.parametrize(
    ("value", "slope", "expected"),
    [
        (23.4, 3.333, [(2, 10.0), (32, 23.4)]),
        (20, 5.0, [(2, 8.333), (2 ** (2 + 20 / 15), 20), (32, 20)]),
        (0, -8.333, [(2, 21.666), (2 ** (2 + 13.333 / 8.333), 0), (32, 0)]),
    ],
)
def test_the_line_meets_the_extrapolated_point_level_where_it_is_clipped(
    value: float, slope: float, expected: list[tuple[float, float]]
) -> None:
    sizes, heights = draw_line([(2, 10), (4, 13.3), (8, 16.7)], slope=slope, end=(32, value))
    assert sizes == pytest.approx([size for size, _ in expected], rel=0.01)
    assert heights == pytest.approx([height for _, height in expected], abs=0.05)
