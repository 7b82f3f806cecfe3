"""Cohen's kappa of two raters on grades, plain (1960) and weighted (1968).

Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20;
Cohen, Weighted kappa, Psychological Bulletin 70.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def weighted_kappa(counts: NDArray[np.int64], distances: NDArray[np.float64]) -> float | None:
    """One less disagreement seen over disagreement by chance.

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
