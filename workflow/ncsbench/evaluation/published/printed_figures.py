"""Printed figures of papers, and NCSED's Table 1 computed again from its own score sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ncsbench.base.files.csv_tables import Row, name_cells, read_rows, write_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import METRICS, measure_ranks
from ncsbench.evaluation.measures.results import format_value
from ncsbench.evaluation.measures.score_sheet import read_score_sheet

FIGURE_COLUMNS = ("table", "row", "column", "value", "source", "note")
"""Columns of the files with published figures, in order."""

COMPARISON_COLUMNS = ("model", "measure", "printed", "recomputed", "equal")
"""Columns of ``published_table1.csv``, in order."""

_NUMBER = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True)
class PublishedFigure:
    """One printed number.

    Attributes:
        table: the table of the source, or its subject where the number is printed in the text.
        row: row of the table.
        column: column of the table.
        value: the digits as printed, without separators of thousands and units.
        source: the place where the number is printed.
        note: known inconsistency; may be empty.
    """

    table: str
    row: str
    column: str
    value: str
    source: str
    note: str


def read_published(path: Path) -> list[PublishedFigure]:
    """Read a file of published figures.

    Raises:
        DataError: where columns, a number or the source are missing, or a cell occurs twice.
    """
    figures = [PublishedFigure(**row) for row in read_rows(path, FIGURE_COLUMNS)]
    seen = set()
    for figure in figures:
        cell = (figure.table, figure.row, figure.column)
        where = f"{path}: {figure.table}, {figure.row}, {figure.column}"
        if not _NUMBER.fullmatch(figure.value):
            raise DataError(f"{where}: the value {figure.value!r} is not a plain number")
        if not figure.source:
            raise DataError(f"{where}: names no source")
        if cell in seen:
            raise DataError(f"{where}: occurs twice")
        seen.add(cell)
    return figures


def compare_table1(*, printed: Path, sheet: Path) -> list[Row]:
    """Compute NCSED's Table 1 from a score sheet, and mark each cell as equal to print or not.

    An MRR is equal where rounding it to the number of printed digits gives the printed MRR.

    Args:
        printed: the figures of Table 1, with a model as row and one of ``METRICS`` as column.
        sheet: the published score sheet.

    Returns:
        Rows of ``COMPARISON_COLUMNS``, in the order of ``printed``.

    Raises:
        DataError: where a file is malformed or the sheet lacks a printed model.
    """
    scores = read_score_sheet(sheet)
    metrics = {str(metric): metric for metric in METRICS}
    rows = []
    for figure in read_published(printed):
        if figure.row not in scores.models:
            raise DataError(f"{sheet}: has no column for the model {figure.row!r} of {printed}")
        if figure.column not in metrics:
            raise DataError(f"{printed}: the column {figure.column!r} is not one of {METRICS}")
        metric = metrics[figure.column]
        ranks = scores.first_ranks[:, scores.models.index(figure.row)]
        value = measure_ranks(ranks, metric)
        digits = len(figure.value.partition(".")[2])
        equal = "yes" if f"{value:.{digits}f}" == figure.value else "no"
        named = (figure.row, figure.column, figure.value)
        rows.append((*named, format_value(metric, value), equal))
    return name_cells(COMPARISON_COLUMNS, rows)


def write_published_table1(printed: Path, sheet: Path, output: Path) -> None:
    """Write NCSED's Table 1 computed again from its score sheet, each cell marked equal or not.

    Args:
        printed: figures of the paper's Table 1.
        sheet: the published score sheet.
        output: CSV file to write.
    """
    write_rows(output, COMPARISON_COLUMNS, compare_table1(printed=printed, sheet=sheet))


PublishedCells = Mapping[tuple[str, str, str], str]
"""Values as printed, by table, row and column."""
NEAR = 0.05
"""Largest relative distance of pairs and queries to the printed numbers for a verdict (DEV-197)."""


def read_published_cells(path: Path | None) -> PublishedCells:
    """Read a file of ``config/published``; an empty result without a path.

    Raises:
        DataError: for a file that ``read_published`` refuses.
    """
    figures = read_published(path) if path else ()
    return {(one.table, one.row, one.column): one.value for one in figures}


def tell_other_size(name: str, own: int, printed: str) -> str:
    """Say why figures are not comparable where a number is not near the printed one; else empty."""
    if not printed or abs(own / int(printed) - 1) <= NEAR:
        return ""
    return f"not comparable: {name} ({own:,} for {int(printed):,})"
