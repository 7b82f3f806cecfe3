"""How many duplicates there are, in clusters of what size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SIZE_BOUNDS = (2, 3, 6, 21, 101)
"""The least number of members of each class of clusters."""


@dataclass(frozen=True)
class ClusterCounts:
    """Clusters of more than one member.

    Attributes:
        total: members of all clusters, and of those of one.
        clusters: their number.
        across: of them with members in several repositories.
        copies: members but the first of each.
        largest: members of the largest; 0 where there is none.
        sizes: number of clusters of each class of ``SIZE_BOUNDS``.
    """

    total: int
    clusters: int
    across: int
    copies: int
    largest: int
    sizes: tuple[int, ...]


def count_clusters(first: NDArray[np.int64], repositories: NDArray[np.int64]) -> ClusterCounts:
    """Count clusters.

    Args:
        first: position of the first member of each one's cluster, shape (members,).
        repositories: number of the repository of each, the same shape.
    """
    sizes = np.bincount(first, minlength=len(first))
    sizes = sizes[sizes > 1]
    bounds = [*SIZE_BOUNDS, np.iinfo(np.int64).max]
    return ClusterCounts(
        total=len(first),
        clusters=len(sizes),
        across=len(np.unique(first[repositories != repositories[first]])),
        copies=int(sizes.sum()) - len(sizes),
        largest=int(sizes.max(initial=0)),
        sizes=tuple(np.histogram(sizes, bounds)[0].tolist()),
    )


def find_first_of_equal(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Position of the first of equal numbers, int64, the same shape."""
    _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
    return first[numbers].astype(np.int64)
