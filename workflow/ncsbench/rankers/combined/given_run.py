"""A run made elsewhere, as a model: nothing is searched, rankings are looked up.

The run answers only the questions that it was made for, on the corpus that it was made for. So the
model has no other seeds, and is not searched deeper or among a part of the corpus
(``RankerOptions.given``).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.index_files import Arrays
from ncsbench.corpus.indexes.top_results import (
    NOTHING,
    Ranking,
    check_depth,
    collect_run,
    split_run,
)
from ncsbench.corpus.layout.documents import Documents
from ncsbench.errors import DataError
from ncsbench.rankers.combined.given_rankings import hash_title, read_asked, read_rankings
from ncsbench.rankers.corpus_ranker import IndexedRanker
from ncsbench.rankers.lexical.order_options import GivenRunOptions
from ncsbench.rankers.protocol import FitInputs, Ranker

_LOG = logging.getLogger("given_run")


class GivenRun(IndexedRanker, kind="given_run", options=GivenRunOptions):
    """The rankings of a file; a question that the file has no ranking of has an empty one."""

    _options: GivenRunOptions
    _arrays = ("query_ids", "ids", "scores", "asked", "titles")

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        super().__init__(options=options, seed=seed)
        self._rankings: dict[int, Ranking] = {}
        self._titles: dict[int, int] = {}
        self._told: set[int] = set()

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Read the run and look its documents up in the corpus.

        Raises:
            DataError: where the run is of another corpus or names a document that the corpus lacks,
                or the file is no run.
        """
        path = self._options.run
        if self._options.corpus != corpus.corpus_hash:
            raise DataError(
                f"{path}: is a run of corpus {self._options.corpus[:12]}, and this one is "
                f"{corpus.corpus_hash[:12]}; leave the model out, or add a run of this corpus: "
                "ncsbench runs add"
            )
        self._attach(corpus)
        self._titles = read_asked(Path(self._options.questions))
        self._rankings = split_run(read_rankings(Path(path), inputs["methods"], self._titles))

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the first ``k`` results of each ranking.

        Raises:
            DataError: for a question that the run was not made for.
        """
        check_depth(k)
        for query in queries:
            if self._titles.get(query.query_id) != hash_title(query.text):
                raise DataError(
                    f"{self._options.run}: question {query.query_id}, {query.text[:100]!r}, is "
                    "not one that the run was added for; add a run for the questions of today: "
                    "ncsbench runs add"
                )
        found = {query.query_id: self._rankings.get(query.query_id, NOTHING) for query in queries}
        self._tell_of_short(found, k)
        return collect_run((id_, (ids[:k], scores[:k])) for id_, (ids, scores) in found.items())

    def _tell_of_short(self, found: Mapping[int, Ranking], k: int) -> None:
        """Warn once of questions with too few results; of no result at all the caller warns."""
        short = {id_ for id_, (ids, _) in found.items() if 0 < len(ids) < k} - self._told
        self._told |= short
        if short:
            _LOG.warning(
                "%s: %d of %d questions have fewer than %d results; what is not there counts as "
                "not found",
                self._options.run, len(short), len(found), k,
            )  # fmt: skip

    @property
    def _made_with(self) -> dict[str, Any]:
        return self._options.model_dump()

    def _list_arrays(self) -> Arrays:
        """Return the rankings as method ids, and the questions that they answer."""
        run = collect_run(self._rankings.items())
        asked = sorted(self._titles)
        titles = [self._titles[query_id] for query_id in asked]
        parts = (
            *(run.query_ids, run.ids, run.scores),
            *(np.array(asked, np.int32), np.array(titles, np.uint64)),
        )
        return dict(zip(self._arrays, parts, strict=True))

    def _take_arrays(self, arrays: Arrays, folder: Path) -> None:
        query_ids, ids, scores, asked, titles = map(np.array, arrays.values())
        self._rankings = split_run(Run(query_ids=query_ids, ids=ids, scores=scores))
        self._titles = dict(zip(asked.tolist(), titles.tolist(), strict=True))


RANKER: type[Ranker] = GivenRun
