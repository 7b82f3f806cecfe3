"""Spearman's correlation of first ranks (1904), with ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr


def rank_not_found_last(first_ranks: NDArray[np.int32], depth: int) -> NDArray[np.int64]:
    """First ranks with a question that is not found as one rank below the last (DEV-77).

    Args:
        first_ranks: any shape, from 1, 0 = not found.
        depth: the last rank that counts; deeper ones are not found.

    Returns:
        int64, the same shape, 1 to ``depth`` + 1.
    """
    missed = (first_ranks == 0) | (first_ranks > depth)
    return np.where(missed, depth + 1, first_ranks).astype(np.int64)


def correlate_ranks(
    first: NDArray[np.int64 | np.float64], second: NDArray[np.int64 | np.float64]
) -> float | None:
    """Spearman's correlation; None for fewer than two of each or where one side is constant."""
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(spearmanr(first, second).statistic)
