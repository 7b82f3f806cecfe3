"""Ranking of methods by their similarity to the code that answered similar queries.

Pairs of queries and code are remembered one by one, as in a translator's memory of sentences that
were translated before. A query recalls the pairs whose queries are most similar. share(n) says
which part of their code holds the name n, and the expected number is that of the names in
their code; the score of a method d is::

    s(d, Q)  =  2 * SUM over names n of d: share(n) / (number of names of d + expected number)

the Dice coefficient with the expected answer. Posts of Stack Overflow serve as feedback for code
search in QECK (Nie et al., IEEE Transactions on Services Computing 2016), whose best words of
answers are added to the query; here whole answers are compared, so that long methods gain nothing.

A query is a vector with an idf for each distinct word. There are N remembered queries, of which
df(w) hold the word w. The pairs with the highest cosines are recalled, and weighted by the squares
of the cosines::

    idf(w)   = ln((N + 1) / (df(w) + 1))
    share(n) = SUM over recalled pairs whose code holds n: cosine^2 / SUM over all of them: cosine^2

The expected number is the average number of names in the code of the recalled pairs, by these
weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables
from ncsbench.corpus.indexes.index_files import Arrays, read_index_words
from ncsbench.corpus.indexes.term_counts import WordListBuilder, gather_tokens, invert_terms
from ncsbench.corpus.indexes.top_results import Ranking, take_top
from ncsbench.corpus.layout.documents import Documents, MethodTexts, TokenLists
from ncsbench.errors import DataError
from ncsbench.learning.training.translation_tables import MEMORY_SCHEMA, find_names
from ncsbench.rankers.corpus_ranker import ScoringRanker
from ncsbench.rankers.lexical.term_options import TranslationMemoryOptions
from ncsbench.rankers.protocol import FitInputs, Ranker

_OF_CORPUS = ("offsets", "names_of_methods", "postings", "methods")
_COLUMNS = ["code", "class_name", "method_name"]

Floats = NDArray[np.float64]

_ARRAYS = ("word_offsets", "word_pairs", "name_offsets", "names", "sizes")
"""Names of the arrays of ``RememberedPairs``."""


@dataclass(frozen=True)
class Recalled:
    """The answer that is expected for a query: names, from the code of similar queries.

    Attributes:
        names: names of the corpus, ascending, int64, shape (n,).
        shares: share of each name, above 0 and, but for rounding, at most 1, float64, shape (n,).
        size: expected number of distinct names, including names that the corpus lacks.
    """

    names: NDArray[np.int64]
    shares: Floats
    size: float


_NOTHING = Recalled(np.zeros(0, np.int64), np.zeros(0, np.float64), 0.0)


class RememberedPairs:
    """N remembered pairs: an inverted index of words of queries, and the names in the code."""

    def __init__(self, words: list[str], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take words and arrays that were made or read.

        Args:
            words: distinct words of all queries, ascending.
            arrays: ``_ARRAYS``: ``word_offsets``, int64, shape (words + 1,), the places of the
                pairs of each word in ``word_pairs``, int32; ``name_offsets``, int64, shape
                (N + 1,), the places of the names of each pair in ``names``, int32, which are
                positions in the vocabulary of the corpus; ``sizes``, int32, shape (N,), number of
                distinct names in a pair's code, including names that the corpus lacks.
        """
        self.words, self.arrays = words, arrays
        self._ids = {word: index for index, word in enumerate(words)}
        self._frequencies = np.diff(arrays["word_offsets"])
        idf = np.log((len(self) + 1) / (self._frequencies + 1))
        squares = np.bincount(
            arrays["word_pairs"], np.repeat(idf * idf, self._frequencies), minlength=len(self)
        )
        self._lengths = np.sqrt(squares)
        self._names = TokenLists([], arrays["name_offsets"], arrays["names"])

    def __len__(self) -> int:
        """Return N, the number of pairs."""
        return len(self.arrays["sizes"])

    def recall(self, words: Iterable[str], *, recalled: int) -> Recalled:
        """Recall the ``recalled`` pairs with the most similar queries, ties by their order."""
        distinct = list(dict.fromkeys(words))
        weights = [math.log((len(self) + 1) / (self._count(word) + 1)) for word in distinct]
        length = math.sqrt(math.fsum(weight * weight for weight in weights))
        products = np.zeros(len(self), dtype=np.float64)
        for word, weight in zip(distinct, weights, strict=True):
            products[self._find_pairs(word)] += weight * weight
        pairs = np.flatnonzero(products)
        if not len(pairs):
            return _NOTHING
        cosines = products[pairs] / (length * self._lengths[pairs])
        pairs, cosines = take_top(pairs, cosines, k=recalled)
        shares = cosines * cosines / (cosines * cosines).sum()
        rows, names = gather_tokens(self._names, pairs)
        held, places = np.unique(names, return_inverse=True)
        sums: Floats = np.zeros(len(held), dtype=np.float64)
        np.add.at(sums, places, shares[rows])
        return Recalled(
            names=held.astype(np.int64),
            shares=sums,
            size=float((shares * self.arrays["sizes"][pairs]).sum()),
        )

    def _count(self, word: str) -> int:
        return int(self._frequencies[self._ids[word]]) if word in self._ids else 0

    def _find_pairs(self, word: str) -> NDArray[np.int32]:
        index, offsets = self._ids.get(word), self.arrays["word_offsets"]
        pairs: NDArray[np.int32] = self.arrays["word_pairs"]
        return pairs[:0] if index is None else pairs[offsets[index] : offsets[index + 1]]


