"""NCS: TF-IDF weighted sums of word vectors, searched by cosine (NCS paper).

For a method d of a corpus C, with u(v) = v / ||v|| and each distinct word w of d taken once::

    v_d           = u( SUM over w of d: u(v_w) * tfidf(w, d) )
    tfidf(w, d)   = (1 + ln tf(w, d)) * ln( |C| / df(w) )

The paper prints tfidf as a fraction, against its own text (DEV-14). A query is the plain average
of the vectors of its words; words that the corpus does not have are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.errors import ConfigurationError
from ncsbench.languages.words import split_words
from ncsbench.models.document_vectors import embed_documents, normalise_rows
from ncsbench.models.exact_search import find_nearest
from ncsbench.models.index_files import read_index, write_index
from ncsbench.models.options import parse_options
from ncsbench.models.protocol import FitInputs, Ranker
from ncsbench.models.ranking import check_depth, collect_run
from ncsbench.records import Query, Run

_ARRAYS = ("methods", "document_vectors", "word_vectors", "word_ids")


@dataclass(frozen=True)
class NCSOptions:
    """Options of ``config/models/ncs.yaml``.

    Attributes:
        unit_query_words: whether word vectors of a query are normalised before the average
            (DEV-15).
        query_stop_words: whether stop words of a query are kept (DEV-16).
        stop_words: the stop words, lower-case; only read where they are removed.
    """

    unit_query_words: bool = False
    query_stop_words: Literal["kept", "removed"] = "kept"
    stop_words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.query_stop_words == "removed" and not self.stop_words:
            raise ConfigurationError(
                "option 'query_stop_words: removed' needs stop words; add 'stop_words: true'"
            )


class NCS:
    """Unit document vectors (float32) and exact search by inner product."""

    takes_base: ClassVar[bool] = False

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self._options = parse_options(NCSOptions, options, where="ncs")
        self._stop_words = frozenset(self._options.stop_words)
        self._corpus: Documents | None = None
        self._methods: NDArray[np.int64]
        self._document_vectors: NDArray[np.float32]
        self._word_vectors: NDArray[np.float32]
        self._word_ids: NDArray[np.int32]
        self._rows: dict[str, int]

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Embed the methods of ``corpus``."""
        embedding = inputs.get("embedding")
        if embedding is None:
            raise ConfigurationError("ncs: needs word vectors; give the model file an 'embedding'")
        known = {word: row for row, word in enumerate(embedding.vocabulary)}
        shared = [(i, known[w]) for i, w in enumerate(corpus.words.vocabulary) if w in known]
        self._word_ids = np.array([index for index, _ in shared], dtype=np.int32)
        self._word_vectors = embedding.vectors[[row for _, row in shared]]
        self._methods, self._document_vectors = embed_documents(
            corpus.words, word_ids=self._word_ids, vectors=self._word_vectors
        )
        self._attach(corpus)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that have a vector by cosine.

        A query without a known word has no vector and so an empty ranking; a method without a
        vector (no known word, or only words that all methods have) is never returned (DEV-17).
        """
        check_depth(k)
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        vectors = {query.row: self.embed_query(query.text) for query in queries}
        known = {row: vector for row, vector in vectors.items() if vector is not None}
        rankings = find_nearest(
            np.array(list(known.values())), self._document_vectors, self._methods, k=k
        )
        return collect_run(zip(known, rankings, strict=True))

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Unit vector of a query, float64, shape (dimension,); None without a known word."""
        words = split_words(text)
        if self._options.query_stop_words == "removed":
            words = [word for word in words if word not in self._stop_words]
        rows = [self._rows[word] for word in words if word in self._rows]
        if not rows:
            return None
        vectors = self._word_vectors[rows].astype(np.float64)
        if self._options.unit_query_words:
            vectors = normalise_rows(vectors)
        average = vectors.sum(axis=0) / len(rows)
        length = np.sqrt((average * average).sum())
        return average / length if length > 0 else None

    def save(self, folder: Path) -> None:
        """Write the vectors of documents and words."""
        if self._corpus is None:
            raise RuntimeError("fit or load comes before save")
        arrays = (self._methods, self._document_vectors, self._word_vectors, self._word_ids)
        write_index(
            folder,
            corpus=self._corpus,
            options={},
            arrays=dict(zip(_ARRAYS, arrays, strict=True)),
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the vectors of documents and words of ``corpus``."""
        self._methods, self._document_vectors, self._word_vectors, self._word_ids = read_index(
            folder, corpus=corpus, options={}, names=_ARRAYS
        )
        self._attach(corpus)

    def _attach(self, corpus: Documents) -> None:
        words = [corpus.words.vocabulary[index] for index in self._word_ids.tolist()]
        self._rows = {word: row for row, word in enumerate(words)}
        self._corpus = corpus


RANKER: type[Ranker] = NCS
