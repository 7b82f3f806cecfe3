"""Intervals of proportions against other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from ncsbench.evaluation.proportions import paired_share_interval, wilson_interval


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
