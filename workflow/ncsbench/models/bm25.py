"""BM25 as the package rank-bm25 defines it (class ``BM25Okapi``), as an inverted index.

With N methods, df(w) of which hold the word w, and dl words in method d (avgdl on average)::

    idf(w)  = ln(N - df + 0.5) - ln(df + 0.5);  where negative: epsilon * (average of all idf)
    s(d, q) = SUM over words w of q: idf(w) * tf(w,d) * (k1 + 1)
                                     / (tf(w,d) + k1 * (1 - b + b * dl / avgdl))

A word that a query repeats counts as often as it stands there. The average idf is taken over the
vocabulary before any is replaced. The NCS paper calls k1 and b tunable and gives no
values (DEV-06).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents
from ncsbench.errors import ConfigurationError
from ncsbench.languages.words import split_words
from ncsbench.models.index_files import read_index, write_index
from ncsbench.models.options import parse_options, require_at_least
from ncsbench.models.protocol import FitInputs, Ranker
from ncsbench.models.ranking import Ranking, check_depth, collect_run, take_top
from ncsbench.models.term_counts import count_terms
from ncsbench.records import Query, Run

_BLOCK = 1 << 22
_ARRAYS = ("offsets", "methods", "impacts", "idf")


@dataclass(frozen=True)
class BM25Options:
    """Options of ``config/models/bm25.yaml``; the defaults are rank-bm25's.

    Attributes:
        k1: saturation of the term frequency.
        b: weight of the length normalisation, from 0 to 1.
        epsilon: share of the average idf that words in more than half of the methods get.
    """

    k1: float = 1.5
    b: float = 0.75
    epsilon: float = 0.25

    def __post_init__(self) -> None:
        require_at_least(0.0, k1=self.k1, b=self.b, epsilon=self.epsilon)
        if self.b > 1:
            raise ConfigurationError(f"option 'b' must be at most 1, not {self.b}")


class BM25:
    """Inverted index of 12 bytes per posting (method int32, impact float64).

    Five million methods of 20 distinct words make 1.2 GB; making the index takes about three
    times as much for a short while.
    """

    takes_base: ClassVar[bool] = False

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self._options = parse_options(BM25Options, options, where="bm25")
        self._corpus: Documents | None = None
        self._word_ids: dict[str, int] = {}
        self._offsets: NDArray[np.int64]
        self._methods: NDArray[np.int32]
        self._impacts: NDArray[np.float64]
        self._idf: NDArray[np.float64]

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Invert the words of the corpus."""
        postings = count_terms(corpus.words).tocsc()
        self._offsets = postings.indptr.astype(np.int64)
        self._methods = postings.indices.astype(np.int32, copy=False)
        self._impacts = _weigh_frequencies(postings.data, self._methods, corpus, self._options)
        self._idf = _inverse_frequencies(
            np.diff(self._offsets), len(corpus), epsilon=self._options.epsilon
        )
        self._attach(corpus)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that share a word with the query.

        They stand in rank-bm25's order, which ranks the other methods too (DEV-07).
        """
        check_depth(k)
        return collect_run((query.row, self._rank(query.text, k)) for query in queries)

    def score(self, text: str) -> NDArray[np.float64]:
        """Scores of all methods for one query, shape (methods,), float64."""
        return self._score(text)[0]

    def _score(self, text: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Scores of all methods, and which of them share a word with the query."""
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        scores = np.zeros(len(self._corpus), dtype=np.float64)
        shares_word = np.zeros(len(self._corpus), dtype=np.bool_)
        for word in split_words(text):
            index = self._word_ids.get(word)
            if index is not None:
                postings = slice(self._offsets[index], self._offsets[index + 1])
                # A method stands once among the postings of a word: no addition is lost.
                scores[self._methods[postings]] += self._idf[index] * self._impacts[postings]
                shares_word[self._methods[postings]] = True
        return scores, shares_word

    def save(self, folder: Path) -> None:
        """Write the inverted index."""
        if self._corpus is None:
            raise RuntimeError("fit or load comes before save")
        arrays = (self._offsets, self._methods, self._impacts, self._idf)
        write_index(
            folder,
            corpus=self._corpus,
            options=asdict(self._options),
            arrays=dict(zip(_ARRAYS, arrays, strict=True)),
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the inverted index of ``corpus``."""
        self._offsets, self._methods, self._impacts, self._idf = read_index(
            folder, corpus=corpus, options=asdict(self._options), names=_ARRAYS
        )
        self._attach(corpus)

    def _attach(self, corpus: Documents) -> None:
        self._word_ids = {word: index for index, word in enumerate(corpus.words.vocabulary)}
        self._corpus = corpus

    def _rank(self, text: str, k: int) -> Ranking:
        scores, shares_word = self._score(text)
        methods = np.flatnonzero(shares_word)
        return take_top(methods, scores[methods], k=k)


def _weigh_frequencies(
    frequencies: NDArray[np.int32],
    methods: NDArray[np.int32],
    corpus: Documents,
    options: BM25Options,
) -> NDArray[np.float64]:
    """The factor of idf for every posting, in blocks, so that no large copies are made."""
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
    frequencies: NDArray[np.int64], methods: int, *, epsilon: float
) -> NDArray[np.float64]:
    """Inverse document frequency of every word, with rank-bm25's floor for negative ones."""
    distinct, places = np.unique(frequencies, return_inverse=True)
    # math.log, as rank-bm25 has it: NumPy's may differ in the last bit.
    values = [math.log(methods - df + 0.5) - math.log(df + 0.5) for df in distinct.tolist()]
    idf = np.array(values, dtype=np.float64)[places]
    used = idf[frequencies > 0]
    if len(used):
        idf[idf < 0] = epsilon * (math.fsum(used.tolist()) / len(used))
    return idf


RANKER: type[Ranker] = BM25
