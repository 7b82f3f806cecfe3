"""Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009) of the rankings of several models.

The score of a method is the sum of 1 / (k + rank) over the parts whose ranking has the method;
ranks count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.top_results import (
    NOTHING,
    Ranking,
    check_depth,
    collect_run,
    split_run,
    take_top,
)
from ncsbench.corpus.layout.documents import Documents, find_first_of_equal, hash_texts
from ncsbench.rankers.combined.combined_ranker import find_first_alone
from ncsbench.rankers.corpus_ranker import IndexedRanker
from ncsbench.rankers.lexical.order_options import RankFusionOptions
from ncsbench.rankers.protocol import FitInputs, Ranker


class RankFusion(IndexedRanker, kind="rank_fusion", options=RankFusionOptions):
    """The fused rankings of the parts, ties by ascending id.

    With ``duplicates: collapsed`` every part finds only the first method of each set of equal ones,
    as if the corpus had no others; the index of this ranker says which methods these are.
    """

    _options: RankFusionOptions
    _first: NDArray[np.int64]

    def __init__(
        self,
        *,
        options: Mapping[str, Any],
        parts: Mapping[str, Ranker],
        base: Ranker | None = None,
        seed: int,
    ) -> None:
        super().__init__(options=options, seed=seed)
        self._parts = list(parts.values())

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Find the first of equal methods, where the index is to name them."""
        if self._has_first():
            self._first = find_first_of_equal(hash_texts(corpus.words.join()))
        self._attach(corpus)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the ``k`` best methods of the fused rankings."""
        check_depth(k)
        runs = [split_run(part.search(queries, k=self._options.depth)) for part in self._searched]
        return collect_run(
            (id_, self._rank([run.get(id_, NOTHING)[0] for run in runs], k))
            for id_ in (query.query_id for query in queries)
        )

    @property
    def _arrays(self) -> Sequence[str]:  # type: ignore[override]
        return ("first",) if self._has_first() else ()

    def _has_first(self) -> bool:
        """Say whether the index names, for each method, the first of the methods equal to it."""
        return self._options.duplicates == "collapsed"

    @property
    def _made_with(self) -> dict[str, Any]:
        return {"duplicates": self._options.duplicates}

    def _attach(self, corpus: Documents) -> None:
        super()._attach(corpus)
        self._searched: list[Ranker] = self._parts
        if self._options.duplicates == "collapsed":
            self._searched = [find_first_alone(part, self._first) for part in self._parts]

    def _rank(self, rankings: Sequence[NDArray[np.int64]], k: int) -> Ranking:
        """Fuse the rankings of one query by the parts; return the ``k`` best methods."""
        return take_top(*sum_reciprocal_ranks(rankings, k=self._options.k), k=k)


def sum_reciprocal_ranks(rankings: Sequence[NDArray[np.int64]], *, k: int) -> Ranking:
    """Sum 1 / (k + rank), ranks from 1, for each method that the rankings have.

    Cormack, Clarke, Büttcher (SIGIR 2009).

    Args:
        rankings: distinct ids of each part, best first, shape (methods that the part ranks,).
        k: number added to each rank.

    Returns:
        Ids, ascending, int64, and sums, float64, both of shape (methods,).
    """
    methods = np.unique(np.concatenate([np.zeros(0, np.int64), *rankings]))
    shares = np.zeros((len(methods), len(rankings)), dtype=np.float64)
    for part, ids in enumerate(rankings):
        shares[np.searchsorted(methods, ids), part] = 1.0 / np.arange(k + 1, k + len(ids) + 1)
    # Added from the smallest number on, so that methods with the same ranks, but in other parts,
    # have exactly the same sum.
    sums = np.zeros(len(methods), dtype=np.float64)
    for share in np.sort(shares, axis=1).T:
        sums += share
    return methods, sums


RANKER: type[Ranker] = RankFusion
