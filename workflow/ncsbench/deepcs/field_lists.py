"""Fields and descriptions as lists of ids."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.deepcs.method_fields import MethodFields
from ncsbench.networks.id_lists import IdLists
from ncsbench.text.bpe_vocabulary import BpeVocabulary

FIELDS = ("name", "api", "tokens")
"""The fields of code, in the order in which networks take them."""


@dataclass(frozen=True)
class CodeLists:
    """The three fields of n methods."""

    name: IdLists
    api: IdLists
    tokens: IdLists

    def __len__(self) -> int:
        """Number of methods."""
        return len(self.name)

    def take(self, rows: NDArray[np.int64]) -> CodeLists:
        """The fields of some methods, in their order."""
        return CodeLists(*(self.of(field).take(rows) for field in FIELDS))

    def of(self, field: str) -> IdLists:
        """One of ``FIELDS``."""
        lists: IdLists = getattr(self, field)
        return lists

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Ids of all fields of each method, shape (n,)."""
        found: NDArray[np.int64] = sum(
            (self.of(field).lengths for field in FIELDS), np.zeros(len(self), np.int64)
        )
        return found


class WordLists:
    """Lists of words as they come, each cut at a length; four bytes for each word."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._numbers: dict[str, int] = {}
        self._ids, self._offsets = array("i"), array("q", [0])

    def add(self, words: Sequence[str]) -> int:
        """One more list; returns how many words of it are kept."""
        numbers = self._numbers
        kept = words[: self._length]
        self._ids.extend([numbers.setdefault(word, len(numbers)) for word in kept])
        self._offsets.append(len(self._ids))
        return len(kept)

    def learn(self, rows: NDArray[np.int64], size: int) -> BpeVocabulary:
        """The most frequent words of some lists."""
        ids = np.array(self._ids, np.int32)
        lists = IdLists(np.array(self._offsets, np.int64), ids).take(rows)  # type: ignore[arg-type]
        counts = np.bincount(lists.ids, minlength=len(self._numbers)).tolist()
        found = {word: counts[number] for word, number in self._numbers.items() if counts[number]}
        return BpeVocabulary.learn(found, size=size, whole_words=1.0)

    def encode(self, vocabulary: BpeVocabulary, *, unknown: int) -> IdLists:
        """All lists as ids of a vocabulary."""
        words = FieldVocabulary(vocabulary, unknown)
        table = np.array([words.find(word) for word in self._numbers], np.uint16)
        numbers = np.array(self._ids, np.int64)
        ids = table[numbers] if len(numbers) else np.zeros(0, np.uint16)
        return IdLists(np.array(self._offsets, np.int64), ids)


class FieldVocabulary:
    """Finds the ids of words: 0 is the padding, 1 the unknown word where that is one of its own."""

    def __init__(self, vocabulary: BpeVocabulary, unknown: int) -> None:
        self._unknown = unknown
        self._ids = {word: number for number, word in enumerate(vocabulary.words) if number > 1}

    def find(self, word: str) -> int:
        """The id of a word."""
        return self._ids.get(word, self._unknown)

    def encode(self, lists: Sequence[Sequence[str]], length: int) -> IdLists:
        """Lists as ids, each cut at a length."""
        return IdLists.gather([self.find(word) for word in words[:length]] for words in lists)


def encode_fields(
    fields: Sequence[MethodFields],
    vocabularies: Mapping[str, FieldVocabulary],
    lengths: Mapping[str, int],
) -> CodeLists:
    """Fields of methods as ids."""
    return CodeLists(
        *(
            vocabularies[field].encode([getattr(own, field) for own in fields], lengths[field])
            for field in FIELDS
        )
    )
