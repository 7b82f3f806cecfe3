"""Paired randomisation tests over questions, and Holm's correction for several of them.

If two systems were the same, which of the two gave which answer to a question would be chance, so
the sign of every question's difference could as well be the other one (Fisher 1935, Pitman 1937).
The p-value is the share of such sign flips whose total difference is at least as far from zero as
the one seen. Recommended for search by Smucker, Allan and Carterette (CIKM 2007). Correction for
several tests: Holm, Scandinavian Journal of Statistics 6 (1979), the step-down procedure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

_BLOCK = 1 << 20
# Sums of reciprocal ranks in another order differ by rounding; equal ones must count as equal.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class RandomisationTest:
    """Result of a two-sided test that two systems are the same.

    Attributes:
        p: share of sign flips with a difference at least as large, in (0, 1].
        exact: whether p is of all sign flips rather than of a sample of them.
    """

    p: float
    exact: bool


@dataclass(frozen=True)
class Outcomes:
    """Number of questions on which a system is ahead of its baseline, level, and behind."""

    wins: int
    ties: int
    losses: int


def draw_signs(questions: int, generator: np.random.Generator, *, samples: int) -> NDArray[np.int8]:
    """Draw a sign for every question of every sample.

    One set of signs serves all tests of a table, so that a p-value does not depend on which other
    systems the table holds, nor on their order.

    Args:
        questions: number of questions, at least 0.
        generator: seeded generator; equal states give equal signs.
        samples: number of samples, at least 1.

    Returns:
        1 or -1, int8, shape (samples, questions).
    """
    return generator.integers(0, 2, size=(samples, questions), dtype=np.int8) * np.int8(2) - 1


def run_randomisation_test(
    differences: NDArray[np.float64], signs: NDArray[np.int8]
) -> RandomisationTest:
    """Test whether the sum of ``differences`` is further from zero than chance would bring it.

    Where all differences that are not zero have one size (Answered@k), the sum follows a binomial
    distribution and p is exact. It is exact as well where all sign flips together are not more
    than the samples. Else p is (c + 1) / (n + 1) with c of n samples at least as extreme, which is
    never 0 (Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 4.2;
    DEV-75).

    Args:
        differences: the system's share of the metric minus the baseline's, float64, shape
            (questions,); see ``metrics.question_shares``.
        signs: what ``draw_signs`` gave for this number of questions.

    Raises:
        ValueError: where ``signs`` were drawn for another number of questions.
    """
    samples, questions = signs.shape
    if len(differences) != questions:
        raise ValueError(f"{len(differences)} differences, but signs for {questions} questions")
    differing = differences[differences != 0]
    if len(differing) == 0:
        return RandomisationTest(p=1.0, exact=True)
    if np.all(np.abs(differing) == np.abs(differing[0])):
        ahead = int(np.count_nonzero(differing > 0))
        return RandomisationTest(p=float(binomtest(ahead, len(differing)).pvalue), exact=True)
    if len(differing) < 63 and 1 << len(differing) <= samples:
        every = _enumerate_signs(len(differing))
        return RandomisationTest(p=_count_extreme(differing, every) / len(every), exact=True)
    return RandomisationTest(
        p=(_count_extreme(differences, signs) + 1) / (samples + 1), exact=False
    )


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values of one family of tests, in the order given.

    With the p-values ascending, the j-th of m becomes the largest of min(1, (m - i + 1) p_i) over
    i up to j. Rejecting where the result is at most alpha errs in any test of the family with a
    probability of at most alpha, however the tests depend on each other.
    """
    adjusted = [1.0] * len(p_values)
    largest = 0.0
    ascending = sorted(range(len(p_values)), key=lambda position: p_values[position])
    for before, position in enumerate(ascending):
        largest = max(largest, min(1.0, (len(p_values) - before) * p_values[position]))
        adjusted[position] = largest
    return adjusted


def count_outcomes(differences: NDArray[np.float64]) -> Outcomes:
    """Count the questions with a positive, no and a negative difference."""
    wins = int(np.count_nonzero(differences > 0))
    losses = int(np.count_nonzero(differences < 0))
    return Outcomes(wins=wins, ties=len(differences) - wins - losses, losses=losses)


def _enumerate_signs(questions: int) -> NDArray[np.int8]:
    """All 2 ** questions combinations of signs, int8, shape (2 ** questions, questions)."""
    bits = np.arange(1 << questions)[:, np.newaxis] >> np.arange(questions)
    return (bits & 1).astype(np.int8) * np.int8(2) - 1


def _count_extreme(differences: NDArray[np.float64], signs: NDArray[np.int8]) -> int:
    """How many rows of ``signs`` give a sum at least as far from zero as the one seen."""
    limit = abs(float(differences.sum())) - _TOLERANCE * float(np.abs(differences).sum())
    step = max(1, _BLOCK // len(differences))
    return sum(
        int(np.count_nonzero(np.abs(signs[start : start + step] @ differences) >= limit))
        for start in range(0, len(signs), step)
    )
