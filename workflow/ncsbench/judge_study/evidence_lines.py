"""Lines of evidence on the judge: a figure with its interval, and the rule that compares judges.

The rule stands in docs/judge.md and was written before the figures were computed (DEV-100).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.intervals import Interval
from ncsbench.evaluation.proportions import wilson_interval

Line = Literal["best_kept", "examples", "slots", "candidates", "profiles", "random"]
LINES: tuple[Line, ...] = get_args(Line)
"""The lines of evidence, in the order of docs/judge.md."""

MORE_IS_BETTER = frozenset({"best_kept", "examples", "slots"})

LINES_NEEDED = 4
"""A judge must be ahead on so many lines, and behind on none, to beat the present one."""


@dataclass(frozen=True)
class Evidence:
    """The figure of one line, in [0, 1], with its 95 % interval."""

    value: float
    interval: Interval


@dataclass(frozen=True)
class Comparison:
    """A judge beside the present one.

    Attributes:
        ahead: lines on which it is better, with intervals apart.
        behind: lines on which its figure is worse, whatever the intervals.
    """

    ahead: tuple[Line, ...]
    behind: tuple[Line, ...]

    @property
    def beats(self) -> bool:
        """Whether the rule would make it the default."""
        return len(self.ahead) >= LINES_NEEDED and not self.behind


def compare_judges(
    judge: Mapping[Line, Evidence | None], present: Mapping[Line, Evidence | None]
) -> Comparison:
    """Compare a judge with the present one; a line that either has no figure for says nothing."""
    ahead: list[Line] = []
    behind: list[Line] = []
    for line in LINES:
        ours, theirs = judge[line], present[line]
        if ours is None or theirs is None:
            continue
        if line in MORE_IS_BETTER:
            worse, apart = ours.value < theirs.value, ours.interval.low > theirs.interval.high
        else:
            worse, apart = ours.value > theirs.value, ours.interval.high < theirs.interval.low
        if worse:
            behind.append(line)
        elif apart:
            ahead.append(line)
    return Comparison(tuple(ahead), tuple(behind))


def share_of_questions(found: int, asked: int) -> Evidence | None:
    """A share of questions with Wilson's interval; None where none was asked."""
    return Evidence(found / asked, wilson_interval(found, asked)) if asked else None


def distance_from(target: float, share: Evidence | None) -> Evidence | None:
    """How far a share is from a target; its interval is what the share's is carried to."""
    if share is None:
        return None
    low, high = share.interval.low, share.interval.high
    ends = sorted((abs(low - target), abs(high - target)))
    nearest = 0.0 if low <= target <= high else ends[0]
    return Evidence(abs(share.value - target), Interval(nearest, ends[1]))


def share_over_questions(
    parts: NDArray[np.float64], wholes: NDArray[np.float64], weights: NDArray[np.float32]
) -> Evidence | None:
    """The sum of the parts by the sum of the wholes, resampled by question.

    Args:
        parts: of each question, shape (questions,).
        wholes: of each question, shape (questions,).
        weights: what ``count_draws`` gave.

    Returns:
        None where the wholes are 0, as in every resample then.
    """
    if not wholes.sum():
        return None
    part, whole = (weights @ values.astype(np.float32) for values in (parts, wholes))
    shares = part[whole > 0].astype(np.float64) / whole[whole > 0]
    return Evidence(float(parts.sum() / wholes.sum()), percentile_interval(shares))


def percentile_interval(resampled: NDArray[np.float64]) -> Interval:
    """The 95 % percentile interval of a resampled figure, shape (resamples,)."""
    low, high = np.quantile(resampled, [0.025, 0.975])
    return Interval(float(low), float(high))


def count_draws(draws: NDArray[np.int32]) -> NDArray[np.float32]:
    """How often each question is in each resample, shape (resamples, questions) as the draws'."""
    weights = np.zeros(draws.shape, np.float32)
    for resample, drawn in enumerate(draws):
        weights[resample] = np.bincount(drawn, minlength=draws.shape[1])
    return weights
