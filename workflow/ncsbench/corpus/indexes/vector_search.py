"""Search of vectors: exact by inner product, or by Annoy as in the code of CodeSearchNet.

Exact search gives the same bits on any number of cores. FAISS sums in single precision, in an order
that depends on threads and batch size, and returns only some of the methods that tie at rank k. So
FAISS only chooses candidates: all vectors whose true product may be among the k largest, given an
upper bound of the rounding error. Candidates are scored again in double precision, one by one, and
ties go to the lowest id (DEV-18).
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.hashes import check_file
from ncsbench.corpus.indexes.top_results import Ranking, take_top
from ncsbench.errors import ConfigurationError, DataError

# Limits copies of a block: 524 MB in double precision at 500 dimensions, if all scores tie.
_BLOCK = 1 << 17


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
    import faiss

    # Each of two computed products of unit vectors may be off by dimension * 2^-24, to first
    # order, whatever the order of the sum; twice that covers the rounding of the inputs.
    margin = 4 * (block.shape[1] + 2) * 2.0**-24
    asked = min(2 * k, len(block))
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


_METRIC = "angular"


def check_annoy() -> None:
    """Raise ``ConfigurationError`` where the package Annoy is missing; nothing is imported."""
    try:
        distribution("annoy")
    except PackageNotFoundError as error:
        raise ConfigurationError(
            "'search: annoy' needs the package 'annoy', which is not installed and has to be "
            "compiled: 'make annoy' (docs/encoders.md), or take 'search: exact'"
        ) from error


class AnnoyForest:
    """Trees of Annoy over the rows of a matrix.

    Args:
        index: index of the package, built or loaded.
    """

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def build(cls, vectors: NDArray[np.float32], *, trees: int, seed: int) -> Self:
        """Build trees over unit vectors, shape (n, dimension), by one thread."""
        from annoy import AnnoyIndex

        index = AnnoyIndex(vectors.shape[1], _METRIC)
        index.set_seed(seed)
        for row, vector in enumerate(vectors):
            index.add_item(row, vector)
        index.build(trees, n_jobs=1)
        return cls(index)

    def save(self, path: Path) -> None:
        """Write the trees, with their vectors, in Annoy's form."""
        self._index.save(str(path))

    @classmethod
    def load(cls, path: Path, shape: tuple[int, int]) -> Self:
        """Load a file that ``save`` wrote for vectors of a shape; ``DataError`` if damaged."""
        from annoy import AnnoyIndex

        check_file(path)
        index = AnnoyIndex(shape[1], _METRIC)
        try:
            index.load(str(path))
        except OSError as error:
            raise DataError(f"{path}: cannot be read by Annoy ({error})") from error
        if index.get_n_items() != shape[0]:
            raise DataError(f"{path}: does not fit the vectors beside it; make the index again")
        return cls(index)

    def find_nearest(
        self,
        queries: NDArray[np.float64],
        vectors: NDArray[np.float32],
        ids: NDArray[np.int64],
        *,
        k: int,
        neighbours: int,
    ) -> list[Ranking]:
        """Return the best ``k`` of the ``neighbours`` rows that Annoy finds for each query.

        The other arguments are those of ``find_nearest``. Annoy looks at more rows where it is
        asked for more; so it is always asked for the same number, and a smaller ``k`` gives the
        beginning of the same ranking. Scores are computed again in double precision.
        """
        rankings = []
        for query in queries:
            rows = np.array(self._index.get_nns_by_vector(query, neighbours), np.int64)
            scores = (vectors[rows].astype(np.float64) * query).sum(axis=1)
            rankings.append(take_top(ids[rows], scores, k=k))
        return rankings
