"""Approximate search by Annoy, as the released code of CodeSearchNet searches.

Annoy has to be compiled, so that it is no package of the workflow (``make annoy``). Its numbers
depend on the processor that it is compiled for: what it finds may differ from machine to machine
(DEV-161).
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.hashes import check_file
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.indexes.top_results import Ranking, take_top

_METRIC = "angular"


def check_annoy() -> None:
    """``ConfigurationError`` where the package is not installed; nothing is imported."""
    try:
        distribution("annoy")
    except PackageNotFoundError as error:
        raise ConfigurationError(
            "'search: annoy' needs the package 'annoy', which is not installed and has to be "
            "compiled: 'make annoy' (docs/encoders.md), or take 'search: exact'"
        ) from error


class AnnoyForest:
    """Trees over the rows of a matrix.

    Args:
        index: of the package, built or loaded.
    """

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def build(cls, vectors: NDArray[np.float32], *, trees: int, seed: int) -> Self:
        """Trees over unit vectors, shape (n, dimension), by one thread."""
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
        """What ``save`` wrote for vectors of a shape; ``DataError`` where it is damaged."""
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
        """The best ``k`` of the ``neighbours`` rows that Annoy finds for each query.

        Arguments are those of ``exact_search.find_nearest``. Annoy looks at more rows where it is
        asked for more, so it is always asked for as many: a smaller ``k`` is the beginning of the
        same ranking. Scores are computed again in double precision.
        """
        rankings = []
        for query in queries:
            rows = np.array(self._index.get_nns_by_vector(query, neighbours), np.int64)
            scores = (vectors[rows].astype(np.float64) * query).sum(axis=1)
            rankings.append(take_top(ids[rows], scores, k=k))
        return rankings
