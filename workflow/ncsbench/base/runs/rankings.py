"""Queries, and the rankings that a model gives for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Query:
    """One evaluation question as a ranker sees it: its id and its title."""

    query_id: int
    text: str


@dataclass(frozen=True)
class Run:
    """Rankings of one model, ordered by (query id, rank).

    Attributes:
        query_ids: ids of questions, int32, shape (n,).
        ids: method ids, int64, shape (n,); no id twice for one query.
        scores: float64, shape (n,); never increasing within a query, ties by ascending id.
    """

    query_ids: NDArray[np.int32]
    ids: NDArray[np.int64]
    scores: NDArray[np.float64]


def ranks_in_run(run: Run) -> NDArray[np.int32]:
    """Return the rank of every result within its query, from 1; int32, shape (n,)."""
    positions = np.arange(len(run.query_ids))
    first = np.ones(len(run.query_ids), dtype=np.bool_)
    first[1:] = run.query_ids[1:] != run.query_ids[:-1]
    starts = np.maximum.accumulate(np.where(first, positions, 0))
    return (positions - starts + 1).astype(np.int32)


def find_fault(run: Run) -> tuple[int, str] | None:
    """Return position and name of the first violation of the promises of ``Run``; None if valid."""
    query_ids, ids, scores = run.query_ids, run.ids, run.scores
    same_query = query_ids[1:] == query_ids[:-1]
    by_id = np.lexsort((ids, query_ids))
    repeated = (np.diff(query_ids[by_id]) == 0) & (np.diff(ids[by_id]) == 0)
    faults = (
        (np.flatnonzero(~np.isfinite(scores)), "the score is not a finite number"),
        (np.flatnonzero(query_ids[1:] < query_ids[:-1]) + 1, "query ids must ascend"),
        (by_id[1:][repeated], "the method id occurs twice for this query"),
        (
            np.flatnonzero(same_query & (scores[1:] > scores[:-1])) + 1,
            "scores must not increase from one rank to the next",
        ),
        (
            np.flatnonzero(same_query & (scores[1:] == scores[:-1]) & (ids[1:] < ids[:-1])) + 1,
            "equal scores must be ordered by ascending method id",
        ),
    )
    found = [(int(positions.min()), message) for positions, message in faults if len(positions)]
    return min(found, key=lambda fault: fault[0]) if found else None
