"""The methods that several rankings hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Candidates:
    """The c methods that a query's rankings by p parts hold.

    Attributes:
        methods: ids, ascending, int64, shape (c,).
        ranks: from 1, int64, shape (c, p); 0 where a part does not rank a method.
        shares: reciprocal ranks 1 / (k + rank), float64, shape (c, p), 0 likewise.
        fusion: their sums (Cormack, Clarke, Büttcher, SIGIR 2009), float64, shape (c,).
    """

    methods: NDArray[np.int64]
    ranks: NDArray[np.int64]
    shares: NDArray[np.float64]
    fusion: NDArray[np.float64]


def collect_candidates(rankings: Sequence[NDArray[np.int64]], *, k: int) -> Candidates:
    """The candidates of one query.

    Args:
        rankings: ids of each part, best first.
        k: what is added to each rank.
    """
    methods = np.unique(np.concatenate([np.zeros(0, np.int64), *rankings]))
    ranks = np.zeros((len(methods), len(rankings)), dtype=np.int64)
    for part, ids in enumerate(rankings):
        ranks[np.searchsorted(methods, ids), part] = np.arange(1, len(ids) + 1)
    shares = np.where(ranks > 0, 1.0 / np.maximum(k + ranks, 1), 0.0)
    # Added from the smallest: methods with the same ranks in other parts have the same sum.
    fusion = np.zeros(len(methods), dtype=np.float64)
    for share in np.sort(shares, axis=1).T:
        fusion += share
    return Candidates(methods, ranks, shares, fusion)
