"""A field of methods, indexed and scored as in Lucene: an inverted index with BM25.

N methods have the field (at least one token), and df(t) of them hold the token t; a method has dl
tokens, avgdl on average over the N methods::

    idf(t)  = ln(1 + (N - df + 0.5) / (df + 0.5))
    s(d, q) = SUM over tokens t of q: idf(t) * tf(t,d) / (tf(t,d) + k1 * (1 - b + b * dl / avgdl))

A token that occurs several times in a query counts as often. The formula is that of the class
``BM25Similarity`` since Lucene 8, which leaves out the constant factor k1 + 1 of the textbooks.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.term_counts import PostingsBuilder

EXACT_LENGTHS = 24
"""The largest length for which every length has a byte of its own; above it lengths share bytes."""


@dataclass(frozen=True)
class TextField:
    """Inverted index of one field, 8 bytes per posting.

    Attributes:
        words: the distinct tokens in ascending order, concatenated as UTF-8, uint8.
        word_ends: int64, shape (tokens,); the end of each token in ``words``.
        offsets: int64, shape (tokens + 1,); token i has postings ``offsets[i]:offsets[i + 1]``.
        methods: int32, shape (postings,), ascending for each token.
        frequencies: int32, shape (postings,), occurrences of the token in the method.
        lengths: int32, shape (methods,), number of tokens of each method.
    """

    words: NDArray[np.uint8]
    word_ends: NDArray[np.int64]
    offsets: NDArray[np.int64]
    methods: NDArray[np.int32]
    frequencies: NDArray[np.int32]
    lengths: NDArray[np.int32]

    def find_postings(self, token: str) -> slice:
        """Return the slice of the postings of a token; empty for an unknown token."""
        wanted = token.encode()
        index = bisect_left(range(len(self.word_ends)), wanted, key=self._word)
        if index == len(self.word_ends) or self._word(index) != wanted:
            return slice(0, 0)
        return slice(int(self.offsets[index]), int(self.offsets[index + 1]))

    def _word(self, index: int) -> bytes:
        start = self.word_ends[index - 1] if index else 0
        return self.words[start : self.word_ends[index]].tobytes()


class FieldScorer:
    """Scores of one field for queries."""

    def __init__(self, field: TextField, *, k1: float, b: float, lossy_lengths: bool) -> None:
        """Weigh the lengths of the methods.

        Args:
            field: index of the field.
            k1: saturation of the term frequency.
            b: weight of the length normalisation, from 0 to 1.
            lossy_lengths: True where lengths are rounded as in Lucene, which stores each in one
                byte; the average length is exact in both cases.
        """
        self._field = field
        self._having = int(np.count_nonzero(field.lengths))
        average = int(field.lengths.sum(dtype=np.int64)) / max(self._having, 1)
        lengths = round_lengths(field.lengths) if lossy_lengths else field.lengths
        self._norms = k1 * (1 - b + b * (lengths / (average or 1.0)))

    def score(self, tokens: Sequence[str]) -> NDArray[np.float64]:
        """Return scores of all methods for the tokens of a query, shape (methods,), float64.

        Exactly the methods that hold one of the tokens have a score above 0.
        """
        scores = np.zeros(len(self._norms), dtype=np.float64)
        for token, times in Counter(tokens).items():
            postings = self._field.find_postings(token)
            methods = self._field.methods[postings]
            frequencies = self._field.frequencies[postings]
            idf = math.log(1 + (self._having - len(methods) + 0.5) / (len(methods) + 0.5))
            # A method occurs once among the postings of a token: no addition is lost.
            scores[methods] += times * idf * (frequencies / (frequencies + self._norms[methods]))
        return scores


class FieldBuilder:
    """Builds the index of a field, method by method."""

    def __init__(self) -> None:
        self._index: defaultdict[str, int] = defaultdict(count().__next__)
        self._postings = PostingsBuilder()

    def add(self, methods: Iterable[list[str]]) -> None:
        """Add the tokens of the next methods, some thousand at a time."""
        tokens, lengths = array("i"), array("q")
        index = self._index
        for method in methods:
            tokens.extend(map(index.__getitem__, method))
            lengths.append(len(method))
        self._postings.add(np.array(tokens, np.int32), np.array(lengths, np.int64))

    def finish(self) -> TextField:
        """Return the index of all methods added; the builder is empty afterwards."""
        vocabulary = sorted(self._index)
        renumbered = np.empty(len(vocabulary), np.int64)
        renumbered[[self._index[word] for word in vocabulary]] = np.arange(len(vocabulary))
        self._index.clear()
        offsets, methods, frequencies = self._postings.finish(renumbered)
        encoded = [word.encode() for word in vocabulary]
        lengths = np.bincount(methods, frequencies, minlength=self._postings.methods)
        return TextField(
            words=np.frombuffer(b"".join(encoded), np.uint8),
            word_ends=np.array(list(accumulate(map(len, encoded))), np.int64),
            offsets=offsets,
            methods=methods,
            frequencies=frequencies,
            lengths=lengths.astype(np.int32),
        )


def round_lengths(lengths: NDArray[np.int32]) -> NDArray[np.int32]:
    """Round lengths as in Lucene, which stores each in one byte.

    Lengths up to ``EXACT_LENGTHS`` stay; of a larger length the part above ``EXACT_LENGTHS`` keeps
    its four leading bits (``SmallFloat.intToByte4`` and ``byte4ToInt``). Lengths up to 40 are
    exact.

    Args:
        lengths: lengths, int32, at least 0, any shape.
    """
    rest = np.maximum(lengths - EXACT_LENGTHS, 0)
    bits = np.frexp(rest.astype(np.float64))[1]
    lost = np.maximum(bits - 4, 0).astype(np.int32)
    rounded: NDArray[np.int32] = np.minimum(lengths, EXACT_LENGTHS) + ((rest >> lost) << lost)
    return rounded
