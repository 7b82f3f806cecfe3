"""``table1_without_copies.csv``: what duplicates do to the figures of Table 1.

Results that are duplicates of an earlier method of the corpus are taken out of the rankings, and
what stands below moves up. Nothing is trained, indexed or searched again: words are as frequent as
before, and what a ranking does not hold does not move up into it. ``duplicates`` in a dataset file
makes a corpus without copies.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import read_rows, write_rows
from ncsbench.artifacts.storage import write_text
from ncsbench.corpus.duplicate_tables import DUPLICATE_COLUMNS, RULES, read_copies
from ncsbench.evaluation.figure_text import to_rows
from ncsbench.evaluation.judged_rankings import first_hits, read_judged_runs, read_study_questions
from ncsbench.evaluation.rank_figures import RankedRows, compare_ranks
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.results import Judge
from ncsbench.tables.duplicates_page import describe_duplicates
from ncsbench.tables.table_settings import TableSettings
from ncsbench.tables.text_formats import to_markdown

COLUMNS = (
    *("dataset", "model", "duplicates", "judge", "threshold", "questions", "copies_10"),
    *("measure", "with_copies", "without_copies", "difference", "low", "high"),
)
"""Columns of the table; ``copies_10``: how many of the first ten results are duplicates.
``low`` and ``high`` bound the difference, paired by question."""

_TOP = 10


def write_table1_without_copies(
    settings: TableSettings,
    *,
    firsts: Path,
    duplicates: Path,
    questions: Path,
    results: Path,
    judgements: Path,
    output: Path,
    report: Path,
) -> None:
    """Write the figures with and without copies, and a page on the duplicates of the dataset.

    Args:
        settings: rows of Table 1, judges and depth.
        firsts: table of ``FIRST_SCHEMA``.
        duplicates: ``duplicates.csv`` of the dataset.
        questions: table of ``QUESTION_SCHEMA``.
        results: folder with ``runs/<model>.trec.gz``.
        judgements: folder with ``<model>.parquet``.
        output: CSV with ``COLUMNS`` to write.
        report: Markdown to write.
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
    compared = compare_ranks(ranks, keys, [("without", "with")], sampling, depth=settings.depth)
    named = {"baseline_value": "with_copies", "value": "without_copies"}
    rows = to_rows(compared.rename(columns=named).assign(dataset=settings.dataset), COLUMNS)
    write_rows(output, COLUMNS, rows)
    counted = read_rows(duplicates, DUPLICATE_COLUMNS)
    write_text(report, to_markdown(describe_duplicates(settings, counted, rows)))


def find_first_ranks(accepted: NDArray[np.bool_], left_out: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Rank of the first accepted result among those that stay.

    Args:
        accepted: shape (questions, depth), the same of ``left_out``.
        left_out: results that are taken out; those below move up.

    Returns:
        int32, shape (questions,), from 1, 0 = none.
    """
    if not accepted.shape[1]:
        return np.zeros(len(accepted), np.int32)
    hits = accepted & ~left_out
    places = hits.argmax(axis=1)[:, None]
    ranks = np.take_along_axis(np.cumsum(~left_out, axis=1), places, axis=1)[:, 0]
    return np.where(hits.any(axis=1), ranks, 0).astype(np.int32)
