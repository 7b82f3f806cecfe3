"""NDCG of rankings whose results have grades (Järvelin and Kekäläinen 2002).

Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4). Gains are exponential (Burges et
al. 2005), as CodeSearchNet's. Leaving out unjudged results: Sakai, Alternatives to bpref, SIGIR
2007.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence


def grade_ranking(ranking: Iterable[str], grades: Mapping[str, float]) -> list[float | None]:
    """The grades of a ranking's documents; None for one that nobody judged."""
    return [grades.get(document) for document in ranking]


def keep_judged(ranking: Sequence[float | None]) -> list[float]:
    """The ranking without results that nobody judged."""
    return [grade for grade in ranking if grade is not None]


def unjudged_as_zero(ranking: Sequence[float | None]) -> list[float]:
    """The ranking with 0 for results that nobody judged."""
    return [grade or 0.0 for grade in ranking]


def ndcg(ranking: Sequence[float], judged: Iterable[float]) -> float | None:
    """Normalised discounted cumulative gain.

    Args:
        ranking: grades of the results, best rank first.
        judged: grades of all judged documents of the question, found or not.

    Returns:
        From 0 to 1; None for a question of which no judged document has a grade above 0.
    """
    ideal = discounted_gain(sorted(judged, reverse=True))
    return discounted_gain(ranking) / ideal if ideal else None


def discounted_gain(grades: Sequence[float]) -> float:
    """Discounted cumulative gain of grades by rank, the best rank first."""
    gains = [gain_of(grade) for grade in grades]
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(gains, 1))


def gain_of(grade: float) -> float:
    """What one grade counts."""
    return float(2.0**grade - 1.0)
