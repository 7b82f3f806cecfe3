"""Sets of post ids as bit arrays, of at most 128 MiB each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import map_array, write_array
from ncsbench.errors import DataError

_STEP = bytes(1 << 16)
_SLICE = 1 << 24


class IdSet:
    """A growing set of ids from 0 on."""

    def __init__(self) -> None:
        self._bits: Any = bytearray(_STEP)

    def add(self, number: int) -> bool:
        """Put in an id; False where it was in before."""
        position, bit = number >> 3, 1 << (number & 7)
        self._reserve(position)
        if self._bits[position] & bit:
            return False
        self._bits[position] |= bit
        return True

    def update(self, path: Path) -> None:
        """Put in the ids of a saved set."""
        size = len(_map_ids(path))
        self._reserve(size - 1)
        own = np.frombuffer(self._bits, dtype=np.uint8)
        for start in range(0, size, _SLICE):
            # Mapped anew each time: what was read of a map counts as memory until it is closed.
            read = _map_ids(path)[start : start + _SLICE]
            own[start : start + len(read)] |= read
            del read

    def __contains__(self, number: int) -> bool:
        position = number >> 3
        return position < len(self._bits) and bool(self._bits[position] & 1 << (number & 7))

    def _reserve(self, position: int) -> None:
        while position >= len(self._bits):
            self._bits.extend(_STEP)

    def save(self, path: Path) -> None:
        """Write the bits; the file depends on the ids only."""
        write_array(path, np.frombuffer(self._bits, dtype=np.uint8))


def _map_ids(path: Path) -> NDArray[np.uint8]:
    """The bits of a saved set by memory map; ``DataError`` where it is none."""
    bits = map_array(path)
    if bits.dtype != np.uint8 or bits.ndim != 1:
        raise DataError(f"{path}: is not a set of ids")
    return bits


def load_ids(path: Path) -> IdSet:
    """A saved set, to be asked; it is mapped and not read, and must not grow."""
    ids = IdSet()
    ids._bits = _map_ids(path).data
    return ids
