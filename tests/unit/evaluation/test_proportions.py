"""Intervals of proportions against other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from ncsbench.evaluation.statistics.intervals import independent_share_difference, wilson_interval


@pytest.mark.parametrize(("found", "asked"), [(0, 10), (10, 10), (1, 3), (689, 1000), (5, 10000)])
def test_wilson_is_scipys(found: int, asked: int) -> None:
    expected = binomtest(found, asked).proportion_ci(method="wilson")
    interval = wilson_interval(found, asked)
    np.testing.assert_allclose([interval.low, interval.high], expected, atol=1e-12)


def test_nothing_asked_says_nothing() -> None:
    interval = wilson_interval(0, 0)
    assert (interval.low, interval.high) == (0.0, 1.0)


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
