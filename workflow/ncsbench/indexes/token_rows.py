"""The tokens of some methods as flat arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import TokenLists


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
