"""Lists of words that grow pair by pair, as integers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

from ncsbench.corpus.documents import TokenLists


class WordListBuilder:
    """Grows lists of words, with four bytes for each word."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._tokens = array("i")
        self._offsets = array("q", [0])

    def append(self, words: Iterable[str]) -> None:
        """Add the words of a pair."""
        self._tokens.extend(self._ids.setdefault(word, len(self._ids)) for word in words)
        self._offsets.append(len(self._tokens))

    def finish(self, minimum_count: int = 1) -> TokenLists:
        """The lists, each in ascending order, without words that occur less often in all of them.

        Neither the vocabulary nor a list depends on the order in which words came.
        """
        tokens = np.array(self._tokens, dtype=np.int64)
        counts = np.bincount(tokens, minlength=len(self._ids))
        vocabulary = sorted(word for word, i in self._ids.items() if counts[i] >= minimum_count)
        numbers = np.full(len(self._ids), -1, dtype=np.int32)
        numbers[[self._ids[word] for word in vocabulary]] = np.arange(len(vocabulary))
        numbered = numbers[tokens]
        known = numbered >= 0
        offsets = np.concatenate([[0], np.cumsum(known)])[np.array(self._offsets, np.int64)]
        rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        numbered = numbered[known]
        return TokenLists(vocabulary, offsets, numbered[np.lexsort((numbered, rows))])
