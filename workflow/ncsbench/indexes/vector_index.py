"""An index of unit document vectors and of the queries' word vectors, searched by cosine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.errors import DataError
from ncsbench.indexes.exact_search import find_nearest
from ncsbench.indexes.index_files import read_index, read_index_words, write_index
from ncsbench.indexes.top_results import Ranking, check_depth, collect_run
from ncsbench.runs.rankings import Query, Run

_NO_VECTORS = np.zeros((0, 1), np.float32)


class VectorIndex:
    """Vectors of the r methods of a corpus that have one, and of the m words queries can use.

    It is empty until ``fill`` or ``load``.
    """

    def __init__(
        self, *, word_array: str | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        """Name the file of the word vectors, ``<word_array>.npy``, and what decides the documents'.

        Without a name there are no word vectors. An index is read only with the ``options`` it was
        written with.
        """
        self._options = dict(options or {})
        self._names = ["methods", "document_vectors", *([word_array] if word_array else [])]
        self._corpus: Documents | None = None
        self._methods: NDArray[np.int64]
        self._document_vectors: NDArray[np.float32]
        self._word_vectors: NDArray[np.float32]
        self._words: Sequence[str]
        self._rows: dict[str, int]

    def fill(
        self,
        corpus: Documents,
        documents: tuple[NDArray[np.int64], NDArray[np.float32]],
        words: Sequence[str] = (),
        word_vectors: NDArray[np.float32] = _NO_VECTORS,
    ) -> None:
        """Take the vectors of a corpus.

        Args:
            corpus: the corpus that they belong to.
            documents: ids of methods, ascending, shape (r,), and their unit vectors, shape
                (r, dimension).
            words: m distinct words, of the corpus or not.
            word_vectors: their vectors, shape (m, dimension).

        Raises:
            DataError: for a number that is not finite: no comparison of it would find anything.
        """
        # A sum holds what is not finite, and needs no array as long as the vectors.
        sums = [vectors.sum(dtype=np.float64) for vectors in (documents[1], word_vectors)]
        if not np.isfinite(sums).all():
            raise DataError("vectors of words or methods hold a number that is not finite")
        self._methods, self._document_vectors = documents
        self._words, self._word_vectors = words, word_vectors
        self._rows = {word: row for row, word in enumerate(words)}
        self._corpus = corpus

    def find_word_vectors(self, words: Iterable[str]) -> NDArray[np.float32]:
        """Vectors of the words that have one, repeated words kept; shape (known, dimension)."""
        return self._word_vectors[[self._rows[word] for word in words if word in self._rows]]

    def search(
        self,
        queries: Sequence[Query],
        embed_query: Callable[[str], NDArray[np.float64] | None],
        *,
        k: int,
        find: Callable[..., Iterable[Ranking]] = find_nearest,
    ) -> Run:
        """Rank the methods that have a vector by cosine.

        Args:
            queries: the queries.
            embed_query: gives the unit vector of a query, or None, which is an empty ranking.
            k: how many methods a ranking has at most.
            find: the search, exact by default; parameters as of ``find_nearest``.

        Raises:
            ConfigurationError: where ``k`` is below 1.
            RuntimeError: where the index is empty.
        """
        check_depth(k)
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        vectors = {query.query_id: embed_query(query.text) for query in queries}
        known = {row: vector for row, vector in vectors.items() if vector is not None}
        asked = np.array(list(known.values()))
        rankings = find(asked, self._document_vectors, self._methods, k=k)
        return collect_run(zip(known, rankings, strict=True))

    def save(
        self, folder: Path, *, write_rest: Callable[[Path], None] = lambda folder: None
    ) -> None:
        """Write all vectors, and what ``write_rest`` writes into the folder.

        Raises:
            RuntimeError: where the index is empty.
        """
        if self._corpus is None:
            raise RuntimeError("fit or load comes before save")
        arrays = (self._methods, self._document_vectors, self._word_vectors)
        write_index(
            folder,
            corpus=self._corpus,
            options=self._options,
            arrays=dict(zip(self._names, arrays, strict=False)),
            words=self._words if len(self._names) == len(arrays) else None,
            write_rest=write_rest,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Methods that have a vector, and the dimension."""
        return len(self._methods), self._document_vectors.shape[1]

    def check_dimension(self, folder: Path, dimension: int) -> None:
        """Raise ``DataError`` where the vectors read from ``folder`` have another length."""
        if self._document_vectors.shape != (len(self._methods), dimension):
            raise DataError(f"{folder}: its files do not fit each other; make the index again")

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read what ``save`` wrote for ``corpus``.

        Raises:
            DataError: where the index is damaged or was made for another corpus.
        """
        methods, documents, *rest = read_index(
            folder, corpus=corpus, options=self._options, names=self._names
        )
        self.fill(
            corpus,
            (methods, documents),
            words=read_index_words(folder, len(rest[0])) if rest else (),
            word_vectors=rest[0] if rest else _NO_VECTORS,
        )


def match_words(
    vocabulary: Sequence[str], words: Sequence[str]
) -> tuple[NDArray[np.int32], list[int]]:
    """The words of a vocabulary that are also in ``words``: their indices in both.

    Both are of the same length and in the order of ``vocabulary``.
    """
    known = {word: row for row, word in enumerate(words)}
    shared = [(i, known[word]) for i, word in enumerate(vocabulary) if word in known]
    return np.array([i for i, _ in shared], dtype=np.int32), [row for _, row in shared]
