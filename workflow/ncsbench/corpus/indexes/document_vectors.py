"""Document vectors: weighted sums of word vectors, or rows of a temporary file.

The temporary file may be larger than the memory.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.indexes.term_counts import count_terms
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.errors import DataError

# At 500 dimensions a block's sums take 131 MB.
_BLOCK = 1 << 16
# At 1,024 dimensions a block of rows takes 67 MB, and twice as much in double precision.
_ROWS = 1 << 14
FloatT = TypeVar("FloatT", np.float32, np.float64)
Weighting = Literal["tf_idf", "sum", "unique"]
Logarithm = Literal["natural", "binary", "decimal"]
_BASES: Mapping[Logarithm, float] = {"natural": math.e, "binary": 2.0, "decimal": 10.0}


def embed_documents(
    lists: TokenLists,
    *,
    word_ids: NDArray[np.int32],
    vectors: NDArray[np.float32],
    weighting: Weighting = "tf_idf",
    logarithm: Logarithm = "natural",
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return weighted sums of unit word vectors of all methods (NCS; ``rankers.vectors.ncs``).

    Args:
        lists: words of n methods.
        word_ids: words with a vector, ascending indices into the vocabulary, shape (m,).
        vectors: vectors of these words, not normalised, shape (m, dimension).
        weighting: weights of words: TF-IDF, the number of occurrences, or 1 for each distinct word
            (DEV-94).
        logarithm: logarithm of the term frequency in TF-IDF. (Another logarithm of the inverse
            document frequency would multiply all weights by one factor, which normalising cancels.)

    Returns:
        The methods that have a vector, ascending, shape (r,), and their unit vectors, shape
        (r, dimension). Methods with the same words have equal vectors to the last bit.
    """
    inverse = inverse_frequencies(lists)[word_ids]

    def weigh(counts: Any) -> NDArray[np.float64]:
        if weighting == "tf_idf":
            return weigh_tf_idf(counts.data, inverse[counts.indices], logarithm=logarithm)
        weights: NDArray[np.float64] = counts.data
        return weights if weighting == "sum" else np.ones_like(weights)

    return sum_word_vectors(lists, word_ids=word_ids, vectors=normalise_rows(vectors), weigh=weigh)


def inverse_frequencies(lists: TokenLists) -> NDArray[np.float64]:
    """Return ln(methods / methods with the word) of every word, float64, shape (vocabulary,)."""
    frequencies = np.zeros(len(lists.vocabulary), dtype=np.int64)
    for _, counts in _blocks(lists):
        frequencies += np.bincount(counts.indices, minlength=len(frequencies))
    # A word of the vocabulary that no method contains is never looked up.
    inverse: NDArray[np.float64] = np.log(len(lists) / np.maximum(frequencies, 1))
    return inverse


def weigh_tf_idf(
    counts: NDArray[Any], inverse: NDArray[np.float64], *, logarithm: Logarithm = "natural"
) -> NDArray[np.float64]:
    """Return TF-IDF of words that occur ``counts`` times (DEV-14), in the shape of both arrays."""
    weights: NDArray[np.float64] = (1 + np.log(counts) / math.log(_BASES[logarithm])) * inverse
    return weights


def sum_word_vectors(
    lists: TokenLists,
    *,
    word_ids: NDArray[np.int32],
    vectors: NDArray[np.float32],
    weigh: Callable[[Any], NDArray[np.float64]],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return unit vectors of all methods, computed in blocks to save memory.

    Args:
        lists: words of n methods.
        word_ids: words with a vector, ascending indices into the vocabulary, shape (m,).
        vectors: vectors of these words, summed as they are, shape (m, dimension).
        weigh: function of the counts of a block, a ``csr_matrix`` of float64, shape (methods of the
            block, m); it returns the weights of the stored counts, float64, aligned with ``data``.

    Returns:
        The methods whose sum is not zero, ascending, shape (r,), and the sums divided by their
        lengths, shape (r, dimension).
    """
    methods = [np.zeros(0, dtype=np.int64)]
    documents = np.empty((len(lists), vectors.shape[1]), dtype=np.float32)
    filled = 0
    for start, counts in _blocks(lists):
        weights = counts[:, word_ids].astype(np.float64)
        weights.data = weigh(weights)
        sums = weights.astype(np.float32) @ vectors
        found = np.flatnonzero(sums.any(axis=1))
        documents[filled : filled + len(found)] = normalise_rows(sums[found])
        filled += len(found)
        methods.append(start + found)
    return np.concatenate(methods), documents[:filled]


def normalise_rows(vectors: NDArray[FloatT]) -> NDArray[FloatT]:
    """Divide rows by their Euclidean length; rows of zeros stay as they are."""
    lengths = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=1, keepdims=True))
    scaled: NDArray[FloatT] = (vectors / np.where(lengths > 0, lengths, 1)).astype(vectors.dtype)
    return scaled


def _blocks(lists: TokenLists) -> Iterator[tuple[int, Any]]:
    for start in range(0, len(lists), _BLOCK):
        yield start, count_terms(lists, start=start, stop=min(start + _BLOCK, len(lists)))


def make_rows(count: int, dimension: int) -> NDArray[np.float32]:
    """Make rows of zeros, float32, shape (count, dimension), in a file without a name.

    The file lies in the folder for temporary files (``TMPDIR``) and disappears with the array.

    Raises:
        DataError: where the disk has no room for the file.
    """
    size = 4 * count * dimension
    if not size:
        return np.zeros((count, dimension), np.float32)
    with tempfile.TemporaryFile() as file:
        try:
            # Writing to a full disk by memory map would end in a signal instead of an error.
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError as error:
            raise DataError(
                f"{tempfile.gettempdir()}: no room for {size / 1e9:.1f} GB of vectors "
                f"({error.strerror}); name a folder on another disk as TMPDIR"
            ) from error
        return np.asarray(np.memmap(file, np.float32, "r+", shape=(count, dimension)))


def blocks_of(rows: NDArray[np.float32]) -> Iterator[slice]:
    """Yield ranges of rows that are worked on at once."""
    for start in range(0, len(rows), _ROWS):
        yield slice(start, min(start + _ROWS, len(rows)))


def fit_into_unit_ball(rows: NDArray[np.float32], *, normalise: bool) -> NDArray[np.bool_]:
    """Scale rows in place so that no row is longer than 1, as exact search requires.

    Args:
        rows: finite vectors, float32, shape (n, dimension).
        normalise: True where each row is scaled to length 1; otherwise all rows are divided by one
            power of two, which changes no digit and no order of inner products.

    Returns:
        True for rows that are not all zeros, bool, shape (n,).
    """
    lengths = np.empty(len(rows))
    for block in blocks_of(rows):
        lengths[block] = np.sqrt(np.square(rows[block], dtype=np.float64).sum(axis=1))
    scale = np.float32(1 / power_above(float(lengths.max(initial=0))))
    for block in blocks_of(rows):
        rows[block] = normalise_rows(rows[block]) if normalise else rows[block] * scale
    return lengths > 0


def scale_query(vector: NDArray[FloatT], *, normalise: bool) -> NDArray[np.float64] | None:
    """Scale a query's vector like ``fit_into_unit_ball``; float64, (dimension,), None for zeros."""
    wide = vector.astype(np.float64)
    length = float(np.sqrt((wide * wide).sum()))
    if length == 0:
        return None
    return wide / (length if normalise else power_above(length))


def power_above(length: float) -> float:
    """Return the next power of two above a length; 1 for the length 0."""
    return math.ldexp(1, math.frexp(length)[1])
