"""The tokens of some methods as a sparse matrix of frequencies, or as flat arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import TokenLists


def count_terms(lists: TokenLists, *, start: int = 0, stop: int | None = None) -> Any:
    """How often each word occurs in each of the methods ``start`` to ``stop`` (exclusive).

    Returns:
        ``scipy.sparse.csr_matrix`` of int32, shape (stop - start, vocabulary), with sorted
        indices and no stored zeros.
    """
    from scipy.sparse import csr_matrix

    stop = len(lists) if stop is None else stop
    first, last = lists.offsets[start], lists.offsets[stop]
    # A copy, since summing duplicates works in place.
    tokens = lists.tokens[first:last].copy()
    counts = csr_matrix(
        (np.ones(len(tokens), dtype=np.int32), tokens, lists.offsets[start : stop + 1] - first),
        shape=(stop - start, len(lists.vocabulary)),
    )
    counts.sum_duplicates()
    return counts


def gather_tokens(
    lists: TokenLists, methods: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The tokens of some methods, one list after the other.

    Args:
        lists: tokens of all methods.
        methods: ids, int64, shape (c,), in any order.

    Returns:
        Of each token the place of its method in ``methods``, int64, ascending, and its index in the
        vocabulary, int32, both of shape (tokens,).
    """
    starts = lists.offsets[methods]
    lengths = lists.offsets[methods + 1] - starts
    rows = np.repeat(np.arange(len(methods)), lengths)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return rows, lists.tokens[np.repeat(starts, lengths) + within]
