"""Table 4 of the CodeSearchNet paper: NDCG of models on the annotations, with verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

from ncsbench.base.files.csv_tables import Row, write_rows
from ncsbench.corpus.function_corpus.annotations import (
    TITLES,
    Annotations,
    Relevances,
    read_annotations,
    read_queries,
)
from ncsbench.evaluation.published.printed_figures import PublishedCells, read_published_cells
from ncsbench.evaluation.published.verdicts import judge_figures
from ncsbench.evaluation.statistics.figure_text import (
    arrange,
    find_side,
    format_columns,
    spread,
    tell_order,
    to_rows,
)
from ncsbench.evaluation.statistics.figures import Figures, join_figures, summarise
from ncsbench.evaluation.statistics.resampling import Sampling, average_runs
from ncsbench.studies.codesearchnet.challenge_scores import (
    KINDS,
    keep_pool,
    merge_candidates,
    score_chance,
    score_queries,
)
from ncsbench.studies.codesearchnet.submission import Ranking
from ncsbench.studies.codesearchnet.system_ranks import (
    FunctionPool,
    find_file,
    read_challenge_ranks,
    read_pools,
)
from ncsbench.studies.codesearchnet.table_options import TableSettings

OFFICIAL = KINDS
"""Measures with the ideal of all annotations; only these are compared with published figures."""
MEASURES = (*OFFICIAL, *(f"{kind}_pool_idcg" for kind in KINDS))
"""All measures: the official ones, then those with the ideal of the annotated functions in the
pool."""
ENSEMBLE, RANDOM = "ensemble", "random"
"""The row that is made from the rankings of all models, and the row of a random order."""
AVERAGE = "Avg"
"""Name, in place of a language, of the rows of plain means over all languages."""
ALL = "All"
"""The row of all languages in the paper's Table 1."""
ENOUGH_JUDGED = 3
"""Annotated functions in the pool that a query needs to count for a comparison of models."""
ENOUGH_QUERIES = 30
"""Queries with ``ENOUGH_JUDGED`` annotated functions that a comparison of models needs."""
ALMOST_ALL = 0.99
"""Share of the published number of functions with which a pool is taken for the published one."""
PUBLISHED_TABLES = {
    "within": "Table 4, Within",
    "all": "Table 4, All",
    "all_200_trees": "benchmarks, 200 trees, All",
}
_FIGURES = [f"{measure}{bound}" for measure in MEASURES for bound in ("", "_low", "_high")]
COUNTS = (
    *("functions", "judged", "judged_at_hand", "positives", "positives_at_hand"),
    *("queries", "queries_at_hand", "queries_with_three"),
)
"""Counts of a language. ``functions``: size of the pool. ``judged``: pairs of a query and an
annotated function. ``positives``: such pairs with a relevance above 0. ``queries``: queries with a
positive function; official figures are means over them. The counts ending in ``at_hand`` take
functions of the pool alone. ``queries_with_three``: queries with ``ENOUGH_JUDGED`` annotated
functions in the pool, one of them positive."""
COLUMNS = (
    *("model", "language", *_FIGURES, *COUNTS),
    *("published_as", *(f"published_{name}" for name in PUBLISHED_TABLES)),
    *("verdict", "seen"),
)
"""Columns of ``table4.csv``, in order. Intervals are of 95 %, over queries."""
_DIFFERENCE = {"difference": "value", "difference_low": "low", "difference_high": "high"}
DIFFERENCE_COLUMNS = (
    *("language", "measure", "model", "baseline", *_DIFFERENCE),
    *("verdict", "published_difference", "order"),
)
"""Columns of ``table4_differences.csv``, in order. The baseline is a row above the model."""

_KEYS = ("model", "language", "measure")
_DIGITS = 4
Rankings = Mapping[Ranking, Sequence[str]]


@dataclass(frozen=True)
class Table4Scores:
    """Figures of all models.

    Attributes:
        models: names of the rows in their order, ``ENSEMBLE`` and ``RANDOM`` last.
        figures: figures by model, language and measure, and their plain means over languages as
            ``AVERAGE``; figures without a query, and those of languages that the model has no
            predictions of, are absent.
        counts: ``COUNTS`` by language, and their sums as ``AVERAGE``.
        seen: what models that others trained have seen of the data, by model.
    """

    models: Sequence[str]
    figures: Figures
    counts: pd.DataFrame
    seen: Mapping[str, str]


