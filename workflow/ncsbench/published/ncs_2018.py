"""``ncs_2018.csv``: the rows of the NCS paper beside ours, as shares of other questions.

The paper's 518 questions are not at hand, only how many of them each system answers within ten
(Sachdev and others, MAPL 2018, section 6). So nothing can be paired: the shares are compared as
independent proportions (DEV-102). Corpus, questions and judge are others too, which no interval
covers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import read_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.figure_text import format_columns, write_frame
from ncsbench.evaluation.intervals import independent_share_difference, wilson_interval
from ncsbench.evaluation.metrics import answered_at
from ncsbench.evaluation.results import Judge
from ncsbench.published.printed_figures import PublishedCells, read_published_cells

FIGURES_FILE, MODELS_FILE = "ncs_2018.csv", "ncs_2018_systems.csv"
"""The printed figures, and which rows of ours stand beside which system."""

_TABLE = "Stack Overflow questions: 518 judged automatically"
_MODEL_COLUMNS = ("system", "model")

_DIFFERENCES = ["difference", "difference_low", "difference_high"]
COLUMNS = (
    *("dataset", "published_as", "model", "judge", "threshold"),
    *("answered_10", "questions", "share", "low", "high"),
    *("published_answered_10", "published_questions"),
    *("published_share", "published_low", "published_high"),
    *_DIFFERENCES,
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
    figures = read_published_cells(published / FIGURES_FILE)
    asked = _find(published, figures, "all", "questions")
    rows = []
    for judge, ranks_of in first_ranks.items():
        for system, model in map(dict.values, read_rows(published / MODELS_FILE, _MODEL_COLUMNS)):
            answered = _find(published, figures, system, "answered_10")
            ranks = ranks_of.get(model)
            if ranks is not None and len(ranks):
                ours = answered_at(ranks, 10), len(ranks)
                figures_of_row = _compare(ours, (answered, asked))
                rows.append((dataset, system, model, *judge.cells, *figures_of_row))
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    shares = [f"{of}{name}" for of in ("", "published_") for name in ("share", "low", "high")]
    shown = format_columns(format_columns(frame, shares, 6), _DIFFERENCES, 6, signed=True)
    write_frame(path, shown, COLUMNS)


def _compare(ours: tuple[int, int], published: tuple[int, int]) -> list[float]:
    """Cells from ``answered_10`` on, of questions answered among all."""
    cells: list[float] = []
    for found, asked in (ours, published):
        interval = wilson_interval(found, asked)
        cells += [found, asked, found / asked, interval.low, interval.high]
    both = zip(ours, published, strict=True)
    difference = independent_share_difference(*both)
    return [*cells, difference.value, difference.interval.low, difference.interval.high]


def _find(published: Path, cells: PublishedCells, row: str, column: str) -> int:
    value = cells.get((_TABLE, row, column), "")
    if value.isdigit() and int(value):
        return int(value)
    raise DataError(
        f"{published / FIGURES_FILE}: has no whole number for {row!r}, {column!r} in {_TABLE!r}; "
        f"add it or mend {MODELS_FILE}"
    )
