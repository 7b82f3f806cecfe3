"""The base class of rankers whose methods and queries are vectors of one space."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.base.text.progress_line import report
from ncsbench.corpus.indexes.document_vectors import blocks_of, fit_into_unit_ball, make_rows
from ncsbench.corpus.indexes.index_files import Arrays, read_index_words
from ncsbench.corpus.indexes.top_results import check_depth, collect_run
from ncsbench.corpus.indexes.vector_search import find_nearest
from ncsbench.errors import DataError
from ncsbench.rankers.corpus_ranker import IndexedRanker

_NO_VECTORS = np.zeros((0, 1), np.float32)
_LOG = logging.getLogger(__name__)
_CHUNK = 1 << 12  # Methods that are embedded at once.
_DIGEST = 16  # bytes; that two texts share one is out of the question
_Item = TypeVar("_Item")


class VectorRanker(IndexedRanker):
    """A ranker with vectors (float32) of methods, searched exactly by inner product.

    A subclass calls ``_fill`` and ``_attach`` in ``fit`` and gives ``embed_query``. A subclass
    whose queries are made from word vectors names their file, ``<_word_array>.npy``.
    """

    _word_array: ClassVar[str | None] = None
    _methods: NDArray[np.int64]
    _document_vectors: NDArray[np.float32]
    _word_vectors: NDArray[np.float32]
    _words: Sequence[str]
    _rows: dict[str, int]

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Return the unit vector of a query, float64, shape (dimension,); None if it has none."""
        raise NotImplementedError

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that have a vector by its inner product with the query's vector.

        Queries are embedded one by one, so that no ranking depends on other queries. A query
        without a vector has an empty ranking; a method without a vector is never found (DEV-17).

        Raises:
            ConfigurationError: where ``k`` is below 1.
        """
        check_depth(k)
        vectors = {query.query_id: self.embed_query(query.text) for query in queries}
        known = {row: vector for row, vector in vectors.items() if vector is not None}
        asked = np.array(list(known.values()))
        rankings = find_nearest(asked, self._document_vectors, self._methods, k=k)
        return collect_run(zip(known, rankings, strict=True))

    @property
    def _arrays(self) -> Sequence[str]:  # type: ignore[override]
        return ["methods", "document_vectors", *([self._word_array] if self._word_array else [])]

    def _list_arrays(self) -> Arrays:
        arrays = (self._methods, self._document_vectors, self._word_vectors)
        return dict(zip(self._arrays, arrays, strict=False))

    def _take_arrays(self, arrays: Arrays, folder: Path) -> None:
        methods, documents, *rest = arrays.values()
        words = read_index_words(folder, len(rest[0])) if rest else ()
        self._fill((methods, documents), words, *rest)

    def _list_words(self) -> Sequence[str] | None:
        return self._words if self._word_array else None

    def _fill(
        self,
        documents: tuple[NDArray[np.int64], NDArray[np.float32]],
        words: Sequence[str] = (),
        word_vectors: NDArray[np.float32] = _NO_VECTORS,
    ) -> None:
        """Take the vectors of a corpus.

        Args:
            documents: ids of methods, ascending, shape (r,), and their unit vectors, shape
                (r, dimension).
            words: m distinct words, of the corpus or not.
            word_vectors: vectors of these words, shape (m, dimension).

        Raises:
            DataError: for a number that is not finite, since comparisons with it are always false.
        """
        # A number that is not finite makes the sum so; a sum needs no array as long as the vectors.
        sums = [vectors.sum(dtype=np.float64) for vectors in (documents[1], word_vectors)]
        if not np.isfinite(sums).all():
            raise DataError("vectors of words or methods hold a number that is not finite")
        self._methods, self._document_vectors = documents
        self._words, self._word_vectors = words, word_vectors
        self._rows = {word: row for row, word in enumerate(words)}

    def _find_word_vectors(self, words: Iterable[str]) -> NDArray[np.float32]:
        """Return vectors of the words that have one, repeats kept; shape (known, dimension)."""
        return self._word_vectors[[self._rows[word] for word in words if word in self._rows]]

    def _check_dimension(self, folder: Path, dimension: int) -> None:
        """Raise ``DataError`` where the vectors read from ``folder`` have another dimension."""
        if self._document_vectors.shape != (len(self._methods), dimension):
            raise DataError(f"{folder}: its files do not fit each other; make the index again")


def keep_vectors(
    vectors: NDArray[np.float32],
    *,
    ids: NDArray[np.int64] | None = None,
    count: int | None = None,
    normalise: bool = True,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Scale vectors as exact search needs them, and leave out zero vectors, with a warning.

    Args:
        vectors: vectors of methods, float32, shape (r, dimension); they are changed in place.
        ids: ids of these methods, ascending, shape (r,); None for all.
        count: number of methods of the corpus; None for r.
        normalise: True where each vector is scaled to length 1 (``fit_into_unit_ball``).

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


def match_words(
    vocabulary: Sequence[str], words: Sequence[str]
) -> tuple[NDArray[np.int32], list[int]]:
    """Find the words that are both in ``vocabulary`` and in ``words``; return indices in each.

    Both results have one entry for each common word, in the order of ``vocabulary``.
    """
    known = {word: row for row, word in enumerate(words)}
    shared = [(i, known[word]) for i, word in enumerate(vocabulary) if word in known]
    return np.array([i for i, _ in shared], dtype=np.int32), [row for _, row in shared]


def embed_distinct(
    items: Iterable[_Item],
    count: int,
    dimension: int,
    *,
    spell: Callable[[_Item], str],
    embed: Callable[[list[_Item]], NDArray[np.float32]],
    path: Path,
    kind: str,
    remedy: str = "train it with a lower 'learning_rate'",
) -> NDArray[np.float32]:
    """Return vectors of all methods, float32, shape (count, dimension), in a temporary file.

    Each distinct item is embedded once, in chunks that do not depend on shards of the corpus.

    Args:
        items: the item to embed for each method (its text, tokens or fields), in the order of ids.
        count: number of methods.
        dimension: length of a vector.
        spell: function that gives an item as text; only equal items have equal texts.
        embed: function that gives the vectors of some items, shape (n, dimension).
        path: path of the methods, for messages.
        kind: kind of the ranker, for messages.
        remedy: remedy for a vector that is not finite, for messages.

    Raises:
        DataError: where there are not ``count`` items, and for a vector that is not finite.
    """
    vectors = make_rows(count, dimension)
    sources = np.zeros(count, np.int64)  # The first method with the same item.
    number = 0

    def iterate_firsts() -> Iterator[tuple[int, _Item]]:
        nonlocal number
        seen: dict[bytes, int] = {}
        for number, item in enumerate(items, 1):
            if number > count:
                break
            digest = hashlib.blake2b(spell(item).encode(), digest_size=_DIGEST).digest()
            first = seen.setdefault(digest, number - 1)
            sources[number - 1] = first
            if first == number - 1:
                yield first, item

    firsts = iterate_firsts()
    while chunk := list(islice(firsts, _CHUNK)):
        rows = [row for row, _ in chunk]
        report("vectors of definitions,", rows[0], count)
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
