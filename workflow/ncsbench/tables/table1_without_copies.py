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

from ncsbench.artifacts.csv_tables import Row, format_number, read_rows, write_rows
from ncsbench.artifacts.storage import write_text
from ncsbench.corpus.duplicate_tables import DUPLICATE_COLUMNS, RULES, read_copies
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.metrics import METRICS, measure_ranks
from ncsbench.tables.duplicates_page import describe_duplicates
from ncsbench.tables.table_settings import TableSettings
from ncsbench.tables.text_formats import to_markdown

COLUMNS = (
    *("dataset", "model", "duplicates", "judge", "threshold", "questions", "copies_10"),
    *("measure", "with_copies", "without_copies", "difference"),
)
"""Columns of the table; ``copies_10``: how many of the first ten results are duplicates."""

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
        results: folder with ``runs/<model>.trec``.
        judgements: folder with ``<model>.parquet``.
        output: CSV with ``COLUMNS`` to write.
        report: Markdown to write.
    """
    copies = read_copies(firsts)
    asked = read_study_questions(questions).query_ids
    rankings = read_judged_runs(
        [model.name for model in settings.models],
        query_ids=asked,
        depth=settings.depth,
        results=results,
        judgements=judgements,
    )
    rows = [
        {"dataset": settings.dataset, "questions": str(len(asked)), "duplicates": rule, **row}
        for ranking in rankings
        for rule in RULES
        for row in _compare(ranking, copies[rule], settings)
    ]
    write_rows(output, COLUMNS, rows)
    counted = read_rows(duplicates, DUPLICATE_COLUMNS)
    write_text(report, to_markdown(describe_duplicates(settings, counted, rows)))


def _compare(
    ranking: JudgedRanking, is_copy: NDArray[np.bool_], settings: TableSettings
) -> list[Row]:
    found = ranking.ids >= 0
    copied = found & is_copy[np.maximum(ranking.ids, 0)] if len(is_copy) else ~found & found
    rows = []
    for judge, threshold in settings.judges:
        before = ranking.first_ranks(judge, threshold)
        after = find_first_ranks(ranking.accepted(judge, threshold), copied)
        for metric in METRICS:
            digits = 3 if metric == "mrr" else 0
            with_, without = (measure_ranks(ranks, metric) for ranks in (before, after))
            rows.append(
                {
                    "model": ranking.name,
                    "judge": judge,
                    "threshold": f"{threshold:.10g}",
                    "copies_10": str(np.count_nonzero(copied[:, :_TOP])),
                    "measure": metric,
                    "with_copies": format_number(with_, digits),
                    "without_copies": format_number(without, digits),
                    "difference": format_number(without - with_, digits, signed=True),
                }
            )
    return rows


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
