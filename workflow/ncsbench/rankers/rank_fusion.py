"""Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009) of the rankings of its parts.

A method has the sum of 1 / (k + rank) over the parts whose ranking holds it, ranks from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.corpus.equal_words import find_first_equal
from ncsbench.indexes.index_files import read_index, write_index
from ncsbench.indexes.top_results import Ranking, check_depth, collect_run, split_run, take_top
from ncsbench.rankers.partial_search import PartialRanker
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.rank_fusion_options import RankFusionOptions
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.runs.rankings import Query, Run

_NOTHING: Ranking = (np.zeros(0, np.int64), np.zeros(0, np.float64))


class RankFusion:
    """The fused rankings of its parts, ties by ascending id.

    With ``duplicates: collapsed`` every part searches among the first methods of each set of equal
    ones, as if the corpus had no others; its index says which these are.
    """

    options_type: ClassVar[type[RankerOptions]] = RankFusionOptions

    def __init__(
        self,
        *,
        options: Mapping[str, Any],
        parts: Mapping[str, Ranker],
        base: Ranker | None = None,
        seed: int,
    ) -> None:
        self._options = RankFusionOptions.parse(options, where="rank_fusion")
        self._parts = list(parts.values())
        self._searched: list[Ranker] = []
        self._corpus: Documents | None = None
        self._arrays: dict[str, NDArray[np.bool_]] = {}

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Find equal methods, where these are to be collapsed."""
        arrays = {}
        if self._options.duplicates == "collapsed":
            first = find_first_equal(corpus.words)
            arrays["firsts"] = first == np.arange(len(first))
        self._attach(corpus, arrays)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The ``k`` best of the fused rankings."""
        check_depth(k)
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        runs = [split_run(part.search(queries, k=self._options.depth)) for part in self._searched]
        return collect_run(
            (row, self._fuse([run.get(row, _NOTHING)[0] for run in runs], k))
            for row in (query.query_id for query in queries)
        )

    def save(self, folder: Path) -> None:
        """Write which methods are the first of equal ones, where that counts."""
        if self._corpus is None:
            raise RuntimeError("fit or load comes before save")
        write_index(folder, corpus=self._corpus, options=self._describe(), arrays=self._arrays)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote."""
        names = ["firsts"] if self._options.duplicates == "collapsed" else []
        arrays = read_index(folder, corpus=corpus, options=self._describe(), names=names)
        self._attach(corpus, dict(zip(names, arrays, strict=True)))

    def _describe(self) -> dict[str, Any]:
        return {"duplicates": self._options.duplicates}

    def _attach(self, corpus: Documents, arrays: dict[str, NDArray[np.bool_]]) -> None:
        self._corpus, self._arrays = corpus, arrays
        firsts = arrays.get("firsts")
        self._searched = [
            part if firsts is None else PartialRanker(part, firsts) for part in self._parts
        ]

    def _fuse(self, rankings: Sequence[NDArray[np.int64]], k: int) -> Ranking:
        weights = [1 / (self._options.k + np.arange(1.0, len(ids) + 1)) for ids in rankings]
        ids, shares = np.concatenate(rankings), np.concatenate(weights)
        # Added from the smallest: methods with the same ranks in other parts have the same sum.
        order = np.lexsort((shares, ids))
        found, places = np.unique(ids[order], return_inverse=True)
        sums = np.bincount(places, weights=shares[order], minlength=len(found))
        return take_top(found, sums.astype(np.float64, copy=False), k=k)


RANKER: type[Ranker] = RankFusion
