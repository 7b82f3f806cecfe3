"""Searching with a ranker that anybody may have written: its runs are checked in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ncsbench.errors import DataError
from ncsbench.indexes.top_results import ScoreError
from ncsbench.runs.rankings import Query, Run, find_fault, ranks_in_run


class Searcher(Protocol):
    """What can search: a ranker, or one whose answers are checked."""

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods for every query, at most ``k`` for each, best first."""


@dataclass(frozen=True)
class CheckedSearch:
    """A ranker whose runs are held to what ``runs.rankings.Run`` and ``rankers.protocol`` promise.

    Attributes:
        ranker: ready to search.
        name: what to call it in an error message.
        methods: number of methods of the corpus.
    """

    ranker: Searcher
    name: str
    methods: int

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """The run of the ranker.

        Raises:
            DataError: naming the ranker, the question and the fault, where the run is none: a score
                that is not finite, a method outside of the corpus or twice for a question, a
                question that was not asked, more than ``k`` methods, a wrong order.
        """
        try:
            run = self.ranker.search(queries, k=k)
        except ScoreError as error:
            where = self._find_failing(queries, k)
            message = f"model {self.name}: {where}{error}; mend 'search' of its ranker"
            raise DataError(message) from error
        except DataError as error:
            raise DataError(f"model {self.name}: {error}") from error
        fault = _find_wrong_type(run) or self._find_fault(run, queries, k)
        if fault:
            raise DataError(f"model {self.name}: {fault}; mend 'search' of its ranker")
        return run

    def _find_failing(self, queries: Sequence[Query], k: int) -> str:
        """Names the first query that cannot be ranked; ``take_top`` does not know it."""
        for query in queries:
            try:
                self.ranker.search([query], k=k)
            except ScoreError:
                return f"query id {query.query_id}: "
        return ""

    def _find_fault(self, run: Run, queries: Sequence[Query], k: int) -> str | None:
        asked = np.array([query.query_id for query in queries], dtype=np.int64)
        outside = (run.ids < 0) | (run.ids >= self.methods)
        faults = [
            (np.flatnonzero(~np.isin(run.query_ids, asked)), "the question was not asked"),
            (
                np.flatnonzero(outside),
                f"the method id must be from 0 to {self.methods - 1}, the last of the corpus",
            ),
            (np.flatnonzero(ranks_in_run(run) > k), f"has more than {k} methods"),
        ]
        for positions, message in faults:
            if len(positions):
                return _describe(run, int(positions[0]), message)
        fault = find_fault(run)
        return None if fault is None else _describe(run, *fault)


def _find_wrong_type(run: object) -> str | None:
    if not isinstance(run, Run):
        return f"'search' returned a {type(run).__name__}, not a Run"
    shapes = [getattr(array, "shape", None) for array in (run.query_ids, run.ids, run.scores)]
    if shapes != [(len(run.query_ids),)] * 3:
        return "query ids, ids and scores of the run must be arrays of one length"
    kinds = "".join(array.dtype.kind for array in (run.query_ids, run.ids, run.scores))
    if kinds != "iif":
        return "query ids and ids of the run must be signed integers, scores floating-point numbers"
    return None


def _describe(run: Run, position: int, message: str) -> str:
    where = f"query id {run.query_ids[position]}, method {run.ids[position]}"
    return f"{where}, score {run.scores[position]:g}: {message}"
