"""Runs of candidates in any order, for tests."""

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Run, find_fault, ranks_in_run


def make_run(
    *, query_ids: NDArray[np.int32], ids: NDArray[np.int64], scores: NDArray[np.float64], depth: int
) -> Run:
    """Rank candidates: by query id, then by score from high to low, then by ascending id.

    Args:
        query_ids: ids of questions, shape (n,), in any order.
        ids: method ids, shape (n,); no id twice for one query.
        scores: finite scores, shape (n,).
        depth: how many candidates of one query are kept, at least 0.

    Raises:
        ValueError: for scores that are not finite and for an id that occurs twice in one query.
    """
    query_ids = np.asarray(query_ids, dtype=np.int32)
    ids = np.asarray(ids, dtype=np.int64)
    scores = np.asarray(scores, dtype=np.float64)
    order = np.lexsort((ids, -scores, query_ids))
    run = Run(query_ids=query_ids[order], ids=ids[order], scores=scores[order])
    fault = find_fault(run)
    if fault is not None:
        raise ValueError(f"query id {run.query_ids[fault[0]]}: {fault[1]}")
    kept = ranks_in_run(run) <= depth
    return Run(query_ids=run.query_ids[kept], ids=run.ids[kept], scores=run.scores[kept])
