"""Figures of Table 1 against the number of methods searched, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ncsbench.artifacts.csv_tables import Row, read_rows
from ncsbench.artifacts.svg_figures import WIDTH, add_legend, save_figure, style_lines
from ncsbench.haystacks.haystack_options import CORPUS, WITHOUT_EXAMPLES
from ncsbench.haystacks.haystack_table import (
    COUNTED,
    EXTRAPOLATED,
    HAYSTACK_COLUMNS,
    PUBLISHED_METHODS,
    draw_line,
)

_APART = 1.6
"""Factor between sizes that are written below the axis."""

_MEASURES = {"answered_10": "Answered@10", "mrr": "MRR"}
_TITLES = dict(zip(COUNTED, ("every accepted method", "only methods of the base"), strict=True))


def draw_haystacks(table: Path, output: Path) -> None:
    """Draw the lenient judge's figures of the models that rebuild published systems, else of all.

    Args:
        table: a ``haystacks.csv``.
        output: SVG file to write.
    """
    rows = [row for row in read_rows(table, HAYSTACK_COLUMNS) if _is_drawn(row)]
    rebuilt = [row for row in rows if row["published_as"]] or rows
    judge = rebuilt[0]["judge"] if rebuilt else ""
    shown = [row for row in rebuilt if row["judge"] == judge]
    save_figure(output, lambda: _draw(shown, judge))


def _is_drawn(row: Row) -> bool:
    """Only what grows: neither the corpus as it is nor haystacks whose base lacks examples."""
    return row["haystack"] != CORPUS and not row["haystack"].endswith(WITHOUT_EXAMPLES)


def _draw(rows: Sequence[Row], judge: str) -> Figure:
    figure = Figure(figsize=(WIDTH, 7.4), layout="constrained")
    panels = figure.subplots(len(_MEASURES), len(COUNTED), squeeze=False, sharex=True, sharey="row")
    styles = style_lines(list(dict.fromkeys(row["model"] for row in rows)))
    for line, (measure, label) in zip(panels, _MEASURES.items(), strict=True):
        for panel, counted in zip(line, COUNTED, strict=True):
            for model, style in styles.items():
                chosen = [
                    row
                    for row in rows
                    if (row["model"], row["measure"], row["counted"]) == (model, measure, counted)
                ]
                _draw_line(panel, model, chosen, style)
            panel.axvline(PUBLISHED_METHODS, color="#888888", linestyle=":", linewidth=1.0)
            panel.set_xscale("log", base=2)
            panel.set_ylim(bottom=0)
        line[0].set_ylabel(f"{label}, {judge}")
    for panel, counted in zip(panels[0], COUNTED, strict=True):
        panel.set_title(f"right is {_TITLES[counted]}")
    ticks = _choose_ticks({int(row["methods"]) for row in rows})
    for panel in panels[-1]:
        panel.set_xlabel("methods searched; the last point is extrapolated")
        panel.set_xticks(ticks, [f"{tick:,}" for tick in ticks], rotation=30, ha="right")
        panel.minorticks_off()
    add_legend(figure, panels[0][0], columns=3)
    return figure


def _choose_ticks(sizes: set[int]) -> list[int]:
    """The largest size, and below it those that are far enough apart to be read."""
    chosen: list[int] = []
    for size in sorted(sizes, reverse=True):
        if not chosen or size * _APART <= chosen[-1]:
            chosen.append(size)
    return chosen[::-1]


def _draw_line(panel: Axes, model: str, rows: Sequence[Row], style: Mapping[str, Any]) -> None:
    measured = sorted(
        (row for row in rows if row["kind"] != EXTRAPOLATED), key=lambda row: int(row["methods"])
    )
    panel.plot(*_points(measured), label=model, **style)
    dashed = {"color": style["color"], "linestyle": "--", "linewidth": 1.0}
    for row in rows:
        if row["kind"] != EXTRAPOLATED:
            continue
        value = float(row["value"])
        line = draw_line(
            list(zip(*_points(measured), strict=True)),
            slope=float(row["per_doubling"]),
            end=(float(row["methods"]), value),
        )
        panel.plot(*line, **dashed)
        panel.errorbar(
            [float(row["methods"])],
            [value],
            yerr=[[max(0, value - float(row["low"]))], [max(0, float(row["high"]) - value)]],
            elinewidth=0.8,
            capsize=2,
            **{**style, "markerfacecolor": "white"},
        )


def _points(rows: Sequence[Row]) -> tuple[list[float], list[float]]:
    return [float(row["methods"]) for row in rows], [float(row["value"]) for row in rows]
