"""``haystacks.csv``: the figures of Table 1 by haystack (DEV-104)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_table
from ncsbench.evaluation.haystacks.haystack_options import (
    BASE,
    CORPUS,
    HaystackTableSettings,
    name_haystacks,
)
from ncsbench.evaluation.haystacks.member_files import MEMBER_SCHEMA, choose_methods
from ncsbench.evaluation.measures.judged_rankings import (
    JudgedRanking,
    first_hits,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.measures.rank_figures import RankedRows, measure_rows
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.figure_text import write_frame
from ncsbench.evaluation.statistics.resampling import Sampling

COUNTED = ("all", "base")
"""Methods that can be right: all that the judge accepts, or only those of the base among them."""

HAYSTACK_COLUMNS = (
    *("dataset", "model", "published_as", "haystack", "repositories", "methods"),
    *("judge", "threshold", "counted", "measure", "value", "low", "high"),
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
        members: table of ``MEMBER_SCHEMA``: the first haystack in which each method is searched.
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
    """Describe each figure in every haystack, by row, judge, count and measure."""
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    sizes = _measure_sizes(members, settings.models[0].runs)
    keys = ["model", "published_as", "judge", "threshold", "counted"]
    measured = measure_rows(ranks, [*keys, "haystack"], sampling, depth=settings.depth)
    counts = np.array([sizes[name] for name in measured["haystack"]], np.str_).reshape(-1, 2)
    measured = measured.assign(
        dataset=settings.dataset, repositories=counts[:, 0], methods=counts[:, 1]
    )
    parts = [part for _, part in measured.groupby([*keys, "measure"], sort=False)]
    return pd.concat(parts)[list(HAYSTACK_COLUMNS)]


def _measure_sizes(members: pa.Table, haystacks: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Count repositories and methods of every haystack."""
    repositories = members["repository"].to_numpy()
    sizes = {}
    for haystack in haystacks:
        chosen = ... if haystack == CORPUS else choose_methods(members, haystack)
        searched = repositories[chosen]
        sizes[haystack] = (len(np.unique(searched)), len(searched))
    return sizes
