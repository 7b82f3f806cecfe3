"""The vocabulary of CodeSearchNet's code: frequent words, and pieces that spell the others.

CodeSearchNet calls it BPE, but nothing is merged: pieces are the most frequent character n-grams of
the words that are not in the vocabulary, and a word is spelt by the longest piece that fits, from
left to right (DEV-143).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

PAD, UNKNOWN = 0, 1
UNKNOWN_WORD = "__unk"
LONGEST_PIECE = 8
_WORD_MARKS = ("__pad", UNKNOWN_WORD)
_PIECE_MARKS = ("__sow", "__eow")


@dataclass(frozen=True)
class BpeVocabulary:
    """Words and pieces; their ids are their positions, those of pieces after those of words.

    Attributes:
        words: the marks of padding (id 0) and of unknown text (id 1), then whole words.
        pieces: the marks of a word's start and end, then n-grams; empty where words are not spelt:
            then a word that is not in ``words`` is unknown.
    """

    words: list[str]
    pieces: list[str]

    def __len__(self) -> int:
        """Number of ids."""
        return len(self.words) + len(self.pieces)

    @classmethod
    def learn(cls, counts: Mapping[str, int], *, size: int, whole_words: float) -> BpeVocabulary:
        """Learn a vocabulary from the counts of words; of equal counts the first by text wins.

        Args:
            counts: number of occurrences of each word.
            size: largest size of the vocabulary, with its marks.
            whole_words: share of ``size`` for words.
        """
        room = max(len(_WORD_MARKS), round(size * whole_words))
        marked = {word: count for word, count in counts.items() if word not in _WORD_MARKS}
        words = _most_frequent(marked, room - len(_WORD_MARKS))
        known = set(words)
        rest = sorted(word for word in marked if word and word not in known)
        pieces: list[str] = []
        if size - room > len(_PIECE_MARKS):
            grams = _count_grams(rest, [marked[word] for word in rest], size - room - 2)
            pieces = [*_PIECE_MARKS, *_most_frequent(grams, size - room - 2)]
        return cls([*_WORD_MARKS, *words], pieces)

    def spell(self, word: str, length: int) -> list[int]:
        """Return the ids of a word, at most ``length`` of them."""
        # Characters behind cannot be reached: a piece has one character at least, eight at most.
        word = word[: LONGEST_PIECE * length]
        known = self._words.get(word)
        if known is not None:
            return [known]
        if not self.pieces:
            return [UNKNOWN]
        start_mark, end_mark = len(self.words), len(self.words) + 1
        ids, start = [start_mark], 0
        while start < len(word) and len(ids) < length:
            for end in range(min(len(word), start + LONGEST_PIECE), start, -1):
                piece = self._pieces.get(word[start:end])
                if piece is not None:
                    break
            ids.append(UNKNOWN if piece is None else piece)
            start = end
        return [*ids, end_mark][:length]

    @cached_property
    def _words(self) -> dict[str, int]:
        # A word that looks like the padding must not become it.
        return {word: number for number, word in enumerate(self.words) if number != PAD}

    @cached_property
    def _pieces(self) -> dict[str, int]:
        first = len(_PIECE_MARKS)
        return {
            piece: len(self.words) + number
            for number, piece in enumerate(self.pieces[first:], first)
        }


def _most_frequent(counts: Mapping[str, int], number: int) -> list[str]:
    return heapq.nsmallest(number, counts, key=lambda word: (-counts[word], word))


def _count_grams(words: Sequence[str], counts: Sequence[int], wanted: int) -> dict[str, int]:
    """Count n-grams of 1 to 8 characters in words; return the ``wanted`` most frequent, with ties.

    An n-gram is no more frequent than the shorter n-gram that it begins with: where that is not
    frequent enough, no longer n-gram is counted.
    """
    lengths = np.array([len(word) for word in words], np.int64)
    # Characters as code points: a position of the array is a character.
    text = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
    letters, letter_ids = np.unique(text, return_inverse=True)
    ends = np.repeat(np.cumsum(lengths), lengths)
    weights = np.repeat(np.array(counts, np.float64), lengths)
    positions = np.arange(len(text))
    keys = letter_ids.astype(np.int64)
    found: list[tuple[NDArray[np.float64], NDArray[np.int64], int]] = []
    least = 0.0
    for size in range(1, LONGEST_PIECE + 1):
        _, first, gram_ids = np.unique(keys, return_index=True, return_inverse=True)
        totals = np.bincount(gram_ids, weights[positions], len(first)).astype(np.float64)
        found.append((totals, positions[first].astype(np.int64), size))
        every = np.concatenate([part[0] for part in found])
        if len(every) > wanted:
            least = np.partition(every, len(every) - wanted)[len(every) - wanted]
        goes_on = (totals[gram_ids] >= least) & (positions + size < ends[positions])
        positions, gram_ids = positions[goes_on], gram_ids[goes_on]
        keys = gram_ids * len(letters) + letter_ids[positions + size]
    return {
        text[at : at + size].tobytes().decode("utf-32-le", "surrogatepass"): int(total)
        for totals, places, size in found
        for total, at in zip(totals.tolist(), places.tolist(), strict=True)
        if total >= least
    }
