"""UNIF: methods as attention-weighted sums of trained word vectors, searched by cosine.

The words w of a method are counted as often as they occur in it; the tables of code and query words
and the attention vector a are trained (UNIF paper; ``learning.unif.unif_network``)::

    v_code  = u( SUM over w: exp(a . code_table[w]) * code_table[w] ),  u(v) = v / ||v||
    v_query = u( SUM over w: query_table[w] )

The softmax over a method's words would divide the sum by one number, which u() cancels.
"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.document_vectors import scale_query, sum_word_vectors
from ncsbench.corpus.layout.documents import Documents, TokenLists
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.vectors.vector_options import UNIFOptions
from ncsbench.rankers.vectors.vector_ranker import VectorRanker, match_words


class UNIF(VectorRanker, kind="unif", options=UNIFOptions):
    """Unit vectors of methods and of queries, from trained tables of word vectors."""

    _options: UNIFOptions
    _word_array = "query_vectors"

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Embed the methods of ``corpus`` with trained weights."""
        weights = self._take(inputs.get("weights"), "weights")
        word_ids, rows = match_words(corpus.words.vocabulary, weights.code_words)
        documents = embed_methods(
            corpus.words,
            word_ids=word_ids,
            vectors=weights.code_table[rows],
            attention=weights.attention,
        )
        self._fill(documents, words=weights.query_words, word_vectors=weights.query_table)
        self._attach(corpus)

    def embed_query(self, text: str) -> NDArray[np.float64] | None:
        """Return the unit vector of a query, float64, shape (dimension,).

        The result is None where no word of the query is known.
        """
        words = self._options.split_query(text)
        total = self._find_word_vectors(words).sum(axis=0, dtype=np.float64)
        return scale_query(total, normalise=True)


def embed_methods(
    lists: TokenLists,
    *,
    word_ids: NDArray[np.int32],
    vectors: NDArray[np.float32],
    attention: NDArray[np.float32],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return vectors of all methods.

    Args:
        lists: words of n methods.
        word_ids: words with a vector, ascending indices into the vocabulary, shape (m,).
        vectors: trained vectors of these words, shape (m, dimension).
        attention: the attention vector, shape (dimension,).

    Returns:
        The methods that have a vector, ascending, shape (r,), and their unit vectors, shape
        (r, dimension). Methods with the same bag of words have equal vectors to the last bit,
        wherever they lie.
    """
    # Not by a matrix product, whose bits depend on the machine's kernels.
    scores = (vectors.astype(np.float64) * attention).sum(axis=1)

    def attend(counts: Any) -> NDArray[np.float64]:
        lengths = np.diff(counts.indptr)
        own = scores[counts.indices]
        # The highest score of each method is subtracted, else the exponential could overflow.
        firsts = counts.indptr[:-1][lengths > 0]
        highest = np.maximum.reduceat(own, firsts) if len(firsts) else own
        relative = own - np.repeat(highest, lengths[lengths > 0])
        weights: NDArray[np.float64] = counts.data * np.exp(relative)
        return weights

    return sum_word_vectors(lists, word_ids=word_ids, vectors=vectors, weigh=attend)


RANKER: type[Ranker] = UNIF
