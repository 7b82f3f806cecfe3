"""Loss and held-out MRR of trained models by epoch, as SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.svg_figures import WIDTH, add_legend, save_figure
from ncsbench.errors import DataError

HISTORY_COLUMNS = ("epoch", "training_loss", "held_out_loss", "held_out_mrr", "kept")
"""Columns of a ``history.csv``; ``kept`` is yes on the epoch whose weights are kept."""

_TRAINING, _HELD_OUT, _KEPT = "#7f7f7f", "#0072b2", "#d55e00"
_PER_ROW = 3


def draw_loss_curves(histories: Mapping[str, Path], output: Path) -> None:
    """Draw loss and held-out MRR by epoch, one cell per trained model, the kept epoch marked.

    Args:
        histories: ``history.csv`` of every training, by model in the order to draw.
        output: SVG file to write.

    Raises:
        DataError: where a file is malformed or has no epoch, or there is no history.
    """
    if not histories:
        raise DataError(f"{output}: there is no history of a trained model to draw")
    read = {name: _read_history(path) for name, path in histories.items()}
    save_figure(output, lambda: _draw_cells(read))


def _read_history(path: Path) -> list[dict[str, float]]:
    """Read the numbers of every epoch; an empty cell becomes NaN and leaves a gap."""
    epochs = []
    for number, row in enumerate(read_rows(path, HISTORY_COLUMNS), 1):
        try:
            epoch = {name: float(row[name] or math.nan) for name in HISTORY_COLUMNS[:-1]}
        except ValueError as error:
            raise DataError(f"{path}: epoch {number}: {error}") from error
        epochs.append({**epoch, "kept": float(row["kept"] == "yes")})
    if not epochs:
        raise DataError(f"{path}: has no epoch")
    return epochs


def _draw_cells(histories: Mapping[str, list[dict[str, float]]]) -> Figure:
    across = min(_PER_ROW, len(histories))
    down = math.ceil(len(histories) / across)
    figure = Figure(figsize=(WIDTH, 3.4 * down + 0.4), layout="constrained")
    # Two panels per model: the loss above, the held-out MRR below, which all models share.
    panels = figure.subplots(2 * down, across, squeeze=False, height_ratios=[3, 2] * down)
    below = [panels[2 * (n // across) + 1][n % across] for n in range(len(histories))]
    for number, (name, epochs) in enumerate(histories.items()):
        above = panels[2 * (number // across)][number % across]
        _draw_loss(above, name, epochs)
        _draw_mrr(below[number], epochs)
        above.sharex(below[number])
        above.tick_params(labelbottom=False)
        below[number].sharey(below[0])
        if number % across == 0:
            above.set_ylabel("loss")
            below[number].set_ylabel("held-out MRR")
    for number in range(len(histories), across * down):
        for half in (0, 1):
            panels[2 * (number // across) + half][number % across].set_visible(False)
    best = max(
        (epoch["held_out_mrr"] for epochs in histories.values() for epoch in epochs),
        key=lambda mrr: -1 if math.isnan(mrr) else mrr,
    )
    below[0].set_ylim(0, 1.1 * best if best > 0 else 1)
    add_legend(figure, panels[0][0], columns=3)
    return figure


def _draw_loss(panel: Axes, name: str, epochs: Sequence[Mapping[str, float]]) -> None:
    numbers = [epoch["epoch"] for epoch in epochs]
    training = [epoch["training_loss"] for epoch in epochs]
    held_out = [epoch["held_out_loss"] for epoch in epochs]
    panel.plot(numbers, training, color=_TRAINING, label="training pairs")
    panel.plot(numbers, held_out, color=_HELD_OUT, label="held-out pairs")
    _mark_kept(panel, epochs, "held_out_loss")
    panel.set_title(name, fontsize=9)


def _draw_mrr(panel: Axes, epochs: Sequence[Mapping[str, float]]) -> None:
    numbers = [epoch["epoch"] for epoch in epochs]
    panel.plot(numbers, [epoch["held_out_mrr"] for epoch in epochs], color=_HELD_OUT)
    _mark_kept(panel, epochs, "held_out_mrr")
    panel.set_xlabel("epoch")
    panel.xaxis.set_major_locator(MaxNLocator(6, integer=True))


def _mark_kept(panel: Axes, epochs: Sequence[Mapping[str, float]], column: str) -> None:
    kept = [epoch for epoch in epochs if epoch["kept"]]
    panel.plot(
        [epoch["epoch"] for epoch in kept],
        [epoch[column] for epoch in kept],
        color=_KEPT,
        marker="o",
        markersize=5,
        linestyle="none",
        label="epoch whose weights are kept",
        zorder=3,
    )
