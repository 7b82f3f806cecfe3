"""NDCG of the CodeSearchNet challenge, query by query (Husain et al. 2019, section 3.1).

As in the released ``relevanceeval.py``: gain ``2^relevance - 1``, discount ``log2(rank + 1)``, the
ideal over all annotated functions of the query, found or not.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ncsbench.evaluation.graded_rankings import (
    grade_ranking,
    keep_judged,
    ndcg,
    unjudged_as_zero,
)
from ncsbench.function_corpus.annotations import Relevances

Kind = Literal["within", "all"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The rank advances on annotated functions alone, or on every one."""


@dataclass(frozen=True)
class QueryScore:
    """What a ranking scores for one query.

    Attributes:
        query: in lower case.
        within: NDCG among annotated functions, in [0, 1] where no function is ranked twice.
        all: NDCG among all functions.
        rows: ranked functions.
        found: annotated ones among them.
        judged: annotated functions of the query.
        positives: those with a relevance above 0.
    """

    query: str
    within: float
    all: float
    rows: int
    found: int
    judged: int
    positives: int


def score_queries(
    rankings: Mapping[str, Sequence[str]], relevances: Relevances
) -> list[QueryScore]:
    """Score every query that has a relevance above 0; the others have no ideal and are skipped.

    Args:
        rankings: URLs by query, best first; a query without any scores 0.
        relevances: of the annotated functions of one language.

    Returns:
        In the order of ``relevances``.
    """
    scores = []
    for query, judged in relevances.items():
        ranking = rankings.get(query, ())
        grades = grade_ranking(ranking, judged)
        within = ndcg(keep_judged(grades), judged.values())
        among_all = ndcg(unjudged_as_zero(grades), judged.values())
        if within is None or among_all is None:
            continue
        scores.append(
            QueryScore(
                query=query,
                within=within,
                all=among_all,
                rows=len(ranking),
                found=len(judged.keys() & set(ranking)),
                judged=len(judged),
                positives=sum(grade > 0 for grade in judged.values()),
            )
        )
    return scores


def keep_pool(relevances: Relevances, pool: Container[str]) -> dict[str, dict[str, float]]:
    """The relevances of functions in a pool alone: what can be found in it is then the ideal."""
    kept = {
        query: {url: grade for url, grade in judged.items() if url in pool}
        for query, judged in relevances.items()
    }
    return {query: judged for query, judged in kept.items() if judged}


def mean_score(scores: Sequence[QueryScore], kind: Kind) -> float | None:
    """The mean over queries; None without any."""
    values = [getattr(score, kind) for score in scores]
    return math.fsum(values) / len(values) if values else None
