"""Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009) of the rankings of its parts.

A method has the sum of 1 / (k + rank) over the parts whose ranking holds it, ranks from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents, find_first_of_equal, hash_texts
from ncsbench.indexes.index_files import read_index, write_index
from ncsbench.indexes.top_results import check_depth, collect_run, take_top
from ncsbench.rankers.partial_search import find_first_alone
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.rank_fusion_options import RankFusionOptions
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.rankers.reciprocal_ranks import search_parts
from ncsbench.runs.rankings import Query, Run


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
        self._first: NDArray[np.int64] | None = None

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Find equal methods, where these are to be collapsed."""
        collapsed = self._options.duplicates == "collapsed"
        self._attach(
            corpus, find_first_of_equal(hash_texts(corpus.words.join())) if collapsed else None
        )

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The ``k`` best of the fused rankings."""
        check_depth(k)
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        found = search_parts(self._searched, queries, depth=self._options.depth, k=self._options.k)
        return collect_run(
            (query.query_id, take_top(methods, sums, k=k)) for query, (methods, sums) in found
        )

    def save(self, folder: Path) -> None:
        """Write which method is the first of equal ones, where that counts."""
        if self._corpus is None:
            raise RuntimeError("fit or load comes before save")
        arrays = {} if self._first is None else {"first": self._first}
        write_index(folder, corpus=self._corpus, options=self._describe(), arrays=arrays)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote."""
        names = ["first"] if self._options.duplicates == "collapsed" else []
        arrays = read_index(folder, corpus=corpus, options=self._describe(), names=names)
        self._attach(corpus, arrays[0] if arrays else None)

    def _describe(self) -> dict[str, Any]:
        return {"duplicates": self._options.duplicates}

    def _attach(self, corpus: Documents, first: NDArray[np.int64] | None) -> None:
        self._corpus, self._first = corpus, first
        self._searched = [
            part if first is None else find_first_alone(part, first) for part in self._parts
        ]


RANKER: type[Ranker] = RankFusion
