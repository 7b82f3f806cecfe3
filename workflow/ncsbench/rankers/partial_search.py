"""Searching among some of the methods of an index, as if only these were in the corpus.

Vectors and frequencies of words stay those of the whole corpus.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.indexes.top_results import Ranking, collect_run, split_run
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.runs.rankings import Query, Run


class PartialRanker:
    """A ranker that finds only some methods; others can build on it.

    Attributes:
        ranker: what searches, no ``PartialRanker`` itself.
        allowed: whether a method may be found, bool, shape (methods,), index = method id.

    Args:
        ranker: what searches; one that finds only some methods itself finds those allowed by both.
        allowed: see above.
    """

    options_type: ClassVar[type[RankerOptions]] = RankerOptions

    def __init__(self, ranker: Ranker, allowed: NDArray[np.bool_]) -> None:
        if isinstance(ranker, PartialRanker):
            allowed, ranker = ranker.allowed & allowed, ranker.ranker
        self.ranker: Ranker = ranker
        self.allowed: NDArray[np.bool_] = allowed

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the ranker on the whole corpus."""
        self.ranker.fit(corpus=corpus, **inputs)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The ``k`` best of the allowed methods for every query.

        Since a smaller depth gives the beginning of the same ranking, it is enough to look ever
        deeper until ``k`` allowed methods were met or the ranking ends. The first depth holds twice
        as many as ``k`` if the allowed ones are spread evenly: a search of all methods costs more.
        """
        found: dict[int, Ranking] = {}
        left, before = list(queries), dict.fromkeys((query.query_id for query in queries), -1)
        depth = max(k, 2 * k * len(self.allowed) // max(1, int(np.count_nonzero(self.allowed))))
        while left:
            rankings = split_run(self.ranker.search(left, k=depth))
            for row, (ids, scores) in rankings.items():
                kept = np.flatnonzero(self.allowed[ids])[:k]
                found[row] = (ids[kept], scores[kept])
            lengths = {row: len(ids) for row, (ids, _) in rankings.items()}
            left = [
                query
                for query in left
                if before[query.query_id] < lengths.get(query.query_id, -1)
                and len(found[query.query_id][0]) < k
            ]
            before |= lengths
            depth *= 2
        return collect_run(found.items())

    def save(self, folder: Path) -> None:
        """Write the index of the whole corpus."""
        self.ranker.save(folder)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the index of the whole corpus."""
        self.ranker.load(folder, corpus=corpus)


def find_first_alone(ranker: Ranker, first: NDArray[np.int64]) -> PartialRanker:
    """The ranker, of each set of equal methods finding the first that it may find.

    Args:
        ranker: what searches, all methods or, a ``PartialRanker``, some.
        first: the first of the methods that equal each one, shape (methods,).
    """
    members = np.arange(len(first))
    if isinstance(ranker, PartialRanker):
        members = members[ranker.allowed]
    allowed = np.zeros(len(first), dtype=np.bool_)
    allowed[members[np.unique(first[members], return_index=True)[1]]] = True
    return PartialRanker(ranker, allowed)
