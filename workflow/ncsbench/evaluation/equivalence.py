"""Two one-sided tests of equivalence (TOST) beside a test of difference, for several figures.

A figure whose interval holds 0 is not shown to be the other one: few questions would do. So it is
tested whether the difference lies within a margin (Schuirmann, Journal of Pharmacokinetics and
Biopharmaceutics 15, 1987), from resampled differences. Each p is (c + 1) / (n + 1) for c of n
resamples on the far side of a bound (Davison and Hinkley, Bootstrap Methods and their Application,
1997, section 4.2), so that it is never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.evaluation_options import Correction
from ncsbench.evaluation.significance import adjust_by_holm

Outcome = Literal["equivalent", "different", "inconclusive"]

LEVEL = 0.05
"""A p that is at most this counts."""

# Sums of reciprocal ranks in another order differ by rounding; what lies on a bound is beyond it.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class FamilyTest:
    """Both tests of one difference, as one of a family.

    Attributes:
        margin: the difference that would still do, in the unit of the figure.
        equivalence_p: p of the two one-sided tests, the larger of both.
        equivalence_p_holm: the same after the correction; equal where there is none.
        difference_p: p of the two-sided test that there is no difference.
        difference_p_holm: the same after the correction.
        smallest_margin: the difference would be shown equivalent with every margin above this, the
            others being as they are; None where with none, since there are too few resamples.
        smallest_margin_alone: the same without the correction.
        outcome: what the corrected tests say.
        outcome_alone: what the tests say without the correction.
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

    Twice the share of resamples that do not lie on the side of most of them, each count with one
    resample more.
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
    """For each test the largest p with which Holm would reject it, the others being as they are.

    Of the other p in ascending order, the first k are rejected whatever this one is, where the j-th
    is at most ``LEVEL`` / (m - j + 1) for all j up to k; then ``LEVEL`` / (m - k) is left for it.
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


def equivalence_power(
    margin: float, *, deviation: float, questions: int, level: float = LEVEL
) -> float:
    """Chance that a true difference of 0 is shown to lie within the margin.

    Args:
        margin: per question: a share of them, or an MRR.
        deviation: standard deviation of one question's difference, in the same unit.
        questions: how many there are.
        level: of each one-sided test; ``LEVEL`` / m for the first of m tests under Holm.
    """
    normal = NormalDist()
    error = deviation / sqrt(questions)
    return max(0.0, 2 * normal.cdf(margin / error - normal.inv_cdf(1 - level)) - 1)
