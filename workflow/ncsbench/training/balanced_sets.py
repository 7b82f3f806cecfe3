"""Pairs of several sets in proportion to the square root of their sizes.

A large set brings more than a small one, but does not drown it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def balance_sets(sets: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pairs of each set an epoch takes: sqrt(its size * size of the largest), rounded.

    The largest set is taken once, a quarter of it twice.

    Args:
        sets: number of the set of each pair, shape (n,).

    Returns:
        Shape (greatest number + 1,); 0 for a number without pairs.
    """
    sizes = np.bincount(sets)
    counts: NDArray[np.int64] = np.rint(np.sqrt(sizes * float(sizes.max()))).astype(np.int64)
    return counts


def draw_balanced(sets: NDArray[np.int64], generator: np.random.Generator) -> NDArray[np.int64]:
    """Pairs of an epoch, set by set: as often as a set fits wholly, and the rest at random.

    Args:
        sets: number of the set of each pair, shape (n,).
        generator: draws the rest; not asked where a set fits evenly.

    Returns:
        Shape (sum of ``balance_sets``,).
    """
    drawn = []
    for number, count in enumerate(balance_sets(sets).tolist()):
        own = np.flatnonzero(sets == number)
        times, rest = divmod(count, max(len(own), 1))
        drawn.append(np.tile(own, times))
        if rest:
            drawn.append(generator.permutation(own)[:rest])
    return np.concatenate(drawn)