def read_remembered_pairs(path: Path, vocabulary: list[str]) -> RememberedPairs:
    """Read the pairs of a file of ``MEMORY_SCHEMA``, in its order.

    Args:
        path: the file.
        vocabulary: names of the corpus, ascending; other names count only in the size of an answer.

    Raises:
        DataError: where the file is damaged.
    """
    queries, codes = WordListBuilder(), WordListBuilder()
    for table in iterate_tables(path, MEMORY_SCHEMA):
        for pair in table.to_pylist():
            queries.append(pair["query_words"])
            codes.append(pair["names"])
    asked, held = queries.finish(), codes.finish()
    known = {name: index for index, name in enumerate(vocabulary)}
    numbers = np.array([known.get(name, -1) for name in held.vocabulary], dtype=np.int32)
    names = numbers[held.tokens]
    offsets = np.concatenate([[0], np.cumsum(names >= 0)])[held.offsets]
    word_offsets, word_pairs, _ = invert_terms(asked)
    arrays: dict[str, NDArray[Any]] = {
        "word_offsets": word_offsets,
        "word_pairs": word_pairs,
        "name_offsets": offsets,
        "names": names[names >= 0],
        "sizes": np.diff(held.offsets).astype(np.int32),
    }
    return RememberedPairs(asked.vocabulary, arrays)


class TranslationMemoryRanker(
    ScoringRanker, kind="translation_memory", options=TranslationMemoryOptions
):
    """An index of the names of methods, method by method and inverted, and the remembered pairs.

    A ranking holds the methods with a name of a recalled answer.
    """

    _options: TranslationMemoryOptions
    _arrays = (*_OF_CORPUS, *_ARRAYS)
    _names: TokenLists
    _postings: NDArray[np.int64]
    _methods: NDArray[np.int32]
    _pairs: RememberedPairs

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Read the names of the methods, streaming, and the remembered pairs."""
        memory = self._take(inputs.get("memory"), "memory")
        methods = self._take_methods(inputs, corpus)
        names = _collect_names(methods)
        if len(names) != len(corpus):
            raise DataError(
                f"{methods.path}: is not the corpus that the words were taken from; "
                "take the words again"
            )
        self._names = names
        self._postings, self._methods, _ = invert_terms(names)
        self._pairs = read_remembered_pairs(memory, names.vocabulary)
        self._attach(corpus)

    def score(self, text: str) -> tuple[NDArray[np.int64], Floats]:
        """Return the methods that hold a name of a recalled answer, ascending, and their scores.

        Both arrays have the shape (methods found,), int64 and float64.
        """
        words = self._options.split_query(text)
        recalled = self._pairs.recall(words, recalled=self._options.recalled)
        overlaps = np.zeros(len(self._names), dtype=np.float64)
        for name, share in zip(recalled.names.tolist(), recalled.shares.tolist(), strict=True):
            # A method occurs once among the postings of a name: no addition is lost.
            overlaps[self._methods[self._postings[name] : self._postings[name + 1]]] += share
        found = np.flatnonzero(overlaps)
        return found, self._compare(overlaps[found], found, recalled)

    def _list_arrays(self) -> Arrays:
        names = self._names
        arrays: list[NDArray[Any]] = [names.offsets, names.tokens, self._postings, self._methods]
        return {**dict(zip(_OF_CORPUS, arrays, strict=True)), **self._pairs.arrays}

    def _take_arrays(self, arrays: Arrays, folder: Path) -> None:
        self._names = TokenLists([], arrays["offsets"], arrays["names_of_methods"])
        self._postings, self._methods = arrays["postings"], arrays["methods"]
        words = read_index_words(folder, len(arrays["word_offsets"]) - 1)
        self._pairs = RememberedPairs(words, {name: arrays[name] for name in _ARRAYS})

    def _list_words(self) -> Sequence[str]:
        return self._pairs.words

    def _rank(self, text: str, k: int) -> Ranking:
        return take_top(*self.score(text), k=k)

    def _compare(self, overlaps: Floats, methods: NDArray[np.int64], recalled: Recalled) -> Floats:
        offsets = self._names.offsets
        sizes = offsets[methods + 1] - offsets[methods] + recalled.size
        return np.asarray(2 * overlaps / np.maximum(sizes, 1.0))


def _collect_names(methods: MethodTexts) -> TokenLists:
    """Collect the distinct names of each method, ascending within the method."""
    sets = WordListBuilder()
    for table in methods.iterate_methods(_COLUMNS):
        for method in table.to_pylist():
            names = find_names(method["code"], method["class_name"], method["method_name"])
            sets.append(names)
    return sets.finish()


RANKER: type[Ranker] = TranslationMemoryRanker
