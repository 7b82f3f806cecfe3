"""Rankings that stand beside those of the systems: the annotators' candidates, and chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scipy.stats import hypergeom

from ncsbench.codesearchnet.challenge_scores import QueryScore
from ncsbench.codesearchnet.function_pool import FunctionPool
from ncsbench.codesearchnet.submission import Ranking
from ncsbench.evaluation.graded_rankings import discounted_gain, gain_of
from ncsbench.function_corpus.annotations import Relevances

CANDIDATES = 10
"""Results of each system that are candidates for annotators (DEV-141)."""


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
    scores = []
    returned = min(depth, pool.functions)
    discounts = math.fsum(1 / math.log2(rank + 1) for rank in range(1, returned + 1))
    for query, judged in relevances.items():
        ideal = discounted_gain(sorted(judged.values(), reverse=True))
        if not ideal:
            continue
        inside = [grade for url, grade in judged.items() if url in pool.judged]
        gains = math.fsum(map(gain_of, inside))
        # Of the annotated functions that are returned, any is the first one with the same chance.
        within = math.fsum(
            float(hypergeom.sf(place - 1, pool.functions, len(inside), returned))
            / math.log2(place + 1)
            for place in range(1, len(inside) + 1)
        )
        scores.append(
            QueryScore(
                query=query,
                within=within * gains / len(inside) / ideal if inside else 0.0,
                all=discounts * gains / pool.functions / ideal if inside else 0.0,
                rows=returned,
                found=0,
                judged=len(judged),
                positives=sum(grade > 0 for grade in judged.values()),
            )
        )
    return scores
