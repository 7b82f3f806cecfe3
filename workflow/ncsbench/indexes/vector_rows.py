"""Vectors of a corpus as rows of a temporary file, which may be larger than the memory."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ncsbench.errors import DataError
from ncsbench.indexes.document_vectors import normalise_rows

# At 1,024 dimensions a block takes 67 MB, and twice as much in double precision.
_BLOCK = 1 << 14


def make_rows(count: int, dimension: int) -> NDArray[np.float32]:
    """Rows of zeros, float32, shape (count, dimension), in a file that has no name.

    It lies in the folder for temporary files (``TMPDIR``) and goes with the array.

    Raises:
        DataError: where the disk has no room for it.
    """
    size = 4 * count * dimension
    if not size:
        return np.zeros((count, dimension), np.float32)
    with tempfile.TemporaryFile() as file:
        try:
            # Written by memory map, a full disk would be a signal instead of an error.
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError as error:
            raise DataError(
                f"{tempfile.gettempdir()}: no room for {size / 1e9:.1f} GB of vectors "
                f"({error.strerror}); name a folder on another disk as TMPDIR"
            ) from error
        return np.asarray(np.memmap(file, np.float32, "r+", shape=(count, dimension)))


def blocks_of(rows: NDArray[np.float32]) -> Iterator[slice]:
    """Ranges of rows that are worked on at once."""
    for start in range(0, len(rows), _BLOCK):
        yield slice(start, min(start + _BLOCK, len(rows)))


def fit_into_unit_ball(rows: NDArray[np.float32], *, normalise: bool) -> NDArray[np.bool_]:
    """Scale rows in place so that none is longer than 1, as exact search asks.

    Args:
        rows: finite vectors, float32, shape (n, dimension).
        normalise: whether each row gets length 1; else all are divided by one power of two, which
            changes no digit and no order of inner products.

    Returns:
        Whether a row is a vector and not all zeros, bool, shape (n,).
    """
    lengths = np.empty(len(rows))
    for block in blocks_of(rows):
        lengths[block] = np.sqrt(np.square(rows[block], dtype=np.float64).sum(axis=1))
    scale = np.float32(1 / power_above(float(lengths.max(initial=0))))
    for block in blocks_of(rows):
        rows[block] = normalise_rows(rows[block]) if normalise else rows[block] * scale
    return lengths > 0


def scale_query(vector: NDArray[np.float32], *, normalise: bool) -> NDArray[np.float64] | None:
    """A query's vector likewise, float64, shape (dimension,); None for zeros."""
    wide = vector.astype(np.float64)
    length = float(np.sqrt((wide * wide).sum()))
    if length == 0:
        return None
    return wide / (length if normalise else power_above(length))


def power_above(length: float) -> float:
    """The next power of two above a length; 1 for none."""
    return math.ldexp(1, math.frexp(length)[1])