def write_table4(
    settings: TableSettings,
    annotations: Path,
    queries: Path,
    ranks: Sequence[Path],
    pools: Path,
    output: Path,
    differences: Path,
    published: Path | None = None,
) -> None:
    """Write the NDCG of models beside the paper's Table 4, and how far they are apart.

    Args:
        settings: settings of the table.
        annotations: annotations of the challenge, ``annotationStore.csv``.
        queries: queries of the challenge, ``queries.csv``.
        ranks: a table of ``CHALLENGE_SCHEMA`` for every run.
        pools: table of ``POOL_SCHEMA``, the functions that were searched.
        output: CSV file of ``COLUMNS`` to write.
        differences: CSV file of ``DIFFERENCE_COLUMNS`` to write.
        published: the printed figures; without them, their columns are empty.

    Raises:
        DataError: for a file that is not there or cannot be used.
    """
    judged = read_annotations(annotations, read_queries(queries))
    rankings = {
        model: [read_challenge_ranks(find_file(ranks, run)) for run in settings.runs_of(model)]
        for model in settings.systems
    }
    cells = read_published_cells(published)
    scores = score_models(settings, judged, rankings, read_pools(pools, settings.languages))
    write_rows(output, COLUMNS, list_figures(scores, settings.published_as, cells))
    compared = list_differences(scores, settings.published_as, cells)
    write_rows(differences, DIFFERENCE_COLUMNS, compared)


def score_models(
    settings: TableSettings,
    annotations: Annotations,
    predictions: Mapping[str, Sequence[Rankings]],
    pools: Mapping[str, FunctionPool],
) -> Table4Scores:
    """Score the models, the ensemble and chance in every language.

    Args:
        settings: settings of the table.
        annotations: annotations of the challenge.
        predictions: rankings of every run, by model; the ensemble takes each model's first run.
        pools: the functions that were searched, by language.
    """
    rankings = {model: predictions[model] for model in settings.systems}
    merged = [runs[0] for model, runs in rankings.items() if model not in settings.seen]
    rankings[ENSEMBLE] = [merge_candidates(merged)]
    parts: list[Figures] = []
    counts = {}
    for number, language in enumerate(settings.languages):
        pool, relevances = pools[language], annotations.relevances(language)
        at_hand = keep_pool(relevances, pool.judged)
        counts[language] = _count(relevances, at_hand, pool)
        sampling = Sampling(settings.seed, settings.bootstrap_samples, stream=number)
        for judged, measures in ((relevances, OFFICIAL), (at_hand, MEASURES[len(OFFICIAL) :])):
            scores = {
                model: [score_queries(of_run, judged) for of_run in of_language]
                for model, runs in rankings.items()
                if all(of_language := [_choose(run, language) for run in runs])
            }
            scores[RANDOM] = [score_chance(judged, pool, depth=settings.depth)]
            units = pd.DataFrame(
                [
                    (model, language, measure, one.query, seed, getattr(one, kind))
                    for model, runs in scores.items()
                    for kind, measure in zip(KINDS, measures, strict=True)
                    for seed, of_queries in enumerate(runs)
                    for one in of_queries
                ],
                columns=[*_KEYS, "unit", "seed", "value"],
            )
            parts.append(summarise(units, _KEYS, sampling, average_runs))
    figures = join_figures(parts)
    found = figures.frame.groupby(["model", "measure"])["language"].transform("size")
    whole = figures.choose(found == len(counts))
    figures = join_figures([figures, whole.average("language", AVERAGE)])
    frame = pd.DataFrame(counts.values(), [*counts], columns=COUNTS)
    frame.loc[AVERAGE] = frame.sum()
    return Table4Scores((*rankings, RANDOM), figures, frame, settings.seen)


def list_figures(
    scores: Table4Scores, published_as: Mapping[str, str], cells: PublishedCells
) -> list[Row]:
    """List rows of ``COLUMNS``: every model in every language, then its average."""
    figures = scores.figures.frame
    printed = _find_printed(figures, figures["measure"], published_as, cells)
    as_published = figures["language"].map(lambda one: _is_as_published(scores, one, cells))
    values = [float(one) if one else None for one in printed.where(as_published, "")]
    # A figure has no verdict where no figure is printed, or another pool was searched.
    verdicts = judge_figures(scores.figures, values, [""] * len(values))
    frame = figures.drop(columns=["n", "runs"]).assign(verdict=pd.Series(verdicts, dtype=object))
    names = {"value": "{}", "low": "{}_low", "high": "{}_high", "verdict": "{}_verdict"}
    keys = {"model": scores.models, "language": scores.counts.index}
    wide = arrange(spread(frame, "measure", MEASURES, names), keys).fillna(
        {f"{measure}_verdict": "" for measure in MEASURES}
    )
    wide = wide.join(scores.counts, on="language")
    wide["published_as"] = [published_as.get(model, "") for model in wide["model"]]
    for name in PUBLISHED_TABLES:
        measures = pd.Series(name, wide.index)
        wide[f"published_{name}"] = _find_printed(wide, measures, published_as, cells)
    wide["seen"] = [scores.seen.get(model, "") for model in wide["model"]]
    wide["verdict"] = ["; ".join(_say(row, cells)) for row in wide.to_dict("records")]
    wide["language"] = [TITLES.get(language, AVERAGE) for language in wide["language"]]
    return to_rows(format_columns(wide, _FIGURES, _DIGITS), COLUMNS)


