"""NDCG of the CodeSearchNet challenge, query by query (Husain et al. 2019, section 3.1).

As in the released ``relevanceeval.py``: gain ``2^relevance - 1`` (Burges et al. 2005), discount
``log2(rank + 1)`` (Järvelin and Kekäläinen 2002), the ideal over all annotated functions of the
query, found or not. Beside the systems stand the
annotators' candidates, and chance.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ncsbench.codesearchnet.submission import Ranking
from ncsbench.codesearchnet.system_ranks import CANDIDATES, FunctionPool
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
        ranking, ideal = rankings.get(query, ()), _find_ideal(judged)
        if not ideal:
            continue
        within = _sum_gains(judged[url] for url in ranking if url in judged) / ideal
        among_all = _sum_gains(judged.get(url, 0.0) for url in ranking) / ideal
        found = len(judged.keys() & set(ranking))
        positives = sum(grade > 0 for grade in judged.values())
        scores.append(
            QueryScore(query, within, among_all, len(ranking), found, len(judged), positives)
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


def merge_candidates(
    systems: Sequence[Mapping[Ranking, Sequence[str]]], depth: int = CANDIDATES
) -> dict[Ranking, list[str]]:
    """The first results of all systems in one ranking: by rank, then in the order of the systems.

    A function that several systems have stands at its first place (DEV-141).
    """
    merged: dict[Ranking, list[str]] = {}
    for key in dict.fromkeys(key for rankings in systems for key in rankings):
        heads = [rankings.get(key, ())[:depth] for rankings in systems]
        by_rank = (head[rank] for rank in range(depth) for head in heads if rank < len(head))
        merged[key] = list(dict.fromkeys(by_rank))
    return merged


def score_chance(relevances: Relevances, pool: FunctionPool, *, depth: int) -> list[QueryScore]:
    """What a random order of the pool is expected to score, query by query (DEV-142).

    The expectation is exact: each of the first ``depth`` ranks holds any function of the pool with
    the same chance, and how many annotated ones are among them is hypergeometric.

    Args:
        relevances: whose gains give the ideal; functions outside the pool are never found.
        pool: what is ordered.
        depth: ranks that are returned.

    Returns:
        Of every query with an ideal above 0, in the order of ``relevances``.
    """
    from scipy.stats import hypergeom  # slow to import, and only Table 4 asks for chance

    scores = []
    returned = min(depth, pool.functions)
    discounts = math.fsum(1 / math.log2(rank + 1) for rank in range(1, returned + 1))
    for query, judged in relevances.items():
        ideal = _find_ideal(judged)
        if not ideal:
            continue
        inside = [grade for url, grade in judged.items() if url in pool.judged]
        gains = math.fsum(map(_gain, inside))
        # Of the annotated functions that are returned, any is the first one with the same chance.
        within = math.fsum(
            float(hypergeom.sf(place - 1, pool.functions, len(inside), returned))
            / math.log2(place + 1)
            for place in range(1, len(inside) + 1)
        )
        of_within = within * gains / len(inside) / ideal if inside else 0.0
        of_all = discounts * gains / pool.functions / ideal if inside else 0.0
        positives = sum(grade > 0 for grade in judged.values())
        scores.append(QueryScore(query, of_within, of_all, returned, 0, len(judged), positives))
    return scores


def _find_ideal(judged: Mapping[str, float]) -> float:
    """The discounted gain of all annotated functions of a query, the best ones first."""
    return _sum_gains(sorted(judged.values(), reverse=True))


def _sum_gains(grades: Iterable[float]) -> float:
    """Discounted cumulative gain of relevances by rank, the best rank first."""
    ranked = enumerate(map(_gain, grades), 1)
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in ranked)


def _gain(grade: float) -> float:
    return float(2.0**grade - 1.0)
