"""Results that hardly differ from an earlier one of the same ranking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import TokenLists
from ncsbench.indexes.token_rows import gather_tokens


def keep_distinct(
    ranked: NDArray[np.int64], words: TokenLists, *, least: float, k: int
) -> NDArray[np.int64]:
    """The first methods of a ranking that are no near copy of one that stays before them.

    Args:
        ranked: distinct ids of methods, best first, int64, shape (n,).
        words: words of all methods.
        least: two methods are near copies where they share so much of their distinct words (size
            of the intersection by that of the union), above 0. One without words has no copies.
        k: how many stay at most.

    Returns:
        Ascending places in ``ranked``, int64, at most ``k``.
    """
    from scipy.sparse import csr_matrix

    rows, tokens = gather_tokens(words, ranked)
    distinct, columns = np.unique(tokens, return_inverse=True)
    shape = (len(ranked), len(distinct))
    held = csr_matrix((np.ones(len(rows), np.int32), (rows, columns)), shape=shape)
    held.data[:] = 1  # repeated words were added up
    sizes = np.diff(held.indptr)
    shared = (held @ held.T).toarray()
    stays: list[int] = []
    for place in range(len(ranked)):
        if len(stays) == k:
            break
        both = shared[place, stays]
        unions = sizes[place] + sizes[stays] - both
        if not (both >= least * np.maximum(unions, 1)).any():
            stays.append(place)
    return np.array(stays, dtype=np.int64)
