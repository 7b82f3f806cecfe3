"""Intervals of proportions that need no resampling, alone and for paired differences.

Wilson's score interval (Journal of the American Statistical Association 22, 1927), and for a
difference on the same questions Agresti and Min's (Statistics in Medicine 24, 2005): Wald's after
half a question was added to each of the four outcomes of a pair.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from ncsbench.evaluation.intervals import Interval


def wilson_interval(found: int, asked: int, *, level: float = 0.95) -> Interval:
    """Interval of the share of ``found`` among ``asked``; from 0 to 1 where none was asked."""
    if asked == 0:
        return Interval(0.0, 1.0)
    z = _quantile(level)
    centre = (found + z * z / 2) / (asked + z * z)
    half = z * sqrt(found * (asked - found) / asked + z * z / 4) / (asked + z * z)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def paired_share_interval(gained: int, lost: int, asked: int, *, level: float = 0.95) -> Interval:
    """Interval of the difference of two shares of the same questions.

    Args:
        gained: questions that only the first system answers.
        lost: questions that only the second one answers.
        asked: all questions.
        level: share of such intervals that hold the difference.
    """
    pairs, differing = asked + 2, gained + lost + 1
    centre = (gained - lost) / pairs
    half = _quantile(level) * sqrt(differing - pairs * centre * centre) / pairs
    return Interval(max(-1.0, centre - half), min(1.0, centre + half))


def _quantile(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)
