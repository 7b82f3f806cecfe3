"""What a random order is expected to reach where a query has several positives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ChanceFigures:
    """Expected figures of a random order.

    Attributes:
        answered: expected number of queries with a positive up to a rank, by the rank.
        mrr_10: expected mean reciprocal rank of the first positive, 0 beyond rank 10.
        mrr: without a cut.
    """

    answered: dict[int, float]
    mrr_10: float
    mrr: float


@cache
def first_rank_chances(positives: int, candidates: int) -> NDArray[np.float64]:
    """Probability of each rank of the first positive in a random order.

    Of all ways to place ``k`` positives on ``n`` ranks, ``C(n - r, k - 1)`` have the first on rank
    ``r``, of ``C(n, k)``.

    Args:
        positives: ``k``, from 1 to ``candidates``.
        candidates: ``n``, positives among them.

    Returns:
        float64, shape (candidates,): of ranks from 1; they sum to 1.

    Raises:
        ValueError: for other numbers of positives.
    """
    if not 1 <= positives <= candidates:
        raise ValueError(f"{positives} positives among {candidates} candidates")
    chances = np.zeros(candidates)
    chance = positives / candidates
    for rank in range(1, candidates - positives + 2):
        chances[rank - 1] = chance
        chance *= (candidates - rank - positives + 1) / max(candidates - rank, 1)
    chances.flags.writeable = False
    return chances


def expect_random(queries: Iterable[tuple[int, int]], ranks: Iterable[int]) -> ChanceFigures:
    """Expected figures over queries.

    Args:
        queries: of each, at least one, how many of how many candidates are positive.
        ranks: the last ranks of the numbers of answered queries.
    """
    chances = [first_rank_chances(*query) for query in queries]
    shares = [of_query / np.arange(1, len(of_query) + 1) for of_query in chances]
    return ChanceFigures(
        {rank: float(sum(of_query[:rank].sum() for of_query in chances)) for rank in ranks},
        float(np.mean([of_query[:10].sum() for of_query in shares])),
        float(np.mean([of_query.sum() for of_query in shares])),
    )
