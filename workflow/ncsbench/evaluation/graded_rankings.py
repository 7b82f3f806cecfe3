"""NDCG and precision of rankings whose results have grades (Järvelin and Kekäläinen 2002).

NDCG: Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4). With exponential gains
(Burges et al. 2005) it is CodeSearchNet's, but for the cut (DEV-109). Leaving out unjudged results:
Sakai, Alternatives to bpref, SIGIR 2007.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

Gain = Literal["exponential", "linear"]
"""What a grade counts: ``2^grade - 1``, or itself."""
RELEVANT = 2.0
"""The mean grade from which a method counts as relevant, where yes or no is asked for (DEV-109)."""
CUT = 10


def grade_ranking(ranking: Iterable[str], grades: Mapping[str, float]) -> list[float | None]:
    """The grades of a ranking's documents; None for one that nobody judged."""
    return [grades.get(document) for document in ranking]


def keep_judged(ranking: Sequence[float | None]) -> list[float]:
    """The ranking without results that nobody judged."""
    return [grade for grade in ranking if grade is not None]


def unjudged_as_zero(ranking: Sequence[float | None]) -> list[float]:
    """The ranking with 0 for results that nobody judged."""
    return [grade or 0.0 for grade in ranking]


def ndcg(
    ranking: Sequence[float],
    judged: Iterable[float],
    *,
    cut: int | None = CUT,
    gain: Gain = "exponential",
) -> float | None:
    """Normalised discounted cumulative gain.

    Args:
        ranking: grades of the results, best rank first.
        judged: grades of all judged documents of the question, found or not.
        cut: the last rank that counts; None for all.
        gain: what a grade counts.

    Returns:
        From 0 to 1; None for a question of which no judged document has a grade above 0.
    """
    ideal = discounted_gain(sorted(judged, reverse=True)[:cut], gain)
    return discounted_gain(ranking[:cut], gain) / ideal if ideal else None


def precision(ranking: Sequence[float], *, cut: int = CUT) -> float:
    """Share of the first ``cut`` ranks with a relevant result; a rank without result has none."""
    return sum(grade >= RELEVANT for grade in ranking[:cut]) / cut


def discounted_gain(grades: Sequence[float], gain: Gain = "exponential") -> float:
    """Discounted cumulative gain of grades by rank, the best rank first."""
    gains = [gain_of(grade, gain) for grade in grades]
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(gains, 1))


def gain_of(grade: float, gain: Gain = "exponential") -> float:
    """What one grade counts."""
    return 2.0**grade - 1.0 if gain == "exponential" else grade
