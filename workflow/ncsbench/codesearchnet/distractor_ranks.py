"""Ranks of pairs among distractors, for Table 3 (CodeSearchNet paper, section 4.3).

Pairs in a random order are cut into pools of equal size; what is left over makes none. In each pool
the right code is ranked among the codes of the pool for each query, and the right query among its
queries for each code. The paper's text has the first direction, the released code the second
(``model_test.py``). Ties count against the system, as there (DEV-154).
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

ALL = "all"
"""The scope of pools that have pairs of all languages."""
RANK_SCHEMA = pa.schema(
    [
        pa.field("language", pa.string(), nullable=False),
        pa.field("function_id", pa.int64(), nullable=False),
        pa.field("scope", pa.string(), nullable=False),
        pa.field("pool", pa.int32(), nullable=False),
        pa.field("code_rank", pa.int32(), nullable=False),
        pa.field("query_rank", pa.int32(), nullable=False),
    ]
)
"""Ranks of one system. ``scope``: ``language``, or ``all`` where a pool has pairs of all languages.

``code_rank`` is that of the right code for its query, ``query_rank`` that of the right query for
its code, both from 1 to ``pool``.
"""


def draw_pools(pairs: int, pool: int, *, seed: int) -> list[NDArray[np.int64]]:
    """Positions of the pairs of each pool, shape (pool,); none where there are fewer pairs."""
    order = np.random.default_rng(seed).permutation(pairs)
    return [order[start : start + pool] for start in range(0, pairs - pool + 1, pool)]


def rank_pool(scores: NDArray[np.float64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Ranks of the right codes and of the right queries in one pool.

    Args:
        scores: queries by codes, shape (pool, pool); right ones on the diagonal; minus infinity for
            what a ranking lacks.

    Returns:
        ``code_rank`` and ``query_rank``, int32, shape (pool,).
    """
    right = np.diagonal(scores)
    code_ranks = (scores >= right[:, None]).sum(axis=1)
    query_ranks = (scores >= right[None, :]).sum(axis=0)
    return code_ranks.astype(np.int32), query_ranks.astype(np.int32)


def mean_reciprocal_rank(ranks: NDArray[np.int32]) -> float:
    """Mean of 1 / rank; not-a-number without ranks."""
    return float((1 / ranks).mean()) if len(ranks) else float("nan")


def random_reciprocal_rank(pool: int) -> float:
    """What a random order is expected to reach: the sum of 1 / rank over a pool, by its size."""
    return float((1 / np.arange(1, pool + 1)).sum() / pool)