def list_differences(
    scores: Table4Scores, published_as: Mapping[str, str], cells: PublishedCells
) -> list[Row]:
    """List rows of ``DIFFERENCE_COLUMNS``: any two models in every language, and on average."""
    pairs = [(model, baseline) for baseline, model in combinations(scores.models, 2)]
    found = scores.figures.against("model", pairs).frame
    found["pair"] = list(zip(found["model"], found["baseline"], strict=True))
    keys = {"language": scores.counts.index, "measure": MEASURES, "pair": pairs}
    frame = arrange(found.drop(columns=["model", "baseline"]), keys)
    frame[["model", "baseline"]] = frame["pair"].tolist()
    official = frame["measure"].str.removesuffix("_pool_idcg")
    of_model, of_baseline = (
        pd.to_numeric(_find_printed(frame.assign(model=frame[name]), official, published_as, cells))
        for name in ("model", "baseline")
    )
    printed = of_model - of_baseline
    few = frame["language"].map(lambda language: _tell_few(scores.counts.loc[language]))
    bounds = zip(frame["low"], frame["high"], strict=True)
    sides = [find_side(low, high, _DIGITS) for low, high in bounds]
    orders = [tell_order(*row) for row in zip(sides, printed.fillna(0), strict=True)]
    shown = frame["value"].notna() & (few == "")
    verdicts = pd.Series(sides).map({1: "higher", -1: "lower", 0: "not shown to differ"})
    frame = frame.assign(
        language=[TITLES.get(language, AVERAGE) for language in frame["language"]],
        **{name: frame[old].where(shown) for name, old in _DIFFERENCE.items()},
        verdict=verdicts.mask(few != "", few).mask(frame["value"].isna(), "no figure"),
        published_difference=printed,
        order=pd.Series(orders).where(shown, ""),
    )
    frame = format_columns(frame, _DIFFERENCE, _DIGITS, signed=True)
    frame = format_columns(frame, ["published_difference"], 3, signed=True)
    return to_rows(frame, DIFFERENCE_COLUMNS)


def _choose(rankings: Rankings, language: str) -> dict[str, Sequence[str]]:
    return {query: urls for (one, query), urls in rankings.items() if one == language}


def _count(relevances: Relevances, at_hand: Relevances, pool: FunctionPool) -> tuple[int, ...]:
    """Count ``COUNTS`` of a language."""
    counts: list[list[int]] = []
    for judged in (relevances, at_hand):
        positives = [sum(grade > 0 for grade in of.values()) for of in judged.values()]
        queries = sum(map(bool, positives))
        counts.append([sum(map(len, judged.values())), sum(positives), queries])
    with_three = sum(len(of) >= ENOUGH_JUDGED and any(of.values()) for of in at_hand.values())
    pairs = (count for both in zip(*counts, strict=True) for count in both)
    return pool.functions, *pairs, with_three


def _find_printed(
    frame: pd.DataFrame,
    measures: pd.Series[str],
    published_as: Mapping[str, str],
    cells: PublishedCells,
) -> pd.Series[str]:
    """Find the printed figure of a measure for the model and language of each row, or ``""``."""
    keys = zip(measures, frame["model"], frame["language"], strict=True)
    found = [
        cells.get((PUBLISHED_TABLES.get(measure, ""), published_as.get(model, ""), title), "")
        for measure, model, language in keys
        for title in [TITLES.get(language, AVERAGE)]
    ]
    return pd.Series(found, frame.index, dtype=object)


def _say(row: Mapping[str, Any], cells: PublishedCells) -> Iterator[str]:
    """Yield the parts of a row's verdict: comparisons with printed figures, or reasons for none."""
    if math.isnan(row["all"]):
        yield "no figure: not every language has queries with relevance and predictions of them"
        return
    verdicts = {kind: row[f"{kind}_verdict"] for kind in OFFICIAL if row[f"published_{kind}"]}
    yield from (f"{kind}: {verdict}" for kind, verdict in verdicts.items() if verdict)
    if verdicts and not any(verdicts.values()):
        printed = int(cells.get(("Table 1", TITLES.get(row["language"], ALL), "all"), "0"))
        yield (
            f"not comparable: pool ({row['functions']:,} of {printed:,} functions, "
            f"{row['judged_at_hand']:,} of {row['judged']:,} judged)"
        )
    if row["model"] != RANDOM and (few := _tell_few(row)):
        yield few


def _is_as_published(scores: Table4Scores, language: str, cells: PublishedCells) -> bool:
    """Say whether the pool of a language may be taken for the pool of the paper (DEV-140).

    The published average is over all languages, also over those that the table lacks.
    """
    for one in TITLES if language == AVERAGE else [language]:
        if one not in scores.counts.index:
            return False
        counts = scores.counts.loc[one]
        printed = int(cells.get(("Table 1", TITLES[one], "all"), "0"))
        if counts["functions"] < ALMOST_ALL * printed:
            return False
        if counts["judged_at_hand"] != counts["judged"]:
            return False
    return True


def _tell_few(counts: Mapping[str, Any] | pd.Series[int]) -> str:
    """Say that queries are too few to compare models (DEV-142); empty where they are enough."""
    if counts["queries_with_three"] >= ENOUGH_QUERIES:
        return ""
    return (
        f"no comparison of systems: {counts['queries_with_three']} queries with {ENOUGH_JUDGED} "
        f"judged functions in the pool, {ENOUGH_QUERIES} are needed"
    )
