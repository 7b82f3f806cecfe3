"""Intervals of proportions against other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from ncsbench.evaluation.intervals import (
    independent_share_difference,
    paired_share_interval,
    wilson_interval,
)


@pytest.mark.parametrize(("found", "asked"), [(0, 10), (10, 10), (1, 3), (689, 1000), (5, 10000)])
def test_wilson_is_scipys(found: int, asked: int) -> None:
    expected = binomtest(found, asked).proportion_ci(method="wilson")
    interval = wilson_interval(found, asked)
    np.testing.assert_allclose([interval.low, interval.high], expected, atol=1e-12)


def test_nothing_asked_says_nothing() -> None:
    interval = wilson_interval(0, 0)
    assert (interval.low, interval.high) == (0.0, 1.0)


def test_a_paired_difference_is_walds_with_half_a_question_in_each_cell() -> None:
    gained, lost, asked = 30, 10, 200
    difference = np.repeat([1, -1, 0], [gained, lost, asked - gained - lost])
    # The same with four halves of a question, by the variance of the differences themselves.
    weights = np.append(np.ones(asked), [0.5, 0.5, 0.5, 0.5])
    values = np.append(difference, [1, -1, 0, 0])
    mean = np.average(values, weights=weights)
    error = np.sqrt(np.average((values - mean) ** 2, weights=weights) / weights.sum())
    interval = paired_share_interval(gained, lost, asked)
    z = norm.ppf(0.975)
    np.testing.assert_allclose([interval.low, interval.high], [mean - z * error, mean + z * error])


def test_equal_systems_differ_by_less_the_more_is_asked() -> None:
    few, many = paired_share_interval(0, 0, 10), paired_share_interval(0, 0, 10000)
    assert few.low < many.low < 0 < many.high < few.high
    assert many.high == -many.low < 0.001


def test_a_difference_by_a_published_example() -> None:
    # Newcombe 1998 (Statistics in Medicine 17, 873), table II: 56/70 - 48/80, method 10.
    found = independent_share_difference((56, 48), (70, 80))
    assert found.value == pytest.approx(0.2)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_no_questions_have_no_difference() -> None:
    with pytest.raises(ValueError, match="no questions"):
        independent_share_difference((0, 1), (0, 5))


@given(st.tuples(st.integers(1, 300), st.integers(1, 300)), st.data())
def test_a_difference_lies_in_its_interval_and_has_a_mirror(
    asked: tuple[int, int], data: st.DataObject
) -> None:
    found = (data.draw(st.integers(0, asked[0])), data.draw(st.integers(0, asked[1])))
    there = independent_share_difference(found, asked)
    back = independent_share_difference(found[::-1], asked[::-1])
    assert -1 - 1e-9 <= there.interval.low <= there.value + 1e-9
    assert there.value - 1e-9 <= there.interval.high <= 1 + 1e-9
    assert there.interval.low == pytest.approx(-back.interval.high)
