"""Nearness of rows of ours to a published system, with intervals over questions.

Two measures: Spearman's correlation of first ranks over all questions, and the distance of totals.
All rows are compared on the same draws of questions, so that their differences are paired.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.statistics.agreement import rank_not_found_last
from ncsbench.evaluation.statistics.intervals import draw_resamples, interval_between
from ncsbench.evaluation.statistics.resampling import Sampling

NEARNESS = (
    *("spearman_all_low", "spearman_all_high"),
    *("baseline", "difference", "difference_low", "difference_high"),
    *("distance", "distance_low", "distance_high"),
)
"""Columns of ``measure_nearness``, in order."""
_ANSWERED_AT = (1, 5, 10)
_Values = NDArray[np.float64]


def measure_nearness(
    ours: Mapping[str, NDArray[np.int32]],
    published: NDArray[np.int32],
    baseline: str | None,
    *,
    sampling: Sampling,
    depth: int,
) -> dict[str, dict[str, float | str | None]]:
    """Measure how near rows are to a published system.

    Args:
        ours: first ranks of each row, int32, shape (questions,), 0 = not found.
        published: first ranks of the published system on the same questions.
        baseline: name of the row that rebuilds the system; None where no row does.
        sampling: seed and number of draws of questions.
        depth: the last rank that counts; a deeper first rank counts as not found.

    Returns:
        Columns of ``NEARNESS`` for each row: the 95 % interval of ``spearman_all``; the difference
        to the ``spearman_all`` of ``baseline`` with its interval, paired by question; the
        ``distance``, which is the mean, over 1, 5 and 10 results, of the absolute difference of
        the numbers of questions answered, with its interval. None where a figure is undefined.
    """
    count = len(published)
    if not count:
        return {name: dict.fromkeys(NEARNESS) for name in ours}
    draws = draw_resamples(
        count, np.random.default_rng(sampling.seed), resamples=sampling.resamples
    )
    drawn = np.stack([np.bincount(draw, minlength=count) for draw in draws])
    weights = np.concatenate([np.ones((1, count)), drawn])  # the first row is no draw
    theirs = rank_not_found_last(published, depth)
    found = {name: rank_not_found_last(ranks, depth) for name, ranks in ours.items()}
    ranked = _midranks(theirs, weights)
    correlations = {
        name: _correlate(_midranks(ranks, weights), ranked, weights)
        for name, ranks in found.items()
    }
    nearness = {}
    for name, ranks in found.items():
        distances = np.mean(
            [abs(weights @ ((ranks <= k) * 1.0 - (theirs <= k))) for k in _ANSWERED_AT], axis=0
        )
        against = None if baseline in (None, name) else correlations.get(str(baseline))
        difference = None if against is None else correlations[name] - against
        nearness[name] = {
            **dict(zip(NEARNESS[:2], _bound(correlations[name])[1:], strict=True)),
            "baseline": None if difference is None else baseline,
            **dict(zip(NEARNESS[3:6], _bound(difference), strict=True)),
            **dict(zip(NEARNESS[6:], _bound(distances), strict=True)),
        }
    return nearness


def _bound(values: _Values | None) -> tuple[float | None, float | None, float | None]:
    """Return the figure, the first of ``values``, and the bounds of the others, the draws."""
    if values is None or np.isnan(values[0]):
        return None, None, None
    interval = interval_between(values[1:][~np.isnan(values[1:])])
    return float(values[0]), interval.low, interval.high


def _midranks(values: NDArray[np.int64], weights: _Values) -> _Values:
    """Rank values that occur ``weights`` times; equal values have their mean rank, as in DEV-77.

    Args:
        values: shape (questions,).
        weights: whole numbers, shape (draws, questions).

    Returns:
        Ranks from 1, shape (draws, questions).
    """
    levels, positions = np.unique(values, return_inverse=True)
    counts = weights @ (positions[:, None] == np.arange(len(levels)))
    ranks: _Values = (counts.cumsum(axis=1) - (counts - 1) / 2)[:, positions]
    return ranks


def _correlate(first: _Values, second: _Values, weights: _Values) -> _Values:
    """Correlate weighted ranks, draw by draw; NaN where all values of a draw are equal."""
    middle = (weights.sum(axis=1, keepdims=True) + 1) / 2
    one, other = first - middle, second - middle
    products = [
        (weights * a * b).sum(axis=1) for a, b in ((one, other), (one, one), (other, other))
    ]
    with np.errstate(invalid="ignore"):
        correlations: _Values = products[0] / np.sqrt(products[1] * products[2])
    return correlations
