"""The one style of all figures: each in a light and a dark SVG file whose bytes repeat.

Text is drawn as paths, ids are salted with a constant, and no date is written.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

import matplotlib as mpl
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ncsbench.base.files.csv_tables import Row
from ncsbench.base.files.storage import atomic_path

COLOURS = tuple(f"C{number}" for number in range(8))
"""Colours of lines in the order in which lines get them; the last is the ink of the text."""
MARKERS = "osD^vPXh"
"""Marks that go with the colours, since a colour is never the only sign."""
_WIDTH = 6.0  # inches: 576 pixels; text of 10.5 points has 14 of them, on a phone 8 or more
# Shades of the colours on light and on dark pages, each with a contrast of 3 to 1 or more.
_SHADES = {
    "": "#0068b5 #c2500c #00795c #8f4a94 #8a6100 #1b7c83 #6e7781 #1f2328",
    "_dark": "#58a6ff #ff9248 #3fc796 #d2a8ff #e3b341 #56d4dd #9198a1 #e6edf3",
}
_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10.5,
    "axes.titlesize": 10.5,
    "svg.hashsalt": "ncsbench",
    "svg.fonttype": "path",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "grid.color": "#80808040",
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "lines.markersize": 5,
}
_LABEL = 30  # characters of a line of a row's label
_INKS = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")


def save_figure(path: Path, draw: Callable[[], Figure]) -> None:
    """Write the figure that ``draw`` makes twice as SVG: for light pages, and for dark ones.

    ``NAME.svg`` has a white ground, ``NAME_dark.svg`` none. Each is written atomically.
    """
    for ending, text in _SHADES.items():
        *_, ink = shades = text.split()
        style: Any = {**_STYLE, **dict.fromkeys(_INKS, ink)}
        style |= {"axes.prop_cycle": cycler(color=shades)}
        style |= {"figure.facecolor": "none" if ending else "#ffffff"}
        with mpl.rc_context(style), atomic_path(path.with_stem(path.stem + ending)) as temporary:
            figure = draw()
            _fix_layout(figure)
            figure.savefig(temporary, format="svg", metadata={"Date": None})


def _fix_layout(figure: Figure) -> None:
    """Round the places that the layout gave the panels: its solver differs in the last digits."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for panel in figure.axes:
        left, bottom, width, height = panel.get_position().bounds
        panel.set_position((round(left, 5), round(bottom, 5), round(width, 5), round(height, 5)))


def make_panels(
    count: int = 1, columns: int = 1, *, height: float, title: str
) -> tuple[Figure, list[Axes]]:
    """Make a titled figure of ``height`` inches with panels, row by row, that share their axes."""
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
    rows = -(-count // columns)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    return figure, [panel for row in panels for panel in row]


def add_legend(figure: Figure, panel: Axes, *, columns: int) -> None:
    """Put the legend of one panel below the figure."""
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)


class Interval(NamedTuple):
    """A value with the bounds of its interval, which are None where it is not known."""

    value: float
    low: float | None = None
    high: float | None = None


def read_interval(row: Row, column: str, bounds: str | None = None) -> Interval:
    """Read a column, and its bounds from ``<bounds>_low`` and ``<bounds>_high`` where they are.

    ``ValueError`` for a text that is no finite number.
    """
    columns = (column, *(f"{bounds or column}{end}" for end in ("_low", "_high")))
    value, low, high = (float(row[one]) if row.get(one) else None for one in columns)
    if value is None or not all(map(math.isfinite, filter(None, (value, low, high)))):
        raise ValueError(f"could not convert string to a number: {row[column]!r}")
    return Interval(value, low, high)


class ChartRow(NamedTuple):
    """A row of a chart of intervals.

    Attributes:
        label: name of the row.
        kind: heading under which the row is; rows without one have an empty text.
        points: by the names of a panel and a series, the value with its interval.
    """

    label: str
    kind: str
    points: Mapping[tuple[str, str], Interval]


