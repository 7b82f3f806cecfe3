"""Term frequencies of methods as a sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

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
