"""Common parts of all figures: style, panels, legend, and SVG files whose bytes repeat.

Text is drawn as paths, ids are salted with a constant, and no date is written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ncsbench.base.files.storage import atomic_path

COLOURS = (
    "#000000", "#7f7f7f", "#e69f00", "#b07aa1", "#56b4e9", "#0072b2", "#009e73", "#d55e00",
)  # fmt: skip
"""Colours of lines, in the order in which lines get them."""

WIDTH = 9.5
"""Width of every figure, in inches."""

_STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "svg.hashsalt": "ncsbench",
    "svg.fonttype": "path",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "legend.frameon": False,
}


def save_figure(path: Path, draw: Callable[[], Figure]) -> None:
    """Write the figure that ``draw`` makes under the common style as SVG, atomically."""
    with mpl.rc_context(_STYLE), atomic_path(path) as temporary:
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


def make_panels(count: int, *, height: float) -> tuple[Figure, list[Axes]]:
    """Make a figure of ``height`` inches with panels side by side that share their y axis."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    panels = figure.subplots(1, count, sharey=True, squeeze=False)
    return figure, list(panels[0])


def add_legend(figure: Figure, panel: Axes, *, columns: int) -> None:
    """Put the legend of one panel below the figure."""
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)