def draw_intervals(
    path: Path,
    rows: Sequence[ChartRow],
    *,
    title: str,
    axis: str,
    series: Sequence[str],
    panels: Sequence[str] = ("",),
    by_kind: bool = False,
) -> None:
    """Draw rows of values with their intervals, the highest at the top, and write both files.

    The first series orders the rows, by its mean over the panels, and the kinds by their first row;
    a single panel shows its values as numbers. The axis ends where the values end.

    Args:
        path: SVG file to write; equal rows give equal bytes.
        rows: rows, of which one at least has a value; equal values keep their order.
        title: title of the figure, a line or more.
        axis: label of the axis of values.
        series: names of the series, for the legend; each has its colour and its mark.
        panels: titles of the panels, two or three beside each other.
        by_kind: whether kinds are in ascending order of their names.
    """
    ordered = sorted(rows, key=lambda row: -_order(row, series[0], panels))
    kinds = dict.fromkeys(row.kind for row in ordered)
    lines: list[ChartRow | str] = []
    for kind in sorted(kinds) if by_kind else kinds:
        lines += [*([kind] if kind else []), *(row for row in ordered if row.kind == kind)]
    labels = [line if isinstance(line, str) else line.label for line in lines]
    texts = [fill(label, _LABEL, break_on_hyphens=False) for label in labels]
    columns = 2 if len(panels) in (2, 4) else min(len(panels), 3)
    tall = (0.13 + 0.06 * len(series)) * len(lines) + 0.4
    height = -(-len(panels) // columns) * tall + 0.9
    height += 0.25 * (title.count("\n") + len(series) // 2)

    def draw() -> Figure:
        figure, made = make_panels(len(panels), columns, height=height, title=title)
        made[0].set_yticks(range(len(lines)), texts)
        for panel, name in zip(made, panels, strict=True):
            panel.set_title(name)
            for number, one in enumerate(series):
                shift = 0.25 * (number - (len(series) - 1) / 2)
                _draw_series(panel, lines, (name, one), number, shift, numbers=len(panels) == 1)
            panel.tick_params(axis="y", length=0)
            panel.spines["left"].set_visible(False)
            panel.grid(visible=False, axis="y")
            # Only the first panels of their rows have labels.
            for line, label in zip(lines, panel.get_yticklabels(), strict=False):
                if isinstance(line, str):
                    label.set(fontweight="bold", fontsize=9)
        made[0].set(xlim=(0, None), ylim=(len(lines) - 0.4, -0.6))
        for panel in made[-columns:]:
            panel.set_xlabel(axis, loc="right" if columns == 1 else "center")
        if len(series) > 1:
            add_legend(figure, made[0], columns=3)
        return figure

    save_figure(path, draw)


def _order(row: ChartRow, series: str, panels: Sequence[str]) -> float:
    found = [row.points[panel, series].value for panel in panels if (panel, series) in row.points]
    return sum(found) / len(found) if found else float("-inf")


def _draw_series(
    panel: Axes,
    lines: Sequence[ChartRow | str],
    key: tuple[str, str],
    number: int,
    shift: float,
    *,
    numbers: bool,
) -> None:
    """Draw the points of one series, with their values as numbers where it is the first."""
    points = [
        (place + shift, line.points[key])
        for place, line in enumerate(lines)
        if isinstance(line, ChartRow) and key in line.points
    ]
    face: dict[str, Any] = {"markerfacecolor": "none"} if number == 1 else {}
    colour, places = COLOURS[number], [place for place, _ in points]
    values = [point.value for _, point in points]
    panel.plot(values, places, MARKERS[number], color=colour, label=key[1], zorder=3,
               clip_on=False, **face)  # fmt: skip
    for place, point in points:
        if point.low is not None and point.high is not None:
            panel.plot([point.low, point.high], [place, place], color=colour, linewidth=1.6)
        if numbers and not number:
            text = panel.text(1.02, place - shift, f"{point.value:.3f}", color=colour)
            text.set(transform=panel.get_yaxis_transform(), va="center_baseline")
