"""95 % percentile bootstrap intervals over questions, of sums and of paired differences.

The published tables have no intervals. Questions are drawn with replacement (Efron and
Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3); one set of draws serves every
system of a table, so a system's interval does not depend on what else the table holds, and
differences of two systems are paired by question.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 20


@dataclass(frozen=True)
class Interval:
    """Bounds of an interval, in the unit of the figure it belongs to."""

    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """A system's metric minus its baseline's on the same questions, with its interval."""

    value: float
    interval: Interval


def draw_resamples(
    questions: int, generator: np.random.Generator, *, resamples: int
) -> NDArray[np.int32]:
    """Draw the questions of every resample with replacement.

    Args:
        questions: number of questions, at least 0.
        generator: seeded generator; equal states give equal draws.
        resamples: number of resamples, at least 1.

    Returns:
        Positions of questions, int32, shape (resamples, questions).
    """
    if questions == 0:
        return np.zeros((resamples, 0), dtype=np.int32)
    return generator.integers(0, questions, size=(resamples, questions), dtype=np.int32)


def draw_runs(runs: int, seed: int, *, resamples: int) -> NDArray[np.int64]:
    """Draw one of several runs for every resample.

    Runs are drawn by a generator of their own, so that the draws of the questions are the same
    without them.

    Args:
        runs: number of runs, at least 1.
        seed: the seed of the questions' draws.
        resamples: number of resamples.

    Returns:
        Numbers of runs from 0, int64, shape (resamples,).
    """
    return np.random.default_rng([seed, 1]).integers(0, runs, size=resamples)


def interval_of_sum(values: NDArray[np.float64], draws: NDArray[np.int32]) -> Interval:
    """Percentile interval (95 %) of ``resample_sum``; both bounds are 0 without questions."""
    return interval_between(resample_sum(values, draws))


def interval_between(resampled: NDArray[np.float64], *, level: float = 0.95) -> Interval:
    """Bounds that hold the share ``level`` of resampled figures; equally many lie beyond either."""
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    return Interval(low=float(low), high=float(high))


def resample_sum(values: NDArray[np.float64], draws: NDArray[np.int32]) -> NDArray[np.float64]:
    """Sums of ``values`` over resampled questions, float64, shape (resamples,).

    Args:
        values: one value per question, shape (questions,).
        draws: the result of ``draw_resamples`` for this number of questions.

    Raises:
        ValueError: where ``draws`` were made for another number of questions.
    """
    resamples, questions = draws.shape
    if len(values) != questions:
        raise ValueError(f"{len(values)} values, but draws for {questions} questions")
    # In blocks: all resampled values at once would take 8 * resamples * questions bytes.
    step = max(1, _BLOCK // max(questions, 1))
    return np.concatenate(
        [values[draws[start : start + step]].sum(axis=1) for start in range(0, resamples, step)]
    )


def wilson_interval(found: int, asked: int, *, level: float = 0.95) -> Interval:
    """Interval of the share of ``found`` among ``asked``; from 0 to 1 where none was asked.

    Wilson's score interval (Journal of the American Statistical Association 22, 1927).
    """
    if asked == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (found + z * z / 2) / (asked + z * z)
    half = z * sqrt(found * (asked - found) / asked + z * z / 4) / (asked + z * z)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


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
