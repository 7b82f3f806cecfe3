"""The first of several methods with one hash, of which a corpus may keep one."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

_BYTES = 16  # two of 5 million methods share such a hash by chance with a probability of 4 * 10^-26


class MethodHashes:
    """One hash per method, in the order in which they are added; nothing else is held."""

    def __init__(self) -> None:
        self._hashes = bytearray()

    def add(self, text: str) -> None:
        """Add what methods are compared by."""
        self._hashes += hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()

    def find_first(self) -> NDArray[np.int64]:
        """Position of the first method with the same text, int64, shape (methods,)."""
        hashes = np.frombuffer(self._hashes, np.uint64).reshape(-1, 2)
        order = np.lexsort(hashes.T)  # stable: of equal hashes the lowest position comes first
        ordered = hashes[order]
        starts = np.ones(len(order), np.bool_)
        starts[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        first = np.empty(len(order), np.int64)
        first[order] = order[starts][np.cumsum(starts) - 1]
        return first
