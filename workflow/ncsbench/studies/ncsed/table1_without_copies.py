"""``table1_without_copies.csv``: the effect of duplicates on Table 1.

Results that are duplicates of an earlier method of the corpus are taken out of the rankings, and
the results below move up. Nothing is trained, indexed or searched again: word frequencies stay as
they were, and a method below the end of a ranking does not move up into it. ``duplicates`` in a
dataset file makes a corpus without copies.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import write_rows
from ncsbench.corpus.layout.ledger_schema import RULES, read_copies
from ncsbench.evaluation.measures.judged_rankings import (
    first_hits,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.measures.rank_figures import RankedRows, compare_shares, share_ranks
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.figure_text import to_rows
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.studies.ncsed.table_settings import TableSettings

COLUMNS = (
    *("dataset", "model", "duplicates", "judge", "threshold", "questions", "copies_10"),
    *("measure", "with_copies", "without_copies"),
    *("difference", "difference_low", "difference_high"),
)
"""Columns of ``table1_without_copies.csv``; ``copies_10``: number of duplicates among the first ten
results. The difference is paired by question."""

_TOP = 10


def write_table1_without_copies(
    settings: TableSettings,
    firsts: Path,
    questions: Path,
    results: Path,
    judgements: Path,
    output: Path,
) -> None:
    """Write Table 1 without results that are duplicates.

    Args:
        settings: rows of Table 1, judges and depth.
        firsts: table of ``FIRST_SCHEMA``.
        questions: table of ``QUESTION_SCHEMA``.
        results: folder with ``runs/<model>.trec.gz``.
        judgements: folder with ``<model>.parquet``.
        output: CSV with ``COLUMNS`` to write.
    """
    copies = read_copies(firsts)
    asked = read_study_questions(questions).query_ids
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    rankings = read_judged_runs(
        [model.name for model in settings.models],
        query_ids=asked,
        depth=settings.depth,
        results=results,
        judgements=judgements,
    )
    keys = ["model", "duplicates", "copies_10", "judge", "threshold", "copies"]
    ranks: RankedRows = {}
    for ranking in rankings:
        for rule in RULES:
            copied = (ranking.ids >= 0) & copies[rule][ranking.ids]
            top = str(np.count_nonzero(copied[:, :_TOP]))
            for judge in settings.judges:
                key = (ranking.name, rule, top, *Judge(*judge).cells)
                accepted = ranking.accepted(*judge)
                ranks[*key, "with"] = first_hits(accepted)
                ranks[*key, "without"] = find_first_ranks(accepted, copied)
    shares = share_ranks(ranks, settings.depth)
    compared = compare_shares(shares, keys, [("without", "with")], sampling)
    named = {"baseline_value": "with_copies", "value": "without_copies"}
    rows = to_rows(compared.rename(columns=named).assign(dataset=settings.dataset), COLUMNS)
    write_rows(output, COLUMNS, rows)


def find_first_ranks(accepted: NDArray[np.bool_], left_out: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Find the rank of the first accepted result among the results that stay.

    Args:
        accepted: True where a result is accepted, shape (questions, depth).
        left_out: True where a result is taken out, of the same shape; the results below move up.

    Returns:
        First ranks, int32, shape (questions,), from 1, 0 = no such result.
    """
    if not accepted.shape[1]:
        return np.zeros(len(accepted), np.int32)
    hits = accepted & ~left_out
    places = hits.argmax(axis=1)[:, None]
    ranks = np.take_along_axis(np.cumsum(~left_out, axis=1), places, axis=1)[:, 0]
    return np.where(hits.any(axis=1), ranks, 0).astype(np.int32)
