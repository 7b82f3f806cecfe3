"""Search with a ranker that anybody may have written: the one place where its runs are checked."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ncsbench.base.runs.rankings import Query, Run, find_fault, ranks_in_run
from ncsbench.base.text.safe_text import cut_text, show_line
from ncsbench.corpus.indexes.top_results import NOTHING, Ranking, ScoreError, split_run
from ncsbench.errors import DataError

_LOG = logging.getLogger("rankers")
_ALONE = 10
TOLERANCE = 1e-5
"""The largest difference between the scores of a query that is asked alone and of the same query
among others, as a share of its largest score: a matrix product of a batch rounds otherwise than
that of one query. Our own rankers need no such tolerance."""


class Searcher(Protocol):
    """An object that can search: a ranker, or a ``CheckedSearch`` around one."""

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods for every query, at most ``k`` for each, best first."""


@dataclass(frozen=True)
class CheckedSearch:
    """A ranker whose runs are checked against the promises of ``rankers.protocol``.

    Attributes:
        ranker: the ranker, ready to search.
        name: name of the model in error messages.
        methods: number of methods of the corpus.
    """

    ranker: Searcher
    name: str
    methods: int

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the run of the ranker, checked.

        Raises:
            DataError: naming the ranker, the question and the fault, where the run is not valid: a
                score that is not finite, a method outside of the corpus or twice for a question, a
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

    def check_alone(self, run: Run, queries: Sequence[Query], *, k: int) -> None:
        """Ask ten of the queries, spread over all, one by one; compare the rankings with ``run``.

        Scores may differ by ``TOLERANCE``, and methods whose scores are closer may change places.

        Args:
            run: the run that ``search`` returned for all queries together.
            queries: the queries.
            k: as in ``search``.

        Raises:
            DataError: naming the first query whose ranking depends on the others.
        """
        together = split_run(run)
        chosen = np.linspace(0, len(queries) - 1, min(_ALONE, len(queries))).round().astype(int)
        for query in (queries[position] for position in chosen.tolist()):
            alone = split_run(self.search([query], k=k)).get(query.query_id, NOTHING)
            found = together.get(query.query_id, NOTHING)
            if difference := _find_difference(alone, found, k):
                raise DataError(
                    f"model {self.name}: {_name(query)}: {difference}; the ranking of a question "
                    "must not depend on the others; mend 'search' of its ranker"
                )

    def warn_of_empty(self, run: Run, queries: Sequence[Query]) -> None:
        """Log how many queries have no result, and the first of them."""
        found = set(run.query_ids.tolist())
        empty = [query for query in queries if query.query_id not in found]
        if empty:
            _LOG.warning(
                "model %s: finds nothing for %d of %d questions: %s%s",
                self.name, len(empty), len(queries), _name(empty[0]),
                " is the first" if len(empty) > 1 else "",
            )  # fmt: skip

    def _find_failing(self, queries: Sequence[Query], k: int) -> str:
        """Name the first query that cannot be ranked, since ``take_top`` does not know queries."""
        for query in queries:
            try:
                self.ranker.search([query], k=k)
            except ScoreError:
                return f"{_name(query)}: "
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
                return _describe(run, int(positions[0]), message, queries)
        fault = find_fault(run)
        return None if fault is None else _describe(run, *fault, queries)


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


def _find_difference(alone: Ranking, together: Ranking, k: int) -> str | None:
    """Describe how the ranking of a query asked alone differs; None where it does not."""
    if all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True)):
        return None
    if len(alone[0]) != len(together[0]):
        return f"has {len(alone[0])} methods when it is asked alone, else {len(together[0])}"
    scores, others = (
        dict(zip(one[0].tolist(), one[1].tolist(), strict=True)) for one in (alone, together)
    )
    limit = TOLERANCE * max(map(abs, [*scores.values(), *others.values()]))
    # A full ranking may end with another method of (nearly) the same score.
    full = len(scores) == k
    last, other_last = (one[1][-1] if full else np.nan for one in (alone, together))
    for id_ in dict.fromkeys([*alone[0].tolist(), *together[0].tolist()]):
        if not abs(scores.get(id_, last) - others.get(id_, other_last)) <= limit:
            first, second = (
                f"{found[id_]:g}" if id_ in found else "none" for found in (scores, others)
            )
            return f"method {id_} has the score {first} when it is asked alone, else {second}"
    return None


def _describe(run: Run, position: int, message: str, queries: Sequence[Query]) -> str:
    asked = {query.query_id: query for query in queries}
    query_id = int(run.query_ids[position])
    where = _name(asked[query_id]) if query_id in asked else f"query id {query_id}"
    return f"{where}, method {run.ids[position]}, score {run.scores[position]:g}: {message}"


def _name(query: Query) -> str:
    """Return the query's id and the beginning of its text as one safe line."""
    [text] = cut_text(show_line(query.text), lines=1, width=60)
    return f"query id {query.query_id} ({text})"
