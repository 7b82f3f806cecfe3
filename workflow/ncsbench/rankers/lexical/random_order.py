"""Chance baselines: methods in random order, from the whole corpus or only from its long methods.

The judge of the published evaluation compares an answer with a pruned method and so favours long
methods. Scores in a table say little without the scores of random methods and of random long ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.top_results import check_depth, collect_run
from ncsbench.corpus.layout.documents import Documents
from ncsbench.rankers.corpus_ranker import IndexedRanker
from ncsbench.rankers.lexical.order_options import RandomOrderOptions
from ncsbench.rankers.protocol import FitInputs, Ranker


class RandomOrder(IndexedRanker, kind="random_order", options=RandomOrderOptions):
    """A seeded random ranking; it is empty where no method is long enough."""

    _options: RandomOrderOptions
    _pool: NDArray[np.int64]

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Find the methods to draw from."""
        self._attach(corpus)

    def _attach(self, corpus: Documents) -> None:
        super()._attach(corpus)
        self._pool = np.flatnonzero(corpus.lines >= self._options.minimum_lines)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Draw methods without replacement; the score is minus the rank.

        Each query has its own generator, seeded by the run's seed and the query id, so that its
        ranking does not depend on the other queries.
        """
        check_depth(k)
        scores = -np.arange(1.0, min(k, len(self._pool)) + 1)
        return collect_run((query.query_id, (self._draw(query, k), scores)) for query in queries)

    def _draw(self, query: Query, k: int) -> NDArray[np.int64]:
        generator = np.random.default_rng([self._seed, query.query_id])
        # A copy: a slice would keep the order of all methods in memory until the last query.
        return generator.permutation(self._pool)[:k].copy()


RANKER: type[Ranker] = RandomOrder
