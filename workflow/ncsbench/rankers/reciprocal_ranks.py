"""Sums of reciprocal ranks of the methods that several rankings hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ncsbench.indexes.top_results import NOTHING, Ranking, split_run
from ncsbench.rankers.protocol import Ranker
from ncsbench.runs.rankings import Query


def search_parts(
    parts: Sequence[Ranker], queries: Sequence[Query], *, depth: int, k: int
) -> Iterator[tuple[Query, Ranking]]:
    """Each query, in order, with what ``sum_reciprocal_ranks`` gives of its rankings by the parts.

    Args:
        parts: ready to search.
        queries: with distinct ids.
        depth: how many methods of each part's ranking count.
        k: what is added to each rank.
    """
    runs = [split_run(part.search(queries, k=depth)) for part in parts]
    for query in queries:
        rankings = [run.get(query.query_id, NOTHING)[0] for run in runs]
        yield query, sum_reciprocal_ranks(rankings, k=k)


def sum_reciprocal_ranks(rankings: Sequence[NDArray[np.int64]], *, k: int) -> Ranking:
    """The methods that rankings hold, and for each the sum of 1 / (k + rank), ranks from 1.

    Cormack, Clarke, Büttcher (SIGIR 2009).

    Args:
        rankings: distinct ids of each part, best first, shape (methods that it ranks,).
        k: what is added to each rank.

    Returns:
        Ids, ascending, int64, and float64, both of shape (methods,).
    """
    methods = np.unique(np.concatenate([np.zeros(0, np.int64), *rankings]))
    shares = np.zeros((len(methods), len(rankings)), dtype=np.float64)
    for part, ids in enumerate(rankings):
        shares[np.searchsorted(methods, ids), part] = 1.0 / np.arange(k + 1, k + len(ids) + 1)
    # Added from the smallest: methods with the same ranks in other parts have the same sum.
    sums = np.zeros(len(methods), dtype=np.float64)
    for share in np.sort(shares, axis=1).T:
        sums += share
    return methods, sums
