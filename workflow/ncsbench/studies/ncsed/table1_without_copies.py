"""``table1_without_copies.csv`` and ``duplicates.md``: the effect of duplicates on Table 1.

Results that are duplicates of an earlier method of the corpus are taken out of the rankings, and
the results below move up. Nothing is trained, indexed or searched again: word frequencies stay as
they were, and a method below the end of a ranking does not move up into it. ``duplicates`` in a
dataset file makes a corpus without copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row, format_number, read_rows, write_rows
from ncsbench.base.files.storage import write_text
from ncsbench.corpus.layout.ledger_schema import DUPLICATE_COLUMNS, RULES, read_copies
from ncsbench.evaluation.measures.judged_rankings import (
    first_hits,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.measures.rank_figures import RankedRows, compare_shares, share_ranks
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.figure_text import to_rows
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.text_formats import Report, TextTable, to_markdown
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
    duplicates: Path,
    questions: Path,
    results: Path,
    judgements: Path,
    output: Path,
    report: Path,
) -> None:
    """Write Table 1 without results that are duplicates, and a page on the duplicates.

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
    shares = share_ranks(ranks, settings.depth)
    compared = compare_shares(shares, keys, [("without", "with")], sampling)
    named = {"baseline_value": "with_copies", "value": "without_copies"}
    rows = to_rows(compared.rename(columns=named).assign(dataset=settings.dataset), COLUMNS)
    write_rows(output, COLUMNS, rows)
    counted = read_rows(duplicates, DUPLICATE_COLUMNS)
    write_text(report, to_markdown(describe_duplicates(settings, counted, rows)))


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


_SHOWN = 20  # largest number of forks, and of libraries, that are shown


def describe_duplicates(
    settings: TableSettings, counted: Sequence[Row], compared: Sequence[Row]
) -> Report:
    """Describe the duplicates on a page.

    Args:
        settings: settings of Table 1.
        counted: rows of ``duplicates.csv``.
        compared: rows of ``table1_without_copies.csv``.
    """
    paragraphs = [
        "Duplicates are defined in docs/corpus.md; all figures are in duplicates.csv and "
        "table1_without_copies.csv."
    ]
    if settings.duplicates != "kept":
        paragraphs.append(
            f"The corpus was built with 'duplicates: {settings.duplicates}': what is a duplicate "
            "by this rule is not in it."
        )
    tables = (
        _clusters(counted),
        _shared("Forks", "repositories", [row for row in counted if row["kind"] == "fork"]),
        _shared(
            "Vendored libraries", "package", [row for row in counted if row["kind"] == "library"]
        ),
        _figures(settings, compared),
    )
    return Report(
        title=f"Duplicates of {settings.dataset}",
        paragraphs=tuple(paragraphs),
        tables=tuple(table for table in tables if table.rows),
        notes=(),
    )


def _clusters(counted: Sequence[Row]) -> TextTable:
    header = (
        *("what", "compared by", "all", "duplicates", "share", "clusters"),
        *("of several repositories", "members of the largest"),
    )
    rows = tuple(
        (
            *(row[name] for name in ("kind", "name", "total", "copies")),
            _percent(row["share"]),
            *(row[name] for name in ("clusters", "across", "largest")),
        )
        for row in counted
        if row["kind"] in ("files", "methods")
    )
    caption = "Files and methods that are duplicates of an earlier one"
    return TextTable(caption=caption, header=header, alignment="llrrrrrr", rows=rows)


def _shared(caption: str, what: str, counted: Sequence[Row]) -> TextTable:
    if len(counted) > _SHOWN:
        caption += f", the first {_SHOWN} of {len(counted)}"
    header = (
        *(what, "in repositories", "files", "files that others have", "their methods"),
        "share of all methods",
    )
    names = ("name", "repositories", "total", "copies", "methods")
    rows = tuple(
        (*(row[name] for name in names), _percent(row["methods_share"])) for row in counted[:_SHOWN]
    )
    return TextTable(caption=caption, header=header, alignment="lrrrrr", rows=rows)


def _figures(settings: TableSettings, compared: Sequence[Row]) -> TextTable:
    chosen = {
        (row["model"], row["duplicates"]): row
        for row in compared
        if row["judge"] == settings.judge and row["measure"] == "mrr"
    }
    rows = []
    for model in settings.models:
        figures = [chosen[model.name, rule] for rule in RULES]
        without = (
            f"{_figure(row['without_copies'])} ({_figure(row['difference_low'], signed=True)} to "
            f"{_figure(row['difference_high'], signed=True)})"
            for row in figures
        )
        rows.append((model.name, _figure(figures[0]["with_copies"]), *without))
    return TextTable(
        caption=f"MRR without duplicates: {settings.judge} above {settings.threshold:g}, with the "
        "95 % interval of the difference",
        header=("model", "with all", *(f"without {rule}" for rule in RULES)),
        alignment="lr" + "r" * len(RULES),
        rows=tuple(rows),
    )


def _percent(share: str) -> str:
    return f"{100 * float(share):.1f} %"


def _figure(value: str, *, signed: bool = False) -> str:
    return format_number(float(value), 3, signed=signed)
