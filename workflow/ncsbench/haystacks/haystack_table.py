"""``haystacks.csv``: the figures of Table 1 by haystack, and where they lead (DEV-104, DEV-105)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.doublings import DOUBLING_COLUMNS, extrapolate
from ncsbench.evaluation.figure_text import write_frame
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    first_hits,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.metrics import question_shares
from ncsbench.evaluation.rank_figures import RankedRows, measure_rows
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

HAYSTACK_COLUMNS = (
    *("dataset", "model", "published_as", "haystack", "kind", "repositories", "methods"),
    *("judge", "threshold", "counted", "measure", "value", "low", "high", *DOUBLING_COLUMNS),
)
"""Columns of ``haystacks.csv``, in order."""


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
    parts = []
    for key, part in measured.groupby([*keys, "measure"], sort=False):
        parts.append(part)
        if len(series) > 1:
            *row, metric = key
            shares = [question_shares(ranks[*row, name], metric, settings.depth) for name in series]
            draws = sampling.draw(len(shares[0])).clusters
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
