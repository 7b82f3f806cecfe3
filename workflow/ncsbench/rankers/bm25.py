"""BM25 as the package rank-bm25 defines it (class ``BM25Okapi``), by an inverted index.

There are N methods, of which df(w) hold the word w; method d has dl words (avgdl on average)::

    idf(w)  = ln(N - df + 0.5) - ln(df + 0.5);  where negative: epsilon * (average of all idf)
    s(d, q) = SUM over words w of q: idf(w) * tf(w,d) * (k1 + 1)
                                     / (tf(w,d) + k1 * (1 - b + b * dl / avgdl))

A word that a query repeats counts once (NCS paper, section 3.2.3) or, with ``query: counts``, as
often as the query has it (DEV-88). The average idf is taken over the vocabulary before any negative
idf is replaced. All numbers are added in the order in which the package adds them, so that its
scores and ours are equal to the last bit. The NCS paper calls k1 and b tunable and gives no values
(DEV-06).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.text.words import split_words
from ncsbench.corpus.indexes.term_counts import add_postings, invert_terms
from ncsbench.corpus.indexes.top_results import Ranking, take_positive, take_top
from ncsbench.corpus.layout.documents import Documents, TokenLists
from ncsbench.rankers.corpus_ranker import ScoringRanker
from ncsbench.rankers.lexical.term_options import BM25Options
from ncsbench.rankers.protocol import FitInputs, Ranker

_BLOCK = 1 << 22
_ARRAYS = ("offsets", "methods", "impacts", "idf")


class BM25(ScoringRanker, kind="bm25", options=BM25Options):
    """Inverted index of 12 bytes per posting (method int32, impact float64).

    Five million methods of 20 distinct words make 1.2 GB; making the index takes about three
    times as much for a short while. A ranking holds the methods that share a word with the query,
    in the order of rank-bm25; that package ranks the other methods, too (DEV-07).
    """

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        # A user's subclass may name an options class that does not derive from BM25Options.
        self._options: BM25Options = BM25Options.parse(options, where=self.kind)
        self._package: RankBM25Engine | None = None
        self._word_ids: dict[str, int] = {}
        self._offsets: NDArray[np.int64]
        self._methods: NDArray[np.int32]
        self._impacts: NDArray[np.float64]
        self._idf: NDArray[np.float64]

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Invert the words of the corpus."""
        if self._options.engine == "own":
            self._offsets, self._methods, frequencies = invert_terms(corpus.words)
            self._impacts = _weigh_frequencies(frequencies, self._methods, corpus, self._options)
            self._idf = _inverse_frequencies(
                np.diff(self._offsets), corpus, epsilon=self._options.epsilon
            )
        self._attach(corpus)

    def score(self, text: str) -> NDArray[np.float64]:
        """Return the scores of all methods for one query, shape (methods,), float64."""
        if self._package is not None:
            return self._package.score(self._split_query(text))
        scores = np.zeros(len(self._corpus), np.float64)
        for index, postings in self._find_postings(text):
            methods, impacts = self._methods[postings], self._impacts[postings]
            add_postings(scores, methods, impacts, self._idf[index])
        return scores

    def _find_postings(self, text: str) -> Iterator[tuple[int, slice]]:
        """Find the known words of a query, in its order: the index of each, and its postings."""
        for word in self._split_query(text):
            index = self._word_ids.get(word)
            if index is not None:
                yield index, slice(self._offsets[index], self._offsets[index + 1])

    def _split_query(self, text: str) -> list[str]:
        words = split_words(text)
        # The order of the query is kept, since it decides how sums are rounded.
        return list(dict.fromkeys(words)) if self._options.query == "one_hot" else words

    @property
    def _arrays(self) -> Sequence[str]:  # type: ignore[override]
        """Names of the arrays of the index; empty for the package, which reads the corpus."""
        return _ARRAYS if self._options.engine == "own" else ()

    @property
    def _made_with(self) -> dict[str, Any]:
        return self._options.model_dump(mode="json")

    def _attach(self, corpus: Documents) -> None:
        o = self._options
        if o.engine == "rank_bm25":
            self._package = RankBM25Engine(corpus.words, k1=o.k1, b=o.b, epsilon=o.epsilon)
        self._word_ids = {word: index for index, word in enumerate(corpus.words.vocabulary)}
        super()._attach(corpus)

    def _rank(self, text: str, k: int) -> Ranking:
        scores = self.score(text)
        best = take_positive(scores, k=k)
        if len(best[0]) < k:
            # Methods that share only words of idf 0 with the query come last.
            methods = np.flatnonzero(self._shares_word(text))
            best = take_top(methods, scores[methods], k=k)
        return best

    def _shares_word(self, text: str) -> NDArray[np.bool_]:
        """Say for each method whether it shares a word with a query, shape (methods,)."""
        if self._package is not None:
            return self._package.shares_word(self._split_query(text))
        shares = np.zeros(len(self._corpus), np.bool_)
        for _, postings in self._find_postings(text):
            shares[self._methods[postings]] = True
        return shares


