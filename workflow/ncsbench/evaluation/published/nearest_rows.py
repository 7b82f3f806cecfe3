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
    published: Mapping[str, NDArray[np.int32]],
    baselines: Mapping[str, str],
    *,
    sampling: Sampling,
    depth: int,
) -> dict[tuple[str, str], dict[str, float | str | None]]:
    """Measure how near each row is to each published system.

    Args:
        ours: first ranks of each row, int32, shape (questions,), 0 = not found.
        published: first ranks of each published system on the same questions.
        baselines: name of the row that rebuilds a system, for systems that a row rebuilds.
        sampling: seed and number of draws of questions.
        depth: the last rank that counts; a deeper first rank counts as not found.

    Returns:
        Columns of ``NEARNESS`` by row and system: the 95 % interval of ``spearman_all``; the
        difference to the ``spearman_all`` of ``baseline`` with its interval, paired by question;
        the ``distance``, which is the mean, over 1, 5 and 10 results, of the absolute difference
        of the numbers of questions answered, with its interval. None where a figure is undefined.
    """
    count = len(next(iter(published.values()), ()))
    if not count:
        return {(row, name): dict.fromkeys(NEARNESS) for row in ours for name in published}
    generator = np.random.default_rng(sampling.seed)
    draws = draw_resamples(count, generator, resamples=sampling.resamples)
    drawn = np.stack([np.bincount(draw, minlength=count) for draw in draws])
    weights = np.concatenate([np.ones((1, count)), drawn])  # the first row is no draw
    rows = {name: _Ranked(rank_not_found_last(one, depth), weights) for name, one in ours.items()}
    nearness = {}
    for system, ranks in published.items():
        theirs = _Ranked(rank_not_found_last(ranks, depth), weights)
        weighted = theirs.spread() * weights
        correlations = {name: row.correlate(theirs, weighted) for name, row in rows.items()}
        baseline = baselines.get(system)
        for name, row in rows.items():
            against = None if baseline == name else correlations.get(baseline or "")
            difference = None if against is None else correlations[name] - against
            distance = abs(row.answered - theirs.answered).mean(axis=0)
            nearness[name, system] = {
                **dict(zip(NEARNESS[:2], _bound(correlations[name])[1:], strict=True)),
                "baseline": None if difference is None else baseline,
                **dict(zip(NEARNESS[3:6], _bound(difference), strict=True)),
                **dict(zip(NEARNESS[6:], _bound(distance), strict=True)),
            }
    return nearness


class _Ranked:
    """Ranks of first ranks in every draw; equal ones have their mean rank, as in DEV-77.

    Args:
        values: first ranks, shape (questions,).
        weights: how often each question is drawn, shape (draws, questions); equal sums.
    """

    def __init__(self, values: NDArray[np.int64], weights: _Values) -> None:
        levels, self._positions = np.unique(values, return_inverse=True)
        counts = weights @ (self._positions[:, None] == np.arange(len(levels)))
        # Ranks of the few levels, less their mean.
        self._ranks = counts.cumsum(axis=1) - counts / 2 - weights.shape[1] / 2
        self._spread = (counts * self._ranks**2).sum(axis=1)
        self.answered = np.stack([weights @ (values <= k) for k in _ANSWERED_AT])

    def spread(self) -> _Values:
        """Return the rank of each question, less the mean rank, shape (draws, questions)."""
        ranks: _Values = self._ranks[:, self._positions]
        return ranks

    def correlate(self, other: _Ranked, weighted: _Values) -> _Values:
        """Correlate with the weighted ranks of others, draw by draw; NaN where all are equal."""
        products = np.einsum("ij,ij->i", self.spread(), weighted)
        with np.errstate(invalid="ignore"):
            correlations: _Values = products / np.sqrt(self._spread * other._spread)
        return correlations


def _bound(values: _Values | None) -> tuple[float | None, float | None, float | None]:
    """Return the figure, the first of ``values``, and the bounds of the others, the draws."""
    if values is None or np.isnan(values[0]):
        return None, None, None
    interval = interval_between(values[1:][~np.isnan(values[1:])])
    return float(values[0]), interval.low, interval.high
