"""Scores behind Table 4: every system in every language, with resampled queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass

import pandas as pd

from ncsbench.codesearchnet.challenge_scores import KINDS, keep_pool, score_queries
from ncsbench.codesearchnet.function_pool import FunctionPool
from ncsbench.codesearchnet.reference_rankings import merge_candidates, score_chance
from ncsbench.codesearchnet.submission import Ranking
from ncsbench.codesearchnet.table_options import Table4Settings
from ncsbench.evaluation.figures import Figures, join_figures, summarise
from ncsbench.evaluation.resampling import Sampling, average_runs
from ncsbench.function_corpus.annotations import Annotations

OFFICIAL = KINDS
"""With the ideal of all annotations: these alone stand beside published figures."""
IN_POOL = tuple(f"{kind}_pool_idcg" for kind in KINDS)
"""With the ideal of the annotated functions in the pool."""
MEASURES = (*OFFICIAL, *IN_POOL)
ENSEMBLE, RANDOM = "ensemble", "random"
"""Rows that are made from the others, and from chance."""
AVERAGE = "Avg"
"""The language of plain means over all of them."""
ENOUGH_JUDGED = 3
"""Annotated functions in the pool with which a query counts for a comparison of systems."""

_KEYS = ("system", "language", "measure")
Rankings = Mapping[Ranking, Sequence[str]]


@dataclass(frozen=True)
class PoolCounts:
    """What of the annotations of a language is in the pool.

    Attributes:
        functions: size of the pool.
        judged, judged_at_hand: pairs of query and annotated function; those in the pool.
        positives, positives_at_hand: those with a relevance above 0.
        queries: with a relevance above 0: those that official figures are of.
        queries_at_hand: with a positive function in the pool.
        queries_with_three: with ``ENOUGH_JUDGED`` annotated functions in the pool, one of them
            positive.
    """

    functions: int
    judged: int
    judged_at_hand: int
    positives: int
    positives_at_hand: int
    queries: int
    queries_at_hand: int
    queries_with_three: int


@dataclass(frozen=True)
class Table4Scores:
    """Figures of all systems.

    Attributes:
        systems: rows in their order, ``ENSEMBLE`` and ``RANDOM`` last.
        figures: by system, language and measure, and their plain means over languages as
            ``AVERAGE``; without those that have no query, and without languages that the system has
            no predictions of.
        counts: by language, and their sums as ``AVERAGE``.
    """

    systems: Sequence[str]
    figures: Figures
    counts: Mapping[str, PoolCounts]


def score_systems(
    settings: Table4Settings,
    annotations: Annotations,
    predictions: Mapping[str, Sequence[Rankings]],
    pools: Mapping[str, FunctionPool],
) -> Table4Scores:
    """Score the systems, the ensemble and chance in every language.

    Args:
        settings: of the table.
        annotations: of the challenge.
        predictions: rankings of every run, by system; the ensemble has the first run of each.
        pools: what was searched, by language.
    """
    chosen = settings.systems if settings.ensemble is None else settings.ensemble
    rankings = {
        **{system: predictions[system] for system in settings.systems},
        ENSEMBLE: [merge_candidates([predictions[system][0] for system in chosen])],
    }
    parts: list[Figures] = []
    counts = {}
    for number, language in enumerate(settings.languages):
        pool, relevances = pools[language], annotations.relevances(language)
        at_hand = keep_pool(relevances, pool.judged)
        counts[language] = _count(relevances, at_hand, pool)
        sampling = Sampling(settings.seed, settings.bootstrap_samples, stream=number)
        for judged, measures in ((relevances, OFFICIAL), (at_hand, IN_POOL)):
            scores = {
                system: [score_queries(of_run, judged) for of_run in of_language]
                for system, runs in rankings.items()
                if all(of_language := [_choose(run, language) for run in runs])
            }
            scores[RANDOM] = [score_chance(judged, pool, depth=settings.depth)]
            units = pd.DataFrame(
                [
                    (system, language, measure, one.query, seed, getattr(one, kind))
                    for system, runs in scores.items()
                    for kind, measure in zip(KINDS, measures, strict=True)
                    for seed, of_queries in enumerate(runs)
                    for one in of_queries
                ],
                columns=[*_KEYS, "unit", "seed", "value"],
            )
            parts.append(summarise(units, _KEYS, sampling, average_runs))
    figures = join_figures(parts)
    found = figures.frame.groupby(["system", "measure"])["language"].transform("size")
    whole = figures.choose(found == len(counts))
    counts[AVERAGE] = PoolCounts(*map(sum, zip(*map(astuple, counts.values()), strict=True)))
    figures = join_figures([figures, whole.average("language", AVERAGE)])
    return Table4Scores((*rankings, RANDOM), figures, counts)


def _choose(rankings: Rankings, language: str) -> dict[str, Sequence[str]]:
    return {query: urls for (one, query), urls in rankings.items() if one == language}


def _count(
    relevances: Mapping[str, Mapping[str, float]],
    at_hand: Mapping[str, Mapping[str, float]],
    pool: FunctionPool,
) -> PoolCounts:
    positive = [judged for judged in relevances.values() if any(judged.values())]
    positive_at_hand = [judged for judged in at_hand.values() if any(judged.values())]
    return PoolCounts(
        functions=pool.functions,
        judged=sum(map(len, relevances.values())),
        judged_at_hand=sum(map(len, at_hand.values())),
        positives=sum(grade > 0 for judged in positive for grade in judged.values()),
        positives_at_hand=sum(
            grade > 0 for judged in positive_at_hand for grade in judged.values()
        ),
        queries=len(positive),
        queries_at_hand=len(positive_at_hand),
        queries_with_three=sum(len(judged) >= ENOUGH_JUDGED for judged in positive_at_hand),
    )
