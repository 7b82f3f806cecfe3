"""Randomisation tests against SciPy's permutation test, its binomial sums and ranx."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from ranx.statistical_tests import fisher_randomization_test
from scipy.stats import binom, permutation_test

from ncsbench.evaluation.measures.metrics import METRICS, question_shares
from ncsbench.evaluation.statistics.significance import draw_signs, run_randomisation_test

SAMPLES = 20_000


def shares(metric: str, questions: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    """Shares of two systems that answer most questions alike."""
    generator = np.random.default_rng(seed)
    first = generator.integers(0, 20, questions).astype(np.int32)
    second = np.where(
        generator.random(questions) < 0.3, generator.integers(0, 30, questions), first
    )
    return tuple(question_shares(ranks.astype(np.int32), metric) for ranks in (first, second))


def scipy_p(first: NDArray[np.float64], second: NDArray[np.float64], samples: float) -> float:
    return permutation_test(
        (first, second),
        lambda x, y, axis: np.sum(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=samples,
        rng=np.random.default_rng(1),
    ).pvalue


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("seed", range(6))
def test_all_sign_flips_against_scipy(metric: str, seed: int) -> None:
    first, second = shares(metric, 11, seed)
    found = run_randomisation_test(
        first - second, draw_signs(11, np.random.default_rng(0), samples=SAMPLES)
    )
    assert found.exact
    assert found.p == pytest.approx(scipy_p(first, second, np.inf), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_sampled_p_against_scipy_and_ranx(seed: int) -> None:
    first, second = shares("mrr", 185, seed)
    found = run_randomisation_test(
        first - second, draw_signs(185, np.random.default_rng(0), samples=SAMPLES)
    )
    assert not found.exact
    # Three standard deviations of the difference of two estimates of p.
    tolerance = 3 * np.sqrt(2 * found.p * (1 - found.p) / SAMPLES)
    assert found.p == pytest.approx(scipy_p(first, second, SAMPLES), abs=tolerance)
    # ranx swaps the systems of a question at random, which is the same as a flipped sign.
    theirs, _ = fisher_randomization_test(first, second, n_permutations=SAMPLES)
    assert found.p == pytest.approx(theirs, abs=tolerance)


@pytest.mark.parametrize(("wins", "losses"), [*itertools.product((0, 3, 12), (1, 9))])
def test_answered_against_the_sign_test(wins: int, losses: int) -> None:
    differences = np.array([1.0] * wins + [-1.0] * losses + [0.0] * 20)
    signs = draw_signs(len(differences), np.random.default_rng(0), samples=10)
    tail = binom.cdf(min(wins, losses), wins + losses, 0.5)
    assert run_randomisation_test(differences, signs).p == pytest.approx(min(1.0, 2 * tail))
