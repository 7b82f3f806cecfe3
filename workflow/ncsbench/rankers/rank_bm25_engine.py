"""The package rank-bm25 as the engine of ``bm25``: slower by far, and not written here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import TokenLists


class RankBM25Engine:
    """``rank_bm25.BM25Okapi`` over the words of a corpus, in memory.

    Args:
        words: words of n methods.
        k1: saturation of the term frequency.
        b: weight of the length normalisation.
        epsilon: share of the average idf that replaces a negative one.
    """

    def __init__(self, words: TokenLists, *, k1: float, b: float, epsilon: float) -> None:
        from rank_bm25 import BM25Okapi

        texts = [[words.vocabulary[token] for token in words[i]] for i in range(len(words))]
        self._methods = len(texts)
        # The package divides by the number of words.
        self._okapi = BM25Okapi(texts, k1=k1, b=b, epsilon=epsilon) if any(texts) else None

    def score(self, words: list[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Scores of all methods, and which of them share a word with the query, shape (n,)."""
        scores, shares_word = np.zeros(self._methods), np.zeros(self._methods, np.bool_)
        if self._okapi is None:
            return scores, shares_word
        # With b = 1 the score of a method without words is 0 / 0; it shares no word with a query.
        with np.errstate(invalid="ignore"):
            scores = np.asarray(self._okapi.get_scores(words), np.float64)
        asked = frozenset(words)
        for method, frequencies in enumerate(self._okapi.doc_freqs):
            shares_word[method] = not asked.isdisjoint(frequencies)
        return scores, shares_word
