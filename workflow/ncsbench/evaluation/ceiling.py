"""What a perfect ranking of the corpus would reach: the questions with any accepted method."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.evaluation.results import Judge


def rank_ceiling(
    matches: pa.Table, judge: Judge, query_ids: NDArray[np.int32]
) -> NDArray[np.int32]:
    """First ranks of a perfect ranking: 1 where the corpus holds an accepted method, else 0.

    Args:
        matches: ``judge``, ``query_id`` and ``similarity`` as in ``MATCH_SCHEMA``: the best method
            of the whole corpus for each question, not only those that some model retrieved.
        judge: any similarity with any threshold from that of the matches on.
        query_ids: query ids of the questions, shape (questions,).

    Returns:
        int32, shape (questions,), in the order of ``query_ids``.
    """
    accepted = pc.and_(
        pc.equal(matches["judge"], judge.similarity),
        pc.greater(matches["similarity"], judge.threshold),
    )
    return np.isin(query_ids, matches["query_id"].filter(accepted).to_numpy()).astype(np.int32)
