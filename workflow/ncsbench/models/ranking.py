"""Ordering of scored methods: what all rankers share between scores and a run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.records import Run

Ranking = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Method ids and scores of one query, both of shape (n,), best first."""


def check_depth(k: int) -> None:
    """``ConfigurationError`` for a ranking of fewer than one method."""
    if k < 1:
        raise ConfigurationError(f"depth {k}: a ranking needs at least 1 method")


def take_top(ids: NDArray[np.integer], scores: NDArray[np.float64], *, k: int) -> Ranking:
    """The ``k`` best of scored methods, ties by ascending id.

    Args:
        ids: distinct method ids, shape (n,), in any order.
        scores: finite, shape (n,), float64.
        k: how many to take, at least 1.
    """
    if len(scores) > k:
        # Everything that ties with the last place stays until ids have decided.
        kept = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        ids, scores = ids[kept], scores[kept]
    order = np.lexsort((ids, -scores))[:k]
    return ids[order].astype(np.int64), scores[order]


def collect_run(rankings: Iterable[tuple[int, Ranking]]) -> Run:
    """A run from the rankings of distinct question rows, given in any order."""
    ordered = sorted(rankings, key=lambda item: item[0])
    lengths = [len(ids) for _, (ids, _) in ordered]
    rows = np.repeat(np.array([row for row, _ in ordered], dtype=np.int32), lengths)
    ids = [np.zeros(0, np.int64), *(ids for _, (ids, _) in ordered)]
    scores = [np.zeros(0, np.float64), *(scores for _, (_, scores) in ordered)]
    return Run(rows=rows, ids=np.concatenate(ids), scores=np.concatenate(scores))


def split_run(run: Run) -> dict[int, Ranking]:
    """The rankings of a run by question row; rows without a result are missing."""
    rows, starts = np.unique(run.rows, return_index=True)
    ends = [*starts.tolist(), len(run.rows)][1:]
    return {
        int(row): (run.ids[start:end], run.scores[start:end])
        for row, start, end in zip(rows, starts.tolist(), ends, strict=True)
    }
