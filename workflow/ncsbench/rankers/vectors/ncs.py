"""NCS: TF-IDF weighted sums of word vectors, searched by cosine (NCS paper).

For a method d of a corpus C, with u(v) = v / ||v|| and each distinct word w of d taken once::

    v_d           = u( SUM over w of d: u(v_w) * tfidf(w, d) )
    tfidf(w, d)   = (1 + ln tf(w, d)) * ln( |C| / df(w) )

The paper prints tfidf as a fraction, against its own text (DEV-14), and compares this weighting
with sums of all words and of the distinct words: the options ``weighting`` and ``logarithm``
(DEV-94). A query is the plain average of the vectors of its words; words that the corpus does not
have are dropped.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.document_vectors import embed_documents, normalise_rows, scale_query
from ncsbench.corpus.layout.documents import Documents
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.vectors.vector_options import NCSOptions
from ncsbench.rankers.vectors.vector_ranker import VectorRanker, match_words


class NCS(VectorRanker, kind="ncs", options=NCSOptions):
    """Unit vectors of methods and queries, from word vectors.

    A method has no vector where it has no known word, or only words that all methods have.
    """

    _options: NCSOptions
    _word_array = "word_vectors"

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Embed the methods of ``corpus``."""
        embedding = self._take(inputs.get("embedding"), "embedding")
        word_ids, rows = match_words(corpus.words.vocabulary, embedding.vocabulary)
        vectors = embedding.vectors[rows]
        documents = embed_documents(
            corpus.words,
            word_ids=word_ids,
            vectors=vectors,
            weighting=self._options.weighting,
            logarithm=self._options.logarithm,
        )
        words = [embedding.vocabulary[row] for row in rows]
        self._fill(documents, words=words, word_vectors=vectors)
        self._attach(corpus)

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Return the unit vector of a query, float64, shape (dimension,).

        The result is None where no word of the query is known.
        """
        words = self._options.split_query(text)
        vectors = self._find_word_vectors(words).astype(np.float64)
        if not len(vectors):
            return None
        if self._options.unit_query_words:
            vectors = normalise_rows(vectors)
        return scale_query(vectors.sum(axis=0) / len(vectors), normalise=True)

    @cached_property
    def _made_with(self) -> dict[str, Any]:
        made_with = {"weighting", "logarithm"}
        return self._options.model_dump(include=made_with, exclude_defaults=True)


RANKER: type[Ranker] = NCS
