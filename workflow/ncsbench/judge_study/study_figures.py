"""Figures of the judge study as SVG; equal tables give equal bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, read_rows
from ncsbench.artifacts.svg_figures import add_legend, make_panels, save_figure, style_lines
from ncsbench.judge_study.study_pairs import EXAMPLES, LENGTH_CLASSES
from ncsbench.judge_study.study_settings import StudySettings
from ncsbench.judge_study.study_tables import (
    BASELINE_MRR,
    CRITERIA,
    KEPT,
    STUDY_BASELINES,
    STUDY_COLUMNS,
)

FIGURES = ("trade_off.svg", "mrr_by_threshold.svg", "accepted_by_length.svg")
"""Names of the figures."""

_GREYS = ("#000000", "#6a6a6a", "#a8a8a8")
# Reds reward length, blues shortness.
_BASELINE_COLOURS = (
    "#b2182b", "#ef6548", "#fdae6b", "#08519c", "#4292c6", "#41b6c4", "#7fbf7b",
)  # fmt: skip
_LENGTHS = ("3 to 9", "10 to 29", "30 to 99", "100 or more")

Figures = dict[tuple[str, float, str], Row]
"""Rows for all questions by similarity, threshold and subject."""


def draw_judge_study(settings: StudySettings, table: Path, output: Path) -> None:
    """Draw the judge study, as SVG.

    Args:
        settings: models, and similarities and thresholds of Table 1 and of the own judge.
        table: a ``judge_study.csv``.
        output: folder of the figures.
    """
    rows = [row for row in read_rows(table, STUDY_COLUMNS) if row["half"] == "all"]
    cells = {(row["judge"], float(row["threshold"]), row["subject"]): row for row in rows}
    thresholds = sorted({threshold for _, threshold, _ in cells})
    drawings: Sequence[Callable[[], Figure]] = (
        lambda: _draw_trade_off(cells, thresholds),
        lambda: _draw_mrr(settings, cells, thresholds),
        lambda: _draw_lengths(settings, cells),
    )
    for name, draw in zip(FIGURES, drawings, strict=True):
        save_figure(output / name, draw)


def _draw_trade_off(cells: Figures, thresholds: Sequence[float]) -> Figure:
    """Best examples kept against the highest MRR of the baselines, one line per similarity."""
    figure, panels = make_panels(2, height=4.6)
    titles = ("length baselines", "length and shortness baselines")
    for panel, title, baselines in zip(panels, titles, CRITERIA.values(), strict=True):
        for similarity, style in style_lines(SIMILARITIES).items():
            points = [
                (
                    max(_number(cells, (similarity, t, name), "mrr") for name in baselines),
                    _number(cells, (similarity, t, EXAMPLES), "answered_share"),
                )
                for t in thresholds
            ]
            panel.plot(*zip(*points, strict=True), label=similarity, **style)
        area = Rectangle((0, KEPT), BASELINE_MRR, 1 - KEPT, color="#009e73", alpha=0.3, lw=0)
        panel.add_patch(area)
        panel.set(title=title, xlim=(0, 0.4), ylim=(0.8, 1.005))
        panel.set_xlabel("highest MRR of a baseline")
    panels[0].set_ylabel("share of best published examples accepted")
    add_legend(figure, panels[0], columns=4)
    return figure


def _draw_mrr(settings: StudySettings, cells: Figures, thresholds: Sequence[float]) -> Figure:
    """MRR of baselines (dashed) and models against the threshold; the limit is a green line."""
    shown = dict.fromkeys((settings.judge, "dice", settings.own_judge))
    figure, panels = make_panels(len(shown), height=4.8)
    models = [name for name in settings.models if name not in STUDY_BASELINES]
    for panel, similarity in zip(panels, shown, strict=True):
        for name, style in style_lines(models, _GREYS).items():
            panel.plot(
                thresholds, _series(cells, similarity, thresholds, name), label=name, **style
            )
        for name, style in style_lines(STUDY_BASELINES, _BASELINE_COLOURS).items():
            dashed = {**style, "linestyle": "--", "markerfacecolor": "white", "linewidth": 1.0}
            panel.plot(
                thresholds, _series(cells, similarity, thresholds, name), label=name, **dashed
            )
        panel.axhline(BASELINE_MRR, color="#009e73", alpha=0.5)
        own = similarity == settings.own_judge
        chosen = settings.own_threshold if own else settings.threshold
        panel.axvline(chosen, color="#888888", linestyle=":")
        panel.set(title=f"{similarity} ({chosen:g} dotted)", xlim=(0, 0.8), ylim=(0, 0.7))
        panel.set_xlabel("threshold")
    panels[0].set_ylabel("MRR")
    add_legend(figure, panels[0], columns=5)
    return figure


def _draw_lengths(settings: StudySettings, cells: Figures) -> Figure:
    """Share of random methods accepted by their length, for every similarity at its threshold."""
    figure, (panel,) = make_panels(1, height=4.6)
    own = settings.own_judge
    for similarity, style in style_lines(SIMILARITIES).items():
        threshold = settings.own_threshold if similarity == own else settings.threshold
        shares = [
            100 * _number(cells, (similarity, threshold, subject), "accepted_share")
            for subject in LENGTH_CLASSES
        ]
        panel.plot(_LENGTHS, shares, label=f"{similarity} > {threshold:g}", **style)
    # Linear near zero, since some classes are never accepted.
    panel.set_yscale("symlog", linthresh=0.01)
    panel.set_ylim(0, 100)
    ticks = (0, 0.01, 0.1, 1, 10, 100)
    panel.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    panel.set(xlabel="lines of the method", ylabel="random methods accepted, in %")
    add_legend(figure, panel, columns=3)
    return figure


def _series(
    cells: Figures, similarity: str, thresholds: Sequence[float], subject: str
) -> list[float]:
    return [_number(cells, (similarity, threshold, subject), "mrr") for threshold in thresholds]


def _number(cells: Figures, key: tuple[str, float, str], column: str) -> float:
    """A cell, or not-a-number where it is empty or missing, which leaves a gap."""
    text = cells[key][column] if key in cells else ""
    return float(text) if text else math.nan
