"""The methods of several rankings in one order, without copies of each other.

Each part gives its best methods, which are put in order by their sums of reciprocal ranks, as
``rank_fusion`` does (Cormack, Clarke, Büttcher, SIGIR 2009); then near copies of better ones leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents, find_first_of_equal, hash_texts
from ncsbench.indexes.index_files import read_index, write_index
from ncsbench.indexes.top_results import Ranking, check_depth, collect_run, take_top
from ncsbench.rankers.fused_options import FusedOptions
from ncsbench.rankers.near_copies import keep_distinct
from ncsbench.rankers.partial_search import find_first_alone
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.rankers.reciprocal_ranks import search_parts
from ncsbench.runs.rankings import Query, Run


class Fused:
    """Methods that the parts find by their sums, ties by ascending id.

    Its index says of each method which is the first with the same words.
    """

    options_type: ClassVar[type[RankerOptions]] = FusedOptions

    def __init__(
        self,
        *,
        options: Mapping[str, Any],
        parts: Mapping[str, Ranker],
        base: Ranker | None = None,
        seed: int,
    ) -> None:
        self._options = FusedOptions.parse(options, where="fused")
        self._parts = list(parts.values())
        self._searched: list[Ranker] = []
        self._corpus: Documents | None = None
        self._first: NDArray[np.int64]

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Find equal methods."""
        self._attach(corpus, find_first_of_equal(hash_texts(corpus.words.join())))

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The ``k`` best methods that are no near copies of a better one."""
        check_depth(k)
        self._fitted()
        found = search_parts(self._searched, queries, depth=self._options.depth, k=self._options.k)
        return collect_run(
            (query.query_id, self._rank(methods, sums, k)) for query, (methods, sums) in found
        )

    def save(self, folder: Path) -> None:
        """Write which method is the first of equal ones."""
        write_index(folder, corpus=self._fitted(), options={}, arrays={"first": self._first})

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote."""
        (first,) = read_index(folder, corpus=corpus, options={}, names=["first"])
        self._attach(corpus, first)

    def _attach(self, corpus: Documents, first: NDArray[np.int64]) -> None:
        self._corpus, self._first = corpus, first
        self._searched = self._parts
        if self._options.duplicates == "collapsed":
            self._searched = [find_first_alone(part, first) for part in self._parts]

    def _fitted(self) -> Documents:
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search and save")
        return self._corpus

    def _rank(self, methods: NDArray[np.int64], sums: NDArray[np.float64], k: int) -> Ranking:
        least = self._options.near_copies
        if not least > 0:
            return take_top(methods, sums, k=k)
        methods, sums = take_top(methods, sums, k=max(1, len(methods)))
        kept = keep_distinct(methods, self._fitted().words, least=least, k=k)
        return methods[kept], sums[kept]


RANKER: type[Ranker] = Fused
