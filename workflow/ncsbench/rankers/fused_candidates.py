"""The methods that several rankings hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.indexes.top_results import NOTHING, split_run
from ncsbench.rankers.protocol import Ranker
from ncsbench.runs.rankings import Query


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


def search_candidates(
    parts: Sequence[Ranker], queries: Sequence[Query], *, depth: int, k: int
) -> Iterator[tuple[Query, Candidates]]:
    """Each query, in order, with its candidates.

    Args:
        parts: ready to search.
        queries: with distinct ids.
        depth: how many methods of each part's ranking are candidates.
        k: what is added to each rank.
    """
    runs = [split_run(part.search(queries, k=depth)) for part in parts]
    for query in queries:
        rankings = [run.get(query.query_id, NOTHING)[0] for run in runs]
        yield query, collect_candidates(rankings, k=k)


def collect_candidates(rankings: Sequence[NDArray[np.int64]], *, k: int) -> Candidates:
    """The candidates of one query.

    Args:
        rankings: distinct ids of each part, best first, shape (methods that it ranks,).
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
