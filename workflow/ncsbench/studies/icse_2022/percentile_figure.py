"""Figure of measures by the share of kept comments (Sun et al., ICSE 2022, Figure 4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.base.files.svg_figures import COLOURS, WIDTH, add_legend, save_figure
from ncsbench.errors import DataError
from ncsbench.evaluation.published.printed_figures import read_published_cells
from ncsbench.studies.icse_2022.main_tables import COLUMNS, RANDOM
from ncsbench.studies.icse_2022.table_settings import PUBLISHED_BENCHMARKS

_MEASURES = {
    "answered_10": ("A@10", COLOURS[4]),
    "answered_5": ("A@5", COLOURS[5]),
    "answered_1": ("A@1", COLOURS[6]),
    "mrr_10": ("MRR", COLOURS[7]),
}


class _Line(NamedTuple):
    """A line of the figure: a measure of ``_MEASURES`` by share of kept comments.

    ``published`` is True for printed figures. ``points`` have share kept, share of queries or MRR,
    and the bounds of the interval if known, by ascending share kept.
    """

    measure: str
    published: bool
    points: Sequence[tuple[float, ...]]


def draw_percentiles(table: Path, output: Path, published: Path | None = None) -> None:
    """Draw Table 5, a panel for each model and benchmark: our figures solid, printed ones dashed.

    Answered queries are shares of all queries; the MRR is cut at rank 10, ours with a 95 %
    interval.

    Args:
        table: ``table5.csv``.
        output: SVG file to write; equal tables give equal bytes.
        published: ``nlqf_tables.csv``, for the numbers of queries of the printed figures, which
            are left out without it.

    Raises:
        DataError: for a file that is no such table, has a cell that is no number, or has nothing
            to draw.
    """
    rows = [row for row in read_rows(table, COLUMNS) if row["model"] != RANDOM]
    printed = read_published_cells(published)
    panels: dict[tuple[str, str], list[_Line]] = {}
    try:
        for key in dict.fromkeys((row["model"], row["benchmark"]) for row in rows):
            own = [row for row in rows if (row["model"], row["benchmark"]) == key]
            lines, place = _list_lines(own), PUBLISHED_BENCHMARKS.get(key[1], "")
            if queries := printed.get(("Table 2", place, "queries")):
                lines += _list_lines(own, "published_", queries)
            if lines:
                panels[key] = lines
    except (ValueError, ZeroDivisionError) as error:
        raise DataError(f"{table}: {error}; make it again") from error
    if not panels:
        raise DataError(f"{table}: has no figure to draw; train on a set that it shows")
    save_figure(output, lambda: _draw(panels))


def _list_lines(rows: Sequence[Row], prefix: str = "", queries: str = "") -> list[_Line]:
    """List the lines of our figures, or with the prefix ``published_`` of the printed figures.

    ``queries`` is the number of queries of the printed figures.
    """
    share = f"{prefix}share_of_rules"
    known = [row for row in rows if row[share] and (queries or row["queries"])]
    known.sort(key=lambda row: _read(row[share]))
    lines = []
    for measure in _MEASURES if known else ():
        points = []
        for row in known:
            bounds = ("_low", "_high") if (measure, prefix) == ("mrr_10", "") else ()
            values = [_read(row[f"{prefix}{measure}{bound}"]) for bound in ("", *bounds)]
            if measure != "mrr_10":
                values[0] /= int(queries or row["queries"])
            points.append((_read(row[share]), *values))
        lines.append(_Line(measure, bool(prefix), points))
    return lines


def _read(cell: str) -> float:
    """Read a finite number; ``ValueError`` for any other text."""
    if not math.isfinite(value := float(cell)):
        raise ValueError(f"could not convert string to a number: {cell!r}")
    return value


def _draw(panels: dict[tuple[str, str], list[_Line]]) -> Figure:
    models, benchmarks = (list(dict.fromkeys(key[place] for key in panels)) for place in (0, 1))
    figure = Figure(figsize=(WIDTH, 2.7 * len(models) + 0.5), layout="constrained")
    grid = figure.subplots(len(models), len(benchmarks), sharex=True, sharey=True, squeeze=False)
    legend: Axes = grid[0][0]
    most = 0
    for row, model in enumerate(models):
        for column, benchmark in enumerate(benchmarks):
            panel: Axes = grid[row][column]
            lines = panels.get((model, benchmark), [])
            for line in lines:
                _draw_line(panel, line)
            panel.set_title(f"{model}, {benchmark}")
            panel.set_ylim(0, 1)
            if row == len(models) - 1:
                panel.set_xlabel("share of comments kept")
            if len(lines) > most:
                legend, most = panel, len(lines)
    add_legend(figure, legend, columns=4)
    return figure


def _draw_line(panel: Axes, line: _Line) -> None:
    name, colour = _MEASURES[line.measure]
    panel.plot(
        [point[0] for point in line.points],
        [point[1] for point in line.points],
        color=colour,
        linestyle="--" if line.published else "-",
        linewidth=1 if line.published else 1.5,
        marker="D" if line.published else "o",
        markersize=3,
        label=f"{name}, published" if line.published else name,
    )
    for kept, _, *bounds in line.points:
        if bounds:
            panel.plot([kept, kept], bounds, color=colour, linewidth=0.8)
