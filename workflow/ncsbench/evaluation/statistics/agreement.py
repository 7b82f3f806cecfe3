"""Agreement of two raters (Cohen's kappa of grades) and of two rankings (Spearman)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr


def weighted_kappa(counts: NDArray[np.int64], distances: NDArray[np.float64]) -> float | None:
    """Cohen's kappa of two raters: 1 - (the disagreement seen / the disagreement by chance).

    Plain: Cohen, A coefficient of agreement for nominal scales, Educational and Psychological
    Measurement 20, 1960. Weighted: Cohen, Weighted kappa, Psychological Bulletin 70, 1968.

    Args:
        counts: items by the first rater's grade and the second's, shape (grades, grades).
        distances: how much each disagreement counts, of the same shape; 0 on the diagonal.

    Returns:
        At most 1; None without items, and where both give all items one and the same grade.
    """
    by_chance = np.outer(counts.sum(axis=1), counts.sum(axis=0))
    expected = float((distances * by_chance).sum())
    if expected == 0:
        return None
    return 1.0 - int(counts.sum()) * float((distances * counts).sum()) / expected


def quadratic_kappa(counts: NDArray[np.int64]) -> float | None:
    """``weighted_kappa`` with the squares of the distances of the grades."""
    grades = np.arange(len(counts), dtype=np.float64)
    return weighted_kappa(counts, (grades[:, None] - grades[None, :]) ** 2)


def rank_not_found_last(first_ranks: NDArray[np.int32], depth: int) -> NDArray[np.int64]:
    """First ranks, where a question that is not found gets the rank ``depth`` + 1 (DEV-77).

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
    """Spearman's correlation of two lists of values (1904), with ties.

    Returns:
        None for fewer than two values in each, or where one list is constant.
    """
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(spearmanr(first, second).statistic)
