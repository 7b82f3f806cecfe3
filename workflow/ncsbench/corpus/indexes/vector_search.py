"""Exact search of vectors by inner product.

The search gives the same bits on any number of cores. FAISS sums in single precision, in an order
that depends on threads and batch size, and returns only some of the methods that tie at rank k. So
FAISS, or NumPy for few queries, only chooses candidates: all vectors whose true product may be
among the k largest, given an upper bound of the rounding error. Candidates are scored again in
double precision, one by one, and ties go to the lowest id (DEV-18).
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.top_results import Ranking, take_top

# FAISS reads this when it is imported: its threads sleep while they wait for work. By default they
# take as much processor time as a search of 100,000 vectors.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# Limits copies of a block: 524 MB in double precision at 500 dimensions, if all scores tie.
_BLOCK = 1 << 17
_FEW = 4  # Fewer queries take half of FAISS's time with a plain product.


def find_nearest(
    queries: NDArray[np.float64],
    vectors: NDArray[np.float32],
    ids: NDArray[np.int64],
    *,
    k: int,
) -> list[Ranking]:
    """Find the ``k`` unit vectors with the largest inner products for each query.

    Args:
        queries: unit vectors, shape (q, dimension).
        vectors: unit vectors to search, C-contiguous, shape (n, dimension).
        ids: ids of the vectors to search, shape (n,).
        k: number of vectors to return, at least 1.
    """
    rankings = [(np.zeros(0, np.int64), np.zeros(0, np.float64)) for _ in queries]
    if not len(queries):
        return rankings
    singles = queries.astype(np.float32)
    for start in range(0, len(vectors), _BLOCK):
        block = vectors[start : start + _BLOCK]
        for i, rows in enumerate(_choose_candidates(singles, block, k)):
            scores = (block[rows].astype(np.float64) * queries[i]).sum(axis=1)
            found, best = rankings[i]
            rankings[i] = take_top(
                np.concatenate([found, ids[start + rows]]), np.concatenate([best, scores]), k=k
            )
    return rankings


def _choose_candidates(
    queries: NDArray[np.float32], block: NDArray[np.float32], k: int
) -> list[NDArray[np.int64]]:
    """Return the rows of ``block`` with its ``k`` largest products for each query, and ties."""
    # Each of two computed products of unit vectors may be off by dimension * 2^-24, to first
    # order, whatever the order of the sum; twice that covers the rounding of the inputs.
    margin = 4 * (block.shape[1] + 2) * 2.0**-24
    if len(queries) < _FEW:
        last = max(len(block) - k, 0)
        products = queries @ block.T
        limits = np.partition(products, last, axis=1)[:, last] - margin
        return [np.flatnonzero(row >= limit) for row, limit in zip(products, limits, strict=True)]
    import faiss

    asked = min(2 * k, len(block))
    # By default FAISS lets BLAS make the products only from 128,000 queries on, although they take
    # a quarter of the time, or less, with BLAS.
    faiss.cvar.distance_compute_blas_threshold = _FEW
    scores, rows = faiss.knn(queries, block, asked, metric=faiss.METRIC_INNER_PRODUCT)
    limits = scores[:, min(k, len(block)) - 1] - margin
    chosen = []
    for i, limit in enumerate(limits):
        if scores[i, -1] >= limit and asked < len(block):
            # More than k methods are close to the score at rank k: look at all.
            chosen.append(np.flatnonzero(block @ queries[i] >= limit))
        else:
            chosen.append(rows[i][scores[i] >= limit])
    return chosen
