"""Tests of paired differences: of no difference by randomisation, of equivalence, of several.

If two systems were the same, it would be chance which of the two gave which answer to a question,
so the sign of every question's difference could as well be the opposite (Fisher 1935, Pitman 1937).
The p-value is the share of such sign flips whose total difference is at least as far from zero as
the observed total. Smucker, Allan and Carterette (CIKM 2007) recommend the test for search.
Correction for several tests: Holm, Scandinavian Journal of Statistics 6 (1979), the step-down
procedure.

An interval that holds 0 does not show that two figures are equal: too few questions give one, too.
So two one-sided tests (TOST) say whether the difference lies within a margin (Schuirmann, Journal
of Pharmacokinetics and Biopharmaceutics 15, 1987), from resampled differences. Each p is
(c + 1) / (n + 1) for c of n resamples on the far side of a bound (Davison and Hinkley, Bootstrap
Methods and their Application, 1997, section 4.2), so that it is never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.statistics.evaluation_options import Correction

_BLOCK = 1 << 20
# Sums of reciprocal ranks in another order differ by rounding; equal sums must count as equal.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class RandomisationTest:
    """Result of a two-sided test that two systems are the same.

    Attributes:
        p: share of sign flips with a difference at least as large, in (0, 1].
        exact: True where p is computed from all sign flips, False where from a sample of them.
    """

    p: float
    exact: bool


@dataclass(frozen=True)
class Outcomes:
    """Numbers of questions on which a system beats its baseline, ties with it, and loses."""

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
        signs: the result of ``draw_signs`` for this number of questions.

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
        from scipy.stats import binomtest

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
    """Count the rows of ``signs`` that give a sum at least as far from zero as the observed sum."""
    limit = abs(float(differences.sum())) - _TOLERANCE * float(np.abs(differences).sum())
    step = max(1, _BLOCK // len(differences))
    return sum(
        int(np.count_nonzero(np.abs(signs[start : start + step] @ differences) >= limit))
        for start in range(0, len(signs), step)
    )


Outcome = Literal["equivalent", "different", "inconclusive"]

LEVEL = 0.05
"""Significance level: a p of at most this counts as significant."""


@dataclass(frozen=True)
class FamilyTest:
    """Both tests of one difference, with the correction for its family of tests.

    Attributes:
        margin: the largest difference that counts as equivalent, in the unit of the figure.
        equivalence_p: p of the two one-sided tests, the larger of both.
        equivalence_p_holm: ``equivalence_p`` after the correction, if any.
        difference_p: p of the two-sided test that there is no difference.
        difference_p_holm: ``difference_p`` after the correction.
        smallest_margin: the difference would be shown equivalent with every margin above this, if
            the other tests stayed as they are; None where no margin would do, since there are too
            few resamples.
        smallest_margin_alone: ``smallest_margin`` without the correction.
        outcome: the outcome of the corrected tests.
        outcome_alone: the outcome of the tests without the correction.
    """

    margin: float
    equivalence_p: float
    equivalence_p_holm: float
    difference_p: float
    difference_p_holm: float
    smallest_margin: float | None
    smallest_margin_alone: float | None
    outcome: Outcome
    outcome_alone: Outcome


def compare_family(
    resampled: Sequence[NDArray[np.float64]],
    margins: Sequence[float],
    correction: Correction = "holm",
) -> list[FamilyTest]:
    """Test every difference of a family for equivalence and for difference.

    The correction is Holm's, over all tests of equivalence and over all tests of difference: in
    either kind, the chance that any claim of a family is wrong is at most ``LEVEL``. A difference
    that is shown to be within the margin is equivalent, also where it is shown not to be 0.

    Args:
        resampled: differences over resampled questions, float64, shape (resamples,) each.
        margins: above 0, in the unit of the differences.
        correction: ``none`` takes each test as if it were the only one.
    """
    equivalence = [
        equivalence_p(sums, margin) for sums, margin in zip(resampled, margins, strict=True)
    ]
    difference = [difference_p(sums) for sums in resampled]
    limits = [LEVEL] * len(equivalence)
    corrected = equivalence, difference
    if correction == "holm":
        limits = find_holm_limits(equivalence)
        corrected = adjust_by_holm(equivalence), adjust_by_holm(difference)
    tests = []
    for place, (sums, margin) in enumerate(zip(resampled, margins, strict=True)):
        tests.append(
            FamilyTest(
                margin=margin,
                equivalence_p=equivalence[place],
                equivalence_p_holm=corrected[0][place],
                difference_p=difference[place],
                difference_p_holm=corrected[1][place],
                smallest_margin=find_smallest_margin(sums, limits[place]),
                smallest_margin_alone=find_smallest_margin(sums, LEVEL),
                outcome=_decide(corrected[0][place], corrected[1][place]),
                outcome_alone=_decide(equivalence[place], difference[place]),
            )
        )
    return tests


def _decide(equivalence: float, difference: float) -> Outcome:
    """The outcome of the p-values of both tests."""
    if equivalence <= LEVEL:
        return "equivalent"
    return "different" if difference <= LEVEL else "inconclusive"


def equivalence_p(resampled: NDArray[np.float64], margin: float) -> float:
    """P of the two one-sided tests that a difference is at least ``margin`` away from 0."""
    above = np.count_nonzero(resampled >= margin - _TOLERANCE)
    below = np.count_nonzero(resampled <= _TOLERANCE - margin)
    return (int(max(above, below)) + 1) / (len(resampled) + 1)


def difference_p(resampled: NDArray[np.float64]) -> float:
    """P of the two-sided test that a difference is 0, in (0, 1].

    It is twice the share of resamples on the less frequent side of 0, where both this count and the
    number of resamples are one larger.
    """
    above = np.count_nonzero(resampled >= -_TOLERANCE)
    below = np.count_nonzero(resampled <= _TOLERANCE)
    return min(1.0, 2 * (int(min(above, below)) + 1) / (len(resampled) + 1))


def find_smallest_margin(resampled: NDArray[np.float64], limit: float) -> float | None:
    """The margin above which ``equivalence_p`` is at most ``limit``; None where it never is."""
    beyond = floor(limit * (len(resampled) + 1) + _TOLERANCE) - 1
    if beyond < 0:
        return None
    ascending = np.sort(resampled)
    return max(0.0, float(ascending[-1 - beyond]), -float(ascending[beyond]))


def find_holm_limits(p_values: Sequence[float]) -> list[float]:
    """For each test, the largest p with which Holm would reject it, the other tests unchanged.

    Of the other p in ascending order, the first k are rejected whatever the p of this test is,
    where the j-th is at most ``LEVEL`` / (m - j + 1) for all j up to k; then ``LEVEL`` / (m - k)
    is left for this test.
    """
    tests = len(p_values)
    limits = []
    for place in range(tests):
        others = sorted([*p_values[:place], *p_values[place + 1 :]])
        rejected = 0
        while rejected < tests - 1 and others[rejected] <= LEVEL / (tests - rejected):
            rejected += 1
        limits.append(LEVEL / (tests - rejected))
    return limits
