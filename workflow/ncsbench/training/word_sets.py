"""Lists of words that grow pair by pair, as integers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ncsbench.corpus.documents import TokenLists
from ncsbench.networks.id_lists import ListBuilder


class WordListBuilder:
    """Grows lists of words, with four bytes for each word."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._lists = ListBuilder("i")

    def append(self, words: Iterable[str]) -> None:
        """Add the words of a pair."""
        self._lists.add([self._ids.setdefault(word, len(self._ids)) for word in words])

    def finish(self, minimum_count: int = 1) -> TokenLists:
        """The lists, each in ascending order, without words that occur less often in all of them.

        Neither the vocabulary nor a list depends on the order in which words came.
        """
        starts, tokens = self._lists.finish()
        counts = np.bincount(tokens, minlength=len(self._ids))
        vocabulary = sorted(word for word, i in self._ids.items() if counts[i] >= minimum_count)
        numbers = np.full(len(self._ids), -1, dtype=np.int32)
        numbers[[self._ids[word] for word in vocabulary]] = np.arange(len(vocabulary))
        numbered = numbers[tokens]
        known = numbered >= 0
        offsets = np.concatenate([[0], np.cumsum(known)])[starts]
        rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        numbered = numbered[known]
        return TokenLists(vocabulary, offsets, numbered[np.lexsort((numbered, rows))])
