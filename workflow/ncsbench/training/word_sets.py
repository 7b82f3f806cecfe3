"""Distinct words of one side of training pairs, as integers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class WordSets:
    """Distinct words of one side of n pairs.

    Attributes:
        vocabulary: all of them, ascending.
        offsets: int64, shape (n + 1,); pair i has ``tokens[offsets[i]:offsets[i + 1]]``.
        tokens: int64, indices into ``vocabulary``, ascending within a pair.
    """

    vocabulary: list[str]
    offsets: Integers
    tokens: Integers

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.offsets) - 1


class WordSetBuilder:
    """Grows sets of words, with four bytes for each."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._tokens = array("i")
        self._offsets = array("q", [0])

    def append(self, words: Iterable[str]) -> None:
        """Add the words of a pair, each once."""
        self._tokens.extend(self._ids.setdefault(word, len(self._ids)) for word in words)
        self._offsets.append(len(self._tokens))

    def finish(self, minimum_count: int) -> WordSets:
        """The sets, with the words that so many of them have."""
        tokens = np.array(self._tokens, dtype=np.int64)
        counts = np.bincount(tokens, minlength=len(self._ids))
        vocabulary = sorted(word for word, i in self._ids.items() if counts[i] >= minimum_count)
        numbers = np.full(len(self._ids), -1, dtype=np.int64)
        numbers[[self._ids[word] for word in vocabulary]] = np.arange(len(vocabulary))
        numbered = numbers[tokens]
        known = numbered >= 0
        offsets = np.concatenate([[0], np.cumsum(known)])[np.array(self._offsets, np.int64)]
        rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        numbered = numbered[known]
        return WordSets(vocabulary, offsets, numbered[np.lexsort((numbered, rows))])
