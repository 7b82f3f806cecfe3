"""The common part of rankers whose methods and queries are vectors of one space."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.errors import DataError
from ncsbench.indexes.vector_index import VectorIndex
from ncsbench.indexes.vector_rows import blocks_of, fit_into_unit_ball, make_rows
from ncsbench.rankers.corpus_ranker import CorpusRanker
from ncsbench.runs.rankings import Query, Run

_LOG = logging.getLogger(__name__)
_CHUNK = 1 << 12  # Methods that are embedded at once.
_Item = TypeVar("_Item")


class VectorRanker(CorpusRanker):
    """Vectors of methods (float32), searched exactly by inner product.

    A subclass fills ``_index`` in ``fit`` and gives ``embed_query``; one whose index holds more
    than vectors also gives ``_save_rest`` and ``_load_rest``.
    """

    _word_array: ClassVar[str | None] = None
    """Name of the array of vectors of words in the index, if there is one."""

    @cached_property
    def _index(self) -> VectorIndex:
        return VectorIndex(word_array=self._word_array, options=self._made_with())

    def _made_with(self) -> dict[str, Any]:
        """The options that an index must have been made with."""
        return {}

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
    vectors: NDArray[np.float32],
    *,
    ids: NDArray[np.int64] | None = None,
    count: int | None = None,
    normalise: bool = True,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Scale vectors as exact search asks, and leave out zeros, with a warning.

    Args:
        vectors: of methods, float32, shape (r, dimension); they are changed.
        ids: of these methods, ascending, shape (r,); None for all.
        count: methods of the corpus; None for r.
        normalise: whether each gets length 1 (``fit_into_unit_ball``).

    Returns:
        The methods that have a vector, ascending, and their vectors, one row each.
    """
    ids = np.arange(len(vectors)) if ids is None else ids
    count = len(vectors) if count is None else count
    known = fit_into_unit_ball(vectors, normalise=normalise)
    if not known.all():
        ids, vectors = ids[known], vectors[known]
    if missing := count - len(ids):
        _LOG.warning("%d of %d methods have no vector and are never found", missing, count)
    return ids, vectors


def embed_distinct(
    items: Iterable[_Item],
    count: int,
    dimension: int,
    *,
    digest: Callable[[_Item], bytes],
    embed: Callable[[list[_Item]], NDArray[np.float32]],
    path: Path,
    kind: str,
    remedy: str = "train it with a lower 'learning_rate'",
) -> NDArray[np.float32]:
    """Vectors of all methods, float32, shape (count, dimension), in a temporary file.

    Chunks do not depend on shards.

    Args:
        items: what is embedded of each method, in the order of ids.
        count: of methods.
        dimension: of a vector.
        digest: equal for equal items alone.
        embed: vectors of some items, shape (n, dimension).
        path: of the methods, for messages.
        kind: of the ranker, likewise.
        remedy: for a vector that is not finite, likewise.

    Raises:
        DataError: for another number of methods, and a vector that is not finite.
    """
    vectors = make_rows(count, dimension)
    sources = np.zeros(count, np.int64)  # where each item stands first
    number = 0

    def iterate_firsts() -> Iterator[tuple[int, _Item]]:
        nonlocal number
        seen: dict[bytes, int] = {}
        for number, item in enumerate(items, 1):
            if number > count:
                break
            first = seen.setdefault(digest(item), number - 1)
            sources[number - 1] = first
            if first == number - 1:
                yield first, item

    firsts = iterate_firsts()
    while chunk := list(islice(firsts, _CHUNK)):
        rows = [row for row, _ in chunk]
        found = embed([item for _, item in chunk])
        wrong = np.flatnonzero(~np.isfinite(found).all(axis=1))
        if len(wrong):
            raise DataError(
                f"{kind}: gives method {rows[wrong[0]]} a vector that is not finite; {remedy}"
            )
        vectors[rows] = found
    if number != count:
        raise DataError(f"{path}: holds another number of methods than its words; build it")
    for block in blocks_of(vectors):
        vectors[block] = vectors[sources[block]]
    return vectors
