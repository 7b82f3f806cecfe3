"""``ncs_2018.csv``: the rows of the NCS paper beside ours, as shares of other questions.

The paper's 518 questions are not at hand, only how many of them each system answers within ten
(Sachdev and others, MAPL 2018, section 6). So nothing can be paired: the shares are compared as
independent proportions (DEV-102). Corpus, questions and judge are others too, which no interval
covers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number, read_rows, write_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.metrics import answered_at
from ncsbench.evaluation.proportions import independent_share_difference, wilson_interval
from ncsbench.evaluation.results import Judge
from ncsbench.published.score_sheet_table import PublishedFigure, read_published

FIGURES_FILE, MODELS_FILE = "ncs_2018.csv", "ncs_2018_systems.csv"
"""The printed figures, and which rows of ours stand beside which system."""

_TABLE = "Stack Overflow questions: 518 judged automatically"
_MODEL_COLUMNS = ("system", "model")

COLUMNS = (
    *("dataset", "system", "model", "judge", "threshold"),
    *("answered_10", "questions", "share", "low", "high"),
    *("published_answered_10", "published_questions"),
    *("published_share", "published_low", "published_high"),
    *("difference", "difference_low", "difference_high"),
)
"""Columns, in order. Shares of questions answered within ten results with Wilson's intervals; the
difference is ours minus the published one, with Newcombe's interval, all at 95 %."""


def write_ncs_2018(
    path: Path,
    *,
    dataset: str,
    first_ranks: Mapping[Judge, Mapping[str, NDArray[np.int32]]],
    published: Path,
) -> None:
    """Write one row per judge, published system and row of ours that stands for it, atomically.

    Args:
        path: file to write.
        dataset: its name.
        first_ranks: for every judge, first ranks of our models, int32, shape (questions,), 0 = not
            found.
        published: folder of ``FIGURES_FILE`` and ``MODELS_FILE``.

    Raises:
        DataError: where a file is malformed, or lists a system that is not printed.
    """
    figures = read_published(published / FIGURES_FILE)
    asked = _find(published, figures, "all", "questions")
    rows: list[Row] = []
    systems = read_rows(published / MODELS_FILE, _MODEL_COLUMNS)
    for judge, ranks_of in first_ranks.items():
        for system, model in (tuple(row.values()) for row in systems):
            answered = _find(published, figures, system, "answered_10")
            ranks = ranks_of.get(model)
            if ranks is None or not len(ranks):
                continue
            key = {
                "dataset": dataset,
                "system": system,
                "model": model,
                "judge": judge.similarity,
                "threshold": repr(float(judge.threshold)),
            }
            rows.append({**key, **_compare(answered_at(ranks, 10), len(ranks), answered, asked)})
    write_rows(path, COLUMNS, rows)


def _compare(found: int, asked: int, published: int, published_asked: int) -> Row:
    difference = independent_share_difference((found, published), (asked, published_asked))
    cells = {
        **_show("", found, asked),
        **_show("published_", published, published_asked),
        "difference": format_number(difference.value, 6, signed=True),
        "difference_low": format_number(difference.interval.low, 6, signed=True),
        "difference_high": format_number(difference.interval.high, 6, signed=True),
    }
    return cells


def _show(prefix: str, found: int, asked: int) -> Row:
    interval = wilson_interval(found, asked)
    return {
        f"{prefix}answered_10": str(found),
        f"{prefix}questions": str(asked),
        f"{prefix}share": format_number(found / asked, 6),
        f"{prefix}low": format_number(interval.low, 6),
        f"{prefix}high": format_number(interval.high, 6),
    }


def _find(published: Path, figures: Sequence[PublishedFigure], row: str, column: str) -> int:
    for figure in figures:
        if (figure.table, figure.row, figure.column) == (_TABLE, row, column):
            if not figure.value.isdigit() or not int(figure.value):
                break
            return int(figure.value)
    raise DataError(
        f"{published / FIGURES_FILE}: has no whole number for {row!r}, {column!r} in {_TABLE!r}; "
        f"add it or mend {MODELS_FILE}"
    )
