"""Table 1 as a figure: the MRR of every row under both judges, and the published MRR."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row, read_headed_rows
from ncsbench.base.files.svg_figures import add_legend, make_panels, save_figure
from ncsbench.errors import DataError
from ncsbench.studies.ncsed.model_names import read_model_names

_FIGURES = ("mrr", "mrr_low", "mrr_high", "strict_mrr", "published_mrr")
_OURS, _STRICT, _PUBLISHED = "#0072b2", "#7f7f7f", "#d55e00"


def draw_table1(table: Path, output: Path) -> None:
    """Draw the MRR of every row of a Table 1, from the first row at the top to the last.

    A filled dot with its 95 % interval is the MRR under the lenient judge, a hollow dot that under
    the strict judge, a diamond the published MRR on the same questions. Rows have the names for
    people that the project gives them (`model_names`).

    Args:
        table: a ``table1.csv``.
        output: SVG file to write; equal tables give equal bytes.

    Raises:
        DataError: where the table has no rows, lacks a column or has a cell that is no number.
    """
    header, rows = read_headed_rows(table)
    missing = sorted({"dataset", "model", "questions", *_FIGURES} - set(header))
    if missing:
        raise DataError(f"{table}: has no column {missing[0]!r}; make it again")
    rows = [row for row in rows if row["mrr"] or row["published_mrr"]]
    if not rows:
        raise DataError(f"{table}: has no row with an MRR")
    try:
        values = {one: np.array([float(row[one] or np.nan) for row in rows]) for one in _FIGURES}
    except ValueError as error:
        raise DataError(f"{table}: {error}") from error
    save_figure(output, lambda: _draw(rows, values))


def _draw(rows: list[Row], values: dict[str, NDArray[np.float64]]) -> Figure:
    figure, (panel,) = make_panels(1, height=0.28 * len(rows) + 1.2)
    places = np.arange(len(rows))
    bounds = values["mrr_low"], values["mrr_high"]
    panel.plot(bounds, (places, places), color=_OURS, linewidth=1.2)
    points: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("mrr", "lenient judge, 95 % interval", {"marker": "o", "color": _OURS}),
        ("strict_mrr", "strict judge", {"marker": "o", "color": _STRICT, "facecolor": "white"}),
        ("published_mrr", "published, same questions", {"marker": "D", "color": _PUBLISHED}),
    )
    for column, label, style in points:
        panel.scatter(values[column], places, label=label, s=26, zorder=3, **style)
    names = read_model_names()
    labels = [names[row["model"]].name if row["model"] in names else row["model"] for row in rows]
    panel.set_yticks(places, labels)
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.set_xlim(0, 1.02)
    panel.set_xlabel(f"MRR on {rows[0]['questions']} questions, dataset {rows[0]['dataset']}")
    add_legend(figure, panel, columns=3)
    return figure