class RankBM25Engine:
    """The package rank-bm25 as the engine, in memory: independent of our code, and far slower.

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

    def score(self, words: list[str]) -> NDArray[np.float64]:
        """Return the scores of all methods, shape (n,)."""
        if self._okapi is None:
            return np.zeros(self._methods)
        # With b = 1 the score of a method without words is 0 / 0.
        with np.errstate(invalid="ignore"):
            scores = np.asarray(self._okapi.get_scores(words), np.float64)
        return np.where(self.shares_word(words), scores, 0.0)

    def shares_word(self, words: list[str]) -> NDArray[np.bool_]:
        """Say for each method whether it has one of the words, shape (n,)."""
        frequencies = [] if self._okapi is None else self._okapi.doc_freqs
        shares = np.zeros(self._methods, np.bool_)
        for method, counts in enumerate(frequencies):
            shares[method] = not counts.keys().isdisjoint(words)
        return shares


def _weigh_frequencies(
    frequencies: NDArray[np.int32],
    methods: NDArray[np.int32],
    corpus: Documents,
    options: BM25Options,
) -> NDArray[np.float64]:
    """Return the factor of idf for every posting, in blocks, so that no large copies are made."""
    lengths = np.diff(corpus.words.offsets)
    average = lengths.mean() if lengths.any() else 1.0
    norms = options.k1 * (1 - options.b + options.b * lengths / average)
    impacts = np.empty(len(frequencies), dtype=np.float64)
    for start in range(0, len(frequencies), _BLOCK):
        block = slice(start, start + _BLOCK)
        tf = frequencies[block]
        impacts[block] = tf * (options.k1 + 1) / (tf + norms[methods[block]])
    return impacts


def _inverse_frequencies(
    frequencies: NDArray[np.int64], corpus: Documents, *, epsilon: float
) -> NDArray[np.float64]:
    """Inverse document frequency of every word, with rank-bm25's floor for negative ones."""
    methods = len(corpus)
    distinct, positions = np.unique(frequencies, return_inverse=True)
    # math.log, as in rank-bm25: NumPy's logarithm may differ in the last bit.
    values = [math.log(methods - df + 0.5) - math.log(df + 0.5) for df in distinct.tolist()]
    idf = np.array(values, dtype=np.float64)[positions]
    negative = idf < 0
    if negative.any():
        # Added one by one, in the order in which words first occur in the corpus, so that the sum
        # is rounded as in rank-bm25; otherwise a word with a replaced idf could decide a tie.
        tokens = corpus.words.tokens
        first = np.full(len(idf), len(tokens))
        first[tokens[::-1]] = np.arange(len(tokens))[::-1]
        used = idf[np.argsort(first)[: np.count_nonzero(frequencies)]]
        idf[negative] = epsilon * (np.add.accumulate(used)[-1] / len(used))
    return idf


RANKER: type[Ranker] = BM25
