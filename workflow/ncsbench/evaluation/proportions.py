"""Intervals of proportions that need no resampling, alone and for differences.

Wilson's score interval (Journal of the American Statistical Association 22, 1927), and for a
difference on the same questions Agresti and Min's (Statistics in Medicine 24, 2005): Wald's after
half a question was added to each of the four outcomes of a pair.
"""

from __future__ import annotations

from math import hypot, sqrt
from statistics import NormalDist

from ncsbench.evaluation.intervals import Difference, Interval


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


def independent_share_difference(
    found: tuple[int, int], asked: tuple[int, int], *, level: float = 0.95
) -> Difference:
    """The first share minus the second, of two independent samples, with its interval.

    Args:
        found: questions answered in the first and in the second sample.
        asked: questions of the two samples, at least one each.
        level: share of such intervals that hold the difference.

    Raises:
        ValueError: where a sample has no questions.
    """
    if 0 in asked:
        raise ValueError("a share of no questions has no difference from another")
    first, second = (part / whole for part, whole in zip(found, asked, strict=True))
    ours, theirs = (wilson_interval(f, a, level=level) for f, a in zip(found, asked, strict=True))
    below = hypot(first - ours.low, theirs.high - second)
    above = hypot(ours.high - first, second - theirs.low)
    return Difference(first - second, Interval(first - second - below, first - second + above))


def _quantile(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)
