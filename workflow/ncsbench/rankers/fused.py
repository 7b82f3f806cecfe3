"""The candidates of several rankers in one order, without copies of each other.

Each part gives its best methods; a candidate has features (``fused_features``), from which trees
that were trained on threads make its score. Without trees it is the sum of reciprocal ranks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.corpus.equal_words import find_first_equal
from ncsbench.indexes.index_files import read_index, write_index
from ncsbench.indexes.top_results import Ranking, check_depth, collect_run, take_top
from ncsbench.learning_to_rank.tree_record import AboutTrees
from ncsbench.learning_to_rank.trees import Trees, load_trees, read_about, save_trees
from ncsbench.rankers.fused_candidates import Candidates, search_candidates
from ncsbench.rankers.fused_features import FeatureReader
from ncsbench.rankers.fused_options import FusedOptions
from ncsbench.rankers.near_copies import keep_distinct
from ncsbench.rankers.partial_search import find_first_alone
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.runs.rankings import Query, Run

_TREES = "trees"


class Fused:
    """Candidates of the parts by score, ties by ascending id.

    Its index says of each method which is the first with the same words, and holds the trees.
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
        self._parts = parts
        self._searched: list[Ranker] = []
        self._corpus: Documents | None = None
        self._first: NDArray[np.int64]
        self._made_reader: FeatureReader | None = None
        self._trees: tuple[Trees, AboutTrees] | None = None

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Find equal methods and take the trees, where there are some."""
        self._attach(corpus, find_first_equal(corpus.words), inputs.get("trees"))

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The ``k`` best candidates that are no near copies of a better one."""
        check_depth(k)
        return collect_run(
            (query.query_id, self._rank(query.text, candidates, k))
            for query, candidates in self._find(queries)
        )

    def describe(self, query: Query) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """All candidates of a query, near copies among them, and their features.

        Returns:
            Ids, ascending, shape (candidates,), and float32, shape (candidates, features), whose
            columns ``reader.names`` names.
        """
        ((_, candidates),) = self._find([query])
        return candidates.methods, self.reader.read(query.text, candidates)

    @property
    def reader(self) -> FeatureReader:
        """What reads the features, made when it is first asked for."""
        if self._made_reader is None:
            corpus = self._fitted()
            copies = np.bincount(self._first, minlength=len(corpus))[self._first]
            self._made_reader = FeatureReader(
                self._parts, corpus=corpus, copies=copies, options=self._options
            )
        return self._made_reader

    def save(self, folder: Path) -> None:
        """Write which method is the first of equal ones, and the trees."""
        trees = self._trees
        write_index(
            folder,
            corpus=self._fitted(),
            options={},
            arrays={"first": self._first},
            write_rest=lambda into: None if trees is None else save_trees(into / _TREES, *trees),
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote."""
        (first,) = read_index(folder, corpus=corpus, options={}, names=["first"])
        trees = folder / _TREES
        self._attach(corpus, first, trees if trees.exists() else None)

    def _attach(self, corpus: Documents, first: NDArray[np.int64], trees: Path | None) -> None:
        self._corpus, self._first, self._made_reader = corpus, first, None
        self._searched = list(self._parts.values())
        if self._options.duplicates == "collapsed":
            self._searched = [find_first_alone(part, first) for part in self._searched]
        self._trees = None
        if trees is not None:
            self._trees = load_trees(trees, self.reader.names), read_about(trees)

    def _fitted(self) -> Documents:
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search and save")
        return self._corpus

    def _find(self, queries: Sequence[Query]) -> Iterator[tuple[Query, Candidates]]:
        """The candidates of each query."""
        self._fitted()
        yield from search_candidates(
            self._searched, queries, depth=self._options.depth, k=self._options.k
        )

    def _rank(self, text: str, candidates: Candidates, k: int) -> Ranking:
        methods, scores = take_top(
            candidates.methods,
            self._score(text, candidates),
            k=max(1, len(candidates.methods)),
        )
        if self._options.near_copies > 0:
            words, least = self._fitted().words, self._options.near_copies
            kept = keep_distinct(methods, words, least=least, k=k)
            return methods[kept], scores[kept]
        return methods[:k], scores[:k]

    def _score(self, text: str, candidates: Candidates) -> NDArray[np.float64]:
        if self._trees is None:
            return candidates.fusion
        return self._trees[0].predict(self.reader.read(text, candidates))


RANKER: type[Ranker] = Fused
