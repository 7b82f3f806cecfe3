"""Character n-grams of words, as fastText has them, and vectors of words that only these give.

fastText numbers the n-grams of a word by a hash, ``bucket`` numbers in all, and a word's vector is
the average over its n-grams and itself. A word that was not trained is the average of its n-grams.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import map_array, write_array
from ncsbench.errors import DataError
from ncsbench.training.embedding_options import EmbeddingOptions

_FIRST, _FACTOR, _MASK = 2166136261, 16777619, 0xFFFFFFFF  # FNV-1a


@dataclass(frozen=True)
class WordGrams:
    """Vectors of the n-grams of the words of a vocabulary, which training has moved.

    Attributes:
        numbers: of the n-grams, ascending, int64, shape (n-grams,).
        vectors: float32, shape (n-grams, dimension).
    """

    numbers: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def average(self, words: Iterable[str], options: EmbeddingOptions) -> NDArray[np.float32]:
        """The average of the n-grams of each word, shape (words, dimension).

        N-grams that no word of the vocabulary has count as zero: fastText leaves them at their
        starting values, a tenth of which are random (DEV-11, DEV-91).
        """
        listed = list(words)
        averages = np.zeros((len(listed), self.vectors.shape[1]), dtype=np.float32)
        for row, word in enumerate(listed):
            asked = number_grams(word, options)
            places = np.searchsorted(self.numbers, asked)
            for place, number in zip(places.tolist(), asked, strict=True):
                if place < len(self.numbers) and self.numbers[place] == number:
                    averages[row] += self.vectors[place]
            averages[row] *= np.float32(1 / max(len(asked), 1))
        return averages


def number_grams(word: str, options: EmbeddingOptions) -> list[int]:
    """Numbers of the n-grams of ``<word>``, in fastText's order; a lone sign at an end is none."""
    if not options.max_n:
        return []
    marked = f"<{word}>"
    return [
        _hash(marked[start : start + length]) % options.bucket
        for start in range(len(marked))
        for length in range(options.min_n, min(options.max_n, len(marked) - start) + 1)
        if length > 1 or 0 < start < len(marked) - 1
    ]


def _hash(gram: str) -> int:
    value = _FIRST
    for byte in gram.encode():
        # fastText widens a byte above 127 with its sign.
        value = (value ^ (byte | (0xFFFFFF00 if byte > 127 else 0))) * _FACTOR & _MASK
    return value


def save_grams(grams: WordGrams, folder: Path) -> None:
    """Write n-grams into the folder of their embedding."""
    write_array(folder / "gram_numbers.npy", grams.numbers)
    write_array(folder / "gram_vectors.npy", grams.vectors)


def load_grams(folder: Path) -> WordGrams:
    """Open what ``save_grams`` wrote, by memory map; ``DataError`` where it does not fit."""
    numbers, vectors = (map_array(folder / f"gram_{name}.npy") for name in ("numbers", "vectors"))
    if vectors.ndim != 2 or vectors.shape[:1] != numbers.shape or vectors.dtype != np.float32:
        raise DataError(f"{folder}: gram_vectors.npy does not fit gram_numbers.npy; train again")
    return WordGrams(numbers, vectors)
