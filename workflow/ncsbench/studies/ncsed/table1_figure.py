"""Table 1 as a figure: the MRR of every row under two judges, and the published MRR."""

from __future__ import annotations

from pathlib import Path

from ncsbench.base.files.svg_figures import ChartRow, draw_intervals, read_interval
from ncsbench.errors import DataError
from ncsbench.studies.ncsed.model_names import HEADINGS, read_model_names
from ncsbench.studies.ncsed.table1_files import read_table1

_SERIES = {
    "strict_mrr": "strict judge",
    "mrr": "lenient judge",
    "published_mrr": "published (other corpus)",
}


def draw_table1(table: Path, output: Path) -> None:
    """Draw the MRR of every row of a Table 1, the highest strict MRR at the top, by kind of model.

    Rows have the names and kinds of `model_names`. Bounds that no model exceeds are left out.

    Args:
        table: a ``table1.csv``, with ``table1_long.csv`` beside it.
        output: SVG file to write, and beside it the one for dark pages; equal tables give equal
            bytes.

    Raises:
        DataError: where a file is no such table or has a cell that is no number, or no row has an
            MRR.
    """
    found, size = read_table1(table)
    names, rows = read_model_names(), []
    try:
        for row in found:
            name = names.get(row["model"])
            kind = name.kind if name else ""
            points = {
                ("", text): read_interval(row, key) for key, text in _SERIES.items() if row[key]
            }
            if points and kind != "bound":
                label = name.name if name else row["model"]
                rows.append(ChartRow(label, HEADINGS.get(kind, "others"), points))
    except ValueError as error:
        raise DataError(f"{table}: {error}") from error
    if not rows:
        raise DataError(f"{table}: has no row with an MRR")
    shown = [text for text in _SERIES.values() if any(("", text) in row.points for row in rows)]
    draw_intervals(
        output,
        rows,
        title=f"MRR of each model on {size.questions:,} questions,\n"
        f"{size.repositories:,} repositories (95 % intervals)",
        axis="MRR, higher is better; the number is that of the strict judge",
        series=shown,
    )
