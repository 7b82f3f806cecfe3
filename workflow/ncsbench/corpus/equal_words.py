"""Methods with equal words, of which a corpus may keep the first (DEV-89)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.corpus.word_extraction import extract_words
from ncsbench.corpus.word_options import WordOptions

_BYTES = 16  # two of 5 million methods share such a hash by chance with a probability of 4 * 10^-26


def find_first_methods(items: Iterable[pa.Table]) -> NDArray[np.int64]:
    """Position of the first method with the same words, for every method.

    Words are those of the default options; equal are the same words in the same order. Only a hash
    of each method's words is held.

    Args:
        items: columns ``kinds`` and ``texts`` of all methods, in the order of their positions.

    Returns:
        int64, shape (methods,); a method without an earlier one has its own position.
    """
    hashes = bytearray()
    for table in items:
        words = extract_words(table, WordOptions())
        for method in range(len(words)):
            # No word holds a blank, so words cannot be confused.
            text = " ".join([words.vocabulary[word] for word in words[method].tolist()])
            hashes += hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()
    return _first_of_equal(np.frombuffer(hashes, np.uint64).reshape(-1, 2))


def _first_of_equal(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    order = np.lexsort(hashes.T)  # stable: of equal hashes the lowest position comes first
    ordered = hashes[order]
    starts = np.ones(len(order), np.bool_)
    starts[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    first = np.empty(len(order), np.int64)
    first[order] = order[starts][np.cumsum(starts) - 1]
    return first
