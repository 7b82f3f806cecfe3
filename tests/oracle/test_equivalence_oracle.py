"""Equivalence and its correction against t-tests, closed testing and a simulation."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from ncsbench.evaluation.statistics.intervals import draw_resamples, resample_sum
from ncsbench.evaluation.statistics.significance import (
    LEVEL,
    compare_family,
    difference_p,
    equivalence_p,
)
from tests.unit.evaluation.test_equivalence import equivalence_power

QUESTIONS = 185
DRAWS = draw_resamples(QUESTIONS, np.random.default_rng(3), resamples=20_000)


def tost(differences: np.ndarray, margin: float) -> float:
    return max(
        ttest_1samp(differences, -margin, alternative="greater").pvalue,
        ttest_1samp(differences, margin, alternative="less").pvalue,
    )


def closed_testing(p_values: list[float]) -> list[float]:
    """Holm's procedure is closed testing with Bonferroni's test of every intersection."""
    places = range(len(p_values))
    subsets = [each for size in places for each in combinations(places, size + 1)]
    return [
        max(min(1, len(s) * min(p_values[place] for place in s)) for s in subsets if own in s)
        for own in places
    ]


@pytest.mark.parametrize("seed", range(6))
def test_one_cell_against_t_tests(seed: int) -> None:
    generator = np.random.default_rng(seed)
    differences = generator.choice(
        [-1.0, 0.0, 1.0], QUESTIONS, p=[0.2, 0.6 - seed / 50, 0.2 + seed / 50]
    )
    sums = resample_sum(differences, DRAWS) / QUESTIONS
    assert equivalence_p(sums, 0.13) == pytest.approx(tost(differences, 0.13), abs=0.02)
    assert difference_p(sums) == pytest.approx(ttest_1samp(differences, 0).pvalue, abs=0.05)


def test_a_family_against_closed_testing() -> None:
    generator = np.random.default_rng(8)
    family = [
        resample_sum(generator.normal(mean, spread, QUESTIONS), DRAWS) / QUESTIONS
        for mean, spread in [(0, 0.3), (0.03, 0.4), (0.2, 0.5), (0.08, 0.5), (0, 0.6), (0, 0.1)]
    ]
    tests = compare_family(family, [0.1] * len(family))
    for kind in ("equivalence", "difference"):
        expected = closed_testing([getattr(test, f"{kind}_p") for test in tests])
        assert [getattr(test, f"{kind}_p_holm") for test in tests] == pytest.approx(expected)
    assert {test.outcome for test in tests} == {"equivalent", "different", "inconclusive"}


@pytest.mark.parametrize(("margin", "deviation"), [(0.13, 0.6), (0.10, 0.45)])
@pytest.mark.parametrize("level", [LEVEL, LEVEL / 16])
def test_power_against_simulated_t_tests(margin: float, deviation: float, level: float) -> None:
    drawn = np.random.default_rng(4).normal(0, deviation, (4000, QUESTIONS))
    above = ttest_1samp(drawn, -margin, axis=1, alternative="greater").pvalue
    below = ttest_1samp(drawn, margin, axis=1, alternative="less").pvalue
    shown = np.mean(np.maximum(above, below) <= level)
    found = equivalence_power(margin, deviation=deviation, questions=QUESTIONS, level=level)
    assert found == pytest.approx(shown, abs=0.03)
