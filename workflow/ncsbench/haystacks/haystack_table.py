"""``haystacks.csv``: the figures of Table 1 by haystack, and where they lead (DEV-104, DEV-105)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.doublings import DOUBLING_COLUMNS, extrapolate
from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    first_hits,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.metrics import METRICS, Metric, measure_ranks, question_shares
from ncsbench.evaluation.rank_figures import metric_interval
from ncsbench.evaluation.results import format_value
from ncsbench.haystacks.haystack_options import (
    BASE,
    CORPUS,
    HaystackTableSettings,
    name_haystacks,
    name_series,
)
from ncsbench.haystacks.member_files import MEMBER_SCHEMA, choose_methods

MEASURED, EXTRAPOLATED = "measured", "extrapolated"
"""Kinds of rows."""

PUBLISHED_METHODS = 4_716_814
"""Methods of the published corpus, of 24,549 repositories (NCSED paper, section 2)."""

COUNTED = ("all", "base")
"""Which methods can be right: all that the judge accepts, or of these only those of the base."""

HAYSTACK_COLUMNS = (
    *("dataset", "model", "published_as", "haystack", "kind", "repositories", "methods"),
    *("judge", "threshold", "counted", "measure", "value", "low", "high", *DOUBLING_COLUMNS),
)
"""Columns of ``haystacks.csv``, in order."""


@dataclass(frozen=True)
class _Size:
    repositories: int
    methods: int


def write_haystacks(
    settings: HaystackTableSettings,
    *,
    members: Path,
    questions: Path,
    results: Path,
    judgements: Path,
    output: Path,
) -> None:
    """Write the figures of every row of Table 1 in every haystack.

    Args:
        settings: runs of every row, by haystack.
        members: table of ``MEMBER_SCHEMA``.
        questions: table of ``QUESTION_SCHEMA``.
        results: folder of the runs.
        judgements: folder of their judgements.
        output: the table to write.
    """
    table = read_table(members, MEMBER_SCHEMA)
    asked = read_study_questions(questions).query_ids
    draws = draw_resamples(
        len(asked), np.random.default_rng(settings.seed), resamples=settings.bootstrap_samples
    )
    base = choose_methods(table, BASE)
    sizes = _measure_sizes(table, settings)
    rows: list[Row] = []
    for model in settings.models:
        rankings = read_judged_runs(
            list(model.runs.values()),
            query_ids=asked,
            depth=settings.depth,
            results=results,
            judgements=judgements,
        )
        by_run = dict(zip(model.runs.values(), rankings, strict=True))
        by_haystack = {
            name: by_run[model.runs[name]]
            for name in (*name_haystacks(settings.steps), CORPUS)
            if name in model.runs
        }
        about = {
            "dataset": settings.dataset,
            "model": model.model,
            "published_as": model.published_as,
        }
        described = _describe_model(settings, by_haystack, base, sizes, draws)
        rows += [{**about, **row} for row in described]
    write_rows(output, HAYSTACK_COLUMNS, rows)


def _measure_sizes(members: pa.Table, settings: HaystackTableSettings) -> dict[str, _Size]:
    repositories = members["repository"].to_numpy()
    sizes = {}
    for haystack in settings.models[0].runs:
        if haystack == CORPUS:
            chosen = np.ones(len(repositories), np.bool_)
        else:
            chosen = choose_methods(members, haystack)
        sizes[haystack] = _Size(len(np.unique(repositories[chosen])), int(np.count_nonzero(chosen)))
    return sizes


def _describe_model(
    settings: HaystackTableSettings,
    rankings: Mapping[str, JudgedRanking],
    base: NDArray[np.bool_],
    sizes: Mapping[str, _Size],
    draws: NDArray[np.int32],
) -> list[Row]:
    rows: list[Row] = []
    for judge, threshold in settings.judges:
        for counted in COUNTED:
            ranks = {
                haystack: _first_ranks(ranking, (judge, threshold), counted, base)
                for haystack, ranking in rankings.items()
            }
            about = {"judge": judge, "threshold": repr(float(threshold)), "counted": counted}
            for metric in METRICS:
                described = _describe_figure(settings, ranks, sizes, metric, draws)
                rows += [{**about, "measure": str(metric), **row} for row in described]
    return rows


def _first_ranks(
    ranking: JudgedRanking,
    judge: tuple[str, float],
    counted: str,
    base: NDArray[np.bool_],
) -> NDArray[np.int32]:
    accepted = ranking.accepted(*judge)
    if counted != COUNTED[0]:
        accepted = accepted & (ranking.ids >= 0) & base[ranking.ids]
    return first_hits(accepted)


def _describe_figure(
    settings: HaystackTableSettings,
    ranks: Mapping[str, NDArray[np.int32]],
    sizes: Mapping[str, _Size],
    metric: Metric,
    draws: NDArray[np.int32],
) -> list[Row]:
    """One figure in every haystack, then at the size of the published corpus."""
    depth = settings.depth
    rows: list[Row] = []
    for haystack, first in ranks.items():
        interval = metric_interval(first, metric, draws, depth=depth)
        rows.append(
            {
                "haystack": haystack,
                "kind": MEASURED,
                "repositories": str(sizes[haystack].repositories),
                "methods": str(sizes[haystack].methods),
                "value": format_value(metric, measure_ranks(first, metric, depth)),
                "low": format_value(metric, interval.low),
                "high": format_value(metric, interval.high),
                **dict.fromkeys(DOUBLING_COLUMNS, ""),
            }
        )
    series = _distinct_sizes(name_series(settings.steps), sizes)
    if len(series) > 1:
        shares = np.stack([question_shares(ranks[name], metric, depth) for name in series])
        methods = [sizes[name].methods for name in series]
        rows.append(
            {
                "haystack": "",
                "kind": EXTRAPOLATED,
                "repositories": "",
                "methods": str(PUBLISHED_METHODS),
                **extrapolate(methods, shares, PUBLISHED_METHODS, metric, draws),
            }
        )
    return rows


def _distinct_sizes(series: Sequence[str], sizes: Mapping[str, _Size]) -> list[str]:
    """The first haystack of each size: a step may have room for no repository."""
    by_size = {sizes[name].methods: name for name in reversed(series)}
    return [name for name in series if name in by_size.values()]
