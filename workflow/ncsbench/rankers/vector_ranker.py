"""The common part of rankers whose methods and queries are vectors of one space."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.indexes.vector_index import VectorIndex
from ncsbench.indexes.vector_rows import fit_into_unit_ball
from ncsbench.runs.rankings import Query, Run

_LOG = logging.getLogger(__name__)


class VectorRanker:
    """Vectors of methods (float32), searched exactly by inner product.

    A subclass sets ``_index`` when it is made, fills it in ``fit`` and gives ``embed_query``; one
    whose index holds more than vectors also gives ``_save_rest`` and ``_load_rest``.
    """

    _index: VectorIndex

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Unit vector of a query, float64, shape (dimension,); None for one without a vector."""
        raise NotImplementedError

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that have a vector by its inner product with the query's.

        Queries are embedded one by one, so that none depends on another. A query without a vector
        has an empty ranking; a method without one is never returned (DEV-17).
        """
        return self._index.search(queries, self.embed_query, k=k)

    def save(self, folder: Path) -> None:
        """Write the vectors, and what queries are embedded with."""
        self._index.save(folder, write_rest=self._save_rest)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote for ``corpus``."""
        self._index.load(folder, corpus=corpus)
        self._load_rest(folder)

    def _save_rest(self, folder: Path) -> None:
        """Write further files into the folder of the index."""

    def _load_rest(self, folder: Path) -> None:
        """Read them."""


def keep_vectors(
    vectors: NDArray[np.float32], *, normalise: bool = True
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Scale vectors as exact search asks, and leave out zeros, with a warning.

    Args:
        vectors: of all methods, float32, shape (methods, dimension); they are changed.
        normalise: whether each gets length 1 (``fit_into_unit_ball``).

    Returns:
        The methods that have a vector, ascending, and their vectors, one row each.
    """
    ids = np.flatnonzero(fit_into_unit_ball(vectors, normalise=normalise))
    if len(ids) == len(vectors):
        return ids, vectors
    missing = len(vectors) - len(ids)
    _LOG.warning("%d of %d methods have no vector and are never found", missing, len(vectors))
    return ids, vectors[ids]
