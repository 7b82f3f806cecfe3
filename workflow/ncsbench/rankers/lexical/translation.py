"""Query likelihood with translations (Berger, Lafferty 1999; Xue, Jeon, Croft 2008).

A query word q may stand for itself or for a code word that the table has for it. The word w occurs
tf(w,d) times among the |d| words of method d; the table has t(q|w); ``own`` is the share of words
that stand for themselves::

    p(q|w)  =  own * [q = w] + (1 - own) * t(q|w)
    p(q|d)  =  SUM over w: p(q|w) * tf(w,d) / |d|,  and p(q|C) likewise for the whole corpus
    s(d, Q) =  SUM over words q of Q: ln( ((1 - lambda) * p(q|d) + lambda * p(q|C))
                                          / (lambda * p(q|C)) )

The denominator, which is the same for all methods, makes the score 0 for a method that holds none
of these code words. A word that a query repeats counts once; a word without a code word in the
corpus does not count.
"""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.term_counts import invert_terms
from ncsbench.corpus.indexes.top_results import Ranking, take_top
from ncsbench.corpus.layout.documents import Documents
from ncsbench.learning.training.translation_tables import (
    Translation,
    load_translation,
    write_translation,
)
from ncsbench.rankers.corpus_ranker import ScoringRanker
from ncsbench.rankers.lexical.term_options import TranslationRankerOptions
from ncsbench.rankers.protocol import FitInputs, Ranker

_MULTIPLIED = 16
"""Ratios of likelihoods that are multiplied before a logarithm is taken: products stay below
1e300."""

Floats = NDArray[np.float64]


class TranslationRanker(ScoringRanker, kind="translation", options=TranslationRankerOptions):
    """Inverted index of the words of the corpus, 8 bytes a posting, and a table of translations.

    A ranking holds the methods with a code word of a query word, by the query's likelihood.
    """

    _options: TranslationRankerOptions
    _word_ids: dict[str, int]
    _arrays = ("offsets", "methods", "impacts", "counts")
    _translation: Translation
    _offsets: NDArray[np.int64]
    _methods: NDArray[np.int32]
    _impacts: NDArray[np.float32]
    _counts: NDArray[np.int64]

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Invert the words of the corpus and take the table."""
        self._translation = self._take(inputs.get("translation"), "translation")
        self._offsets, self._methods, frequencies = invert_terms(corpus.words)
        lengths = np.diff(corpus.words.offsets)[self._methods]
        self._impacts = (frequencies / np.maximum(lengths, 1)).astype(np.float32)
        self._counts = np.bincount(corpus.words.tokens, minlength=len(corpus.words.vocabulary))
        self._attach(corpus)

    def score(self, text: str) -> tuple[NDArray[np.int64], Floats]:
        """Return the methods that hold a code word of a query word, ascending, and their scores.

        Both arrays have the shape (methods found,), int64 and float64.
        """
        size, words = len(self._corpus), self._read_query(text)
        scores = np.zeros(size, dtype=np.float64)
        for start in range(0, len(words), _MULTIPLIED):
            product = np.ones(size, dtype=np.float64)
            for word in words[start : start + _MULTIPLIED]:
                ratios = np.ones(size, dtype=np.float64)
                for code, weight in word:
                    postings = slice(self._offsets[code], self._offsets[code + 1])
                    np.add.at(ratios, self._methods[postings], weight * self._impacts[postings])
                product *= ratios
            held = np.flatnonzero(product > 1)
            scores[held] += np.log(product[held])
        found = np.flatnonzero(scores)
        return found, scores[found]

    def _save_rest(self, folder: Path) -> None:
        write_translation(self._translation, folder)

    def _load_rest(self, folder: Path) -> None:
        self._translation = load_translation(folder)

    def _attach(self, corpus: Documents) -> None:
        self._word_ids = {word: index for index, word in enumerate(corpus.words.vocabulary)}
        super()._attach(corpus)

    def _rank(self, text: str, k: int) -> Ranking:
        return take_top(*self.score(text), k=k)

    def _read_query(self, text: str) -> list[list[tuple[int, np.float64]]]:
        """List, for each distinct word of a query, its code words: indices and factors of tf/|d|.

        The factors are p(word | code word) * (1 - lambda) / lambda / p(word | corpus).
        """
        own, ids, share = self._options.own_word, self._word_ids, self._options.background
        tokens, words = len(self._corpus.words.tokens), []
        for word in dict.fromkeys(self._options.split_query(text)):
            table = {code: (1 - own) * p for code, p in self._translation.translate(word)}
            table[word] = table.get(word, 0.0) + own
            codes = [(ids[code], p) for code, p in table.items() if p > 0 and code in ids]
            expected = sum(p * int(self._counts[code]) for code, p in codes)
            if expected > 0:
                factor = (1 - share) / share * tokens / expected
                words.append([(code, np.float64(factor * p)) for code, p in codes])
        return words


RANKER: type[Ranker] = TranslationRanker
