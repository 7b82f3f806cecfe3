"""The board as a figure: the MRR of every row under each judge, by the year of its method."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ncsbench.base.files.csv_tables import Row, read_headed_rows
from ncsbench.base.files.svg_figures import add_legend, make_panels, save_figure
from ncsbench.pipeline.evidence.evaluated_run import ENOUGH
from ncsbench.studies.ncsed.model_names import read_model_names

_JUDGES = {"strict": "strict judge", "charged": "charged overlap", "lenient": "lenient judge"}
_SEEN = {"no": ("not seen", "#0072b2"), "likely": ("likely seen", "#d55e00")}


def draw_board(board: Path, output: Path) -> None:
    """Draw a panel for each judge, the oldest method at the top; equal boards give equal bytes.

    A dot is the MRR of a row with its 95 % interval, the stepped line the best MRR so far.
    Baselines of chance (`model_names`) are vertical lines. Rows that were handed in without a run
    are left out.
    """
    kinds = {one.name: one.kind for one in read_model_names().values()}
    rows = [row for row in read_headed_rows(board)[1] if row["figures"] == "computed"]
    rows.sort(key=lambda row: (row["year"], row["strict_mrr"]))
    chance = [row for row in rows if kinds.get(row["model"]) == "chance"]
    save_figure(output, lambda: _draw([row for row in rows if row not in chance], chance))


def _draw(rows: list[Row], chance: list[Row]) -> Figure:
    figure, panels = make_panels(len(_JUDGES), height=0.28 * len(rows) + 1.6)
    places = np.arange(len(rows))
    for panel, (judge, title) in zip(panels, _JUDGES.items(), strict=True):
        cells = [[float(row[f"{judge}_mrr{end}"]) for end in ("", "_low", "_high")] for row in rows]
        values, low, high = np.array(cells).T
        for row, style in zip(chance, cycle(("--", ":")), strict=False):
            place = float(row[f"{judge}_mrr"])
            panel.axvline(place, color="#7f7f7f", linestyle=style, label=row["model"])
        best = np.maximum.accumulate(values)
        panel.step(best, places, where="pre", color="#b0b0b0", label="best so far")
        for seen, (label, colour) in _SEEN.items():
            of = np.array([(row["seen_questions"] == "no") == (seen == "no") for row in rows])
            bars = (values[of] - low[of], high[of] - values[of])
            dots: dict[str, Any] = {"fmt": "o", "markersize": 5, "label": f"questions {label}"}
            panel.errorbar(values[of], places[of], xerr=bars, color=colour, **dots)
        panel.set_xlabel(f"MRR, {title}")
        panel.set_xlim(0, 0.6)
    marks = ["*" if float(row["judged"]) < ENOUGH else "" for row in rows]
    labels = [f"{row['model']}{mark}, {row['year']}" for row, mark in zip(rows, marks, strict=True)]
    panels[0].set_yticks(places, labels)
    panels[0].plot([], [], " ", label="* lower bound")
    panels[0].set_ylim(len(rows) - 0.5, -0.5)
    add_legend(figure, panels[0], columns=6)
    return figure
