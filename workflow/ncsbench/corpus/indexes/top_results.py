"""Choosing the best of scored methods: the step from scores to a run, shared by all rankers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Run
from ncsbench.errors import ConfigurationError, DataError

Ranking = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Method ids and scores of one query, both of shape (n,), best first."""

NOTHING: Ranking = (np.zeros(0, np.int64), np.zeros(0, np.float64))
"""The ranking of a query that finds nothing; a run does not contain such a query."""

_STRETCH = 256  # methods of which the highest score is found first


class ScoreError(DataError):
    """An error for a score that is not a finite number, so that it has no rank."""


def check_depth(k: int) -> None:
    """Raise ``ConfigurationError`` for a ranking of fewer than one method."""
    if k < 1:
        raise ConfigurationError(f"depth {k}: a ranking needs at least 1 method")


def take_top(ids: NDArray[np.integer], scores: NDArray[np.float64], *, k: int) -> Ranking:
    """Return the ``k`` best of scored methods, ties by ascending id.

    Args:
        ids: distinct method ids, shape (n,), in any order.
        scores: finite scores, shape (n,), float64.
        k: number of methods to take, at least 1.

    Raises:
        ScoreError: for a score that is not a finite number, since it would silently be left out.
    """
    if not np.isfinite(scores).all():
        position = np.flatnonzero(~np.isfinite(scores))[0]
        raise ScoreError(
            f"the score of method {ids[position]} is {scores[position]}, not a finite number"
        )
    if len(scores) > k:
        # All methods that tie at rank k stay until the ids decide.
        kept = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        ids, scores = ids[kept], scores[kept]
    order = np.lexsort((ids, -scores))[:k]
    return ids[order].astype(np.int64), scores[order]


def take_positive(scores: NDArray[np.float64], *, k: int) -> Ranking:
    """Return the ``k`` best of the methods with a score above 0, ties by ascending id.

    Args:
        scores: score of each method of the corpus by id, shape (n,).
        k: number of methods to take, at least 1.

    Raises:
        ScoreError: as ``take_top``, but for minus infinity, which counts as no score above 0.
    """
    stretches = scores[: len(scores) // _STRETCH * _STRETCH].reshape(-1, _STRETCH)
    # At least k stretches of methods, and so k methods, reach the k-th largest maximum.
    limit = np.partition(stretches.max(axis=1), -k)[-k] if len(stretches) >= k else 0.0
    # Comparisons with a score that is not a number are false: it stays, so that it is refused.
    methods = np.flatnonzero(~(scores < limit) if limit > 0 else ~(scores <= 0))
    return take_top(methods, scores[methods], k=k)


def collect_run(rankings: Iterable[tuple[int, Ranking]]) -> Run:
    """Make a run from the rankings of distinct query ids, given in any order."""
    ordered = sorted(rankings, key=lambda item: item[0])
    lengths = [len(ids) for _, (ids, _) in ordered]
    query_ids = np.repeat(np.array([query_id for query_id, _ in ordered], dtype=np.int32), lengths)
    ids = [np.zeros(0, np.int64), *(ids for _, (ids, _) in ordered)]
    scores = [np.zeros(0, np.float64), *(scores for _, (_, scores) in ordered)]
    return Run(query_ids=query_ids, ids=np.concatenate(ids), scores=np.concatenate(scores))


def split_run(run: Run) -> dict[int, Ranking]:
    """Return the rankings of a run by query id; queries without a result are missing."""
    query_ids, starts = np.unique(run.query_ids, return_index=True)
    ends = [*starts.tolist(), len(run.query_ids)][1:]
    return {
        int(query_id): (run.ids[start:end], run.scores[start:end])
        for query_id, start, end in zip(query_ids, starts.tolist(), ends, strict=True)
    }
