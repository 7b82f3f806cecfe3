"""``haystacks.csv``: the figures of Table 1 by haystack, and where they lead (DEV-104, DEV-105)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number
from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.figure_text import write_frame
from ncsbench.evaluation.intervals import interval_of_sum
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    first_hits,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.metrics import Metric, question_shares
from ncsbench.evaluation.rank_figures import RankedRows, describe_sum, measure_rows
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.results import Judge
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

DOUBLING_COLUMNS = ("fitted_points", "per_doubling", "per_doubling_low", "per_doubling_high")
"""Columns that only extrapolated rows fill: points of the line, and its slope for each doubling,
with more digits than figures, since it is multiplied by many doublings."""

HAYSTACK_COLUMNS = (
    *("dataset", "model", "published_as", "haystack", "kind", "repositories", "methods"),
    *("judge", "threshold", "counted", "measure", "value", "low", "high", *DOUBLING_COLUMNS),
)
"""Columns of ``haystacks.csv``, in order."""


def write_haystacks(
    settings: HaystackTableSettings,
    members: Path,
    questions: Path,
    results: Path,
    judgements: Path,
    output: Path,
) -> None:
    """Write the figures of every row of Table 1 in every haystack.

    Args:
        settings: runs of every row, by haystack.
        members: table of ``MEMBER_SCHEMA``: from which haystack on each method is searched.
        questions: questions as Parquet.
        results: results folder of the dataset, with its runs.
        judgements: folder of the judgements.
        output: CSV file to write.
    """
    table = read_table(members, MEMBER_SCHEMA)
    asked = read_study_questions(questions).query_ids
    base = choose_methods(table, BASE)
    ranks: RankedRows = {}
    for model in settings.models:
        rankings = read_judged_runs(
            list(model.runs.values()),
            query_ids=asked,
            depth=settings.depth,
            results=results,
            judgements=judgements,
        )
        by_haystack = dict(zip(model.runs, rankings, strict=True))
        ranks |= {
            (model.model, model.published_as, *Judge(*judge).cells, counted, haystack): _rank_first(
                by_haystack[haystack], judge, counted, base
            )
            for judge in settings.judges
            for counted in COUNTED
            for haystack in (*name_haystacks(settings.steps), CORPUS)
            if haystack in by_haystack
        }
    write_frame(output, _describe(ranks, settings, table), HAYSTACK_COLUMNS)


def _rank_first(
    ranking: JudgedRanking, judge: tuple[str, float], counted: str, base: NDArray[np.bool_]
) -> NDArray[np.int32]:
    accepted = ranking.accepted(*judge)
    if counted != COUNTED[0]:
        accepted = accepted & (ranking.ids >= 0) & base[ranking.ids]
    return first_hits(accepted)


def _describe(
    ranks: RankedRows, settings: HaystackTableSettings, members: pa.Table
) -> pd.DataFrame:
    """Each figure in every haystack, then at the size of the published corpus."""
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    sizes = _measure_sizes(members, settings.models[0].runs)
    by_size = {sizes[name][1]: name for name in reversed(name_series(settings.steps))}
    # The first haystack of each size: a step may have room for no repository.
    series = {name: size for size, name in reversed(by_size.items())}
    keys = ["model", "published_as", "judge", "threshold", "counted"]
    measured = measure_rows(ranks, [*keys, "haystack"], sampling, depth=settings.depth)
    counts = np.array([sizes[name] for name in measured["haystack"]], np.str_).reshape(-1, 2)
    measured = measured.assign(kind=MEASURED, repositories=counts[:, 0], methods=counts[:, 1])
    draws = sampling.draw(len(next(iter(ranks.values())))).clusters
    parts = []
    for key, part in measured.groupby([*keys, "measure"], sort=False):
        parts.append(part)
        if len(series) > 1:
            *row, metric = key
            shares = [question_shares(ranks[*row, name], metric, settings.depth) for name in series]
            line = extrapolate(
                list(series.values()), np.stack(shares), PUBLISHED_METHODS, metric, draws
            )
            named = dict(zip([*keys, "measure"], key, strict=True))
            there = {"kind": EXTRAPOLATED, "methods": str(PUBLISHED_METHODS)}
            parts.append(pd.DataFrame([{**named, **there, **line}]))
    frame = pd.concat(parts).assign(dataset=settings.dataset)
    return frame.reindex(columns=list(HAYSTACK_COLUMNS))


def _measure_sizes(members: pa.Table, haystacks: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Numbers of repositories and of methods of every haystack."""
    repositories = members["repository"].to_numpy()
    sizes = {}
    for haystack in haystacks:
        chosen = ... if haystack == CORPUS else choose_methods(members, haystack)
        searched = repositories[chosen]
        sizes[haystack] = (len(np.unique(searched)), len(searched))
    return sizes


def extrapolate(
    sizes: Sequence[int],
    shares: NDArray[np.float64],
    target: int,
    metric: Metric,
    draws: NDArray[np.int32],
) -> Row:
    """The least-squares line through the figures, read at ``target``, and ``DOUBLING_COLUMNS``.

    Slope and height of the line are weighted sums of the figures, and a figure is a sum over
    questions. So both are sums over questions too, and are resampled as such.

    Args:
        sizes: ascending, at least two.
        shares: what each question adds to the figure at each size, shape (sizes, questions).
        target: where the line is read.
        metric: decides digits and range.
        draws: what ``intervals.draw_resamples`` gave for these questions.
    """
    doublings = np.log2(sizes)
    distances = doublings - doublings.mean()
    slope = distances / np.sum(distances**2)
    height = 1 / len(sizes) + (np.log2(target) - doublings.mean()) * slope
    slopes = slope @ shares
    around = interval_of_sum(slopes, draws)
    # A figure cannot leave its range, even where the line does.
    limit = 1.0 if metric == "mrr" else float(shares.shape[1])
    digits = 6 if metric == "mrr" else 3
    return {
        **describe_sum(height @ shares, metric, draws, limit=limit),
        "fitted_points": str(len(sizes)),
        "per_doubling": format_number(float(slopes.sum()), digits),
        "per_doubling_low": format_number(around.low, digits),
        "per_doubling_high": format_number(around.high, digits),
    }


def draw_line(
    fitted: Sequence[tuple[float, float]], *, slope: float, end: tuple[float, float]
) -> tuple[list[float], list[float]]:
    """Sizes and heights of a line, from the first point it was fitted to to the extrapolated one.

    It goes through the mean of the fitted points. Where it leaves the range of the figure before
    the end, it goes on level, as the extrapolated figure does.

    Args:
        fitted: sizes and figures, ascending.
        slope: change of the figure for each doubling.
        end: the extrapolated point.
    """
    doublings = [math.log2(size) for size, _ in fitted]
    middle, height = fmean(doublings), fmean(value for _, value in fitted)
    first, last = doublings[0], math.log2(end[0])
    line = [(first, height + (first - middle) * slope), (last, end[1])]
    if slope and first < (bend := middle + (end[1] - height) / slope) < last:
        line.insert(1, (bend, end[1]))
    return [2**doublings for doublings, _ in line], [value for _, value in line]
