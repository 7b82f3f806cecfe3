"""The cut as a figure: a histogram of losses, the components, where it lies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from ncsbench.artifacts.svg_figures import COLOURS, add_legend, make_panels, save_figure
from ncsbench.comment_filter.cut import Cut, Losses
from ncsbench.errors import DataError

_BINS, _POINTS = 60, 400
_SHOWN = 0.999  # Share of the losses that the axis shows; a few are far above.


def draw_cut(losses: Losses, cut: Cut, path: Path) -> None:
    """Draw a histogram of losses, the densities of the components and the cut.

    Losses above the 99.9th percentile are left out of the picture.

    Args:
        losses: of comments, shape (n,).
        cut: found from them.
        path: SVG file to write.

    Raises:
        DataError: where there is no finite loss.
    """
    finite = losses[np.isfinite(losses)]
    if not len(finite):
        raise DataError(f"{path}: there is no finite loss to draw")
    save_figure(path, lambda: _draw(finite, cut))


def _draw(losses: Losses, cut: Cut) -> Figure:
    figure, (panel,) = make_panels(1, height=4.2)
    low, high = float(losses.min()), float(np.quantile(losses, _SHOWN))
    edges = np.linspace(low, max(high, low + 1e-6), _BINS + 1)
    # Of all losses, so that areas compare with the densities of the mixture.
    heights = np.histogram(losses, edges)[0] / len(losses) / np.diff(edges)
    panel.stairs(heights, edges, fill=True, color="#d9d9d9", label=f"{len(losses)} losses")
    points = np.linspace(edges[0], edges[-1], _POINTS)
    colours = (COLOURS[5], COLOURS[7])
    for component, colour in zip(cut.components, colours, strict=False):
        label = f"{100 * component.weight:.1f} %, mean {component.mean:.2f}"
        panel.plot(points, np.exp(component.log_density(points)), color=colour, label=label)
    kept = cut.keeps(points)
    label = f"kept: {100 * cut.share_kept:.1f} %"
    panel.fill_between(points, 0, 0.02, where=kept, transform=panel.get_xaxis_transform(),
                       color=COLOURS[6], label=label)  # fmt: skip
    changes = points[1:][kept[1:] != kept[:-1]] if cut.threshold is None else [cut.threshold]
    for edge in changes:
        panel.axvline(float(edge), color=COLOURS[0], linewidth=1, linestyle="--")
    panel.set_xlabel("reconstruction loss")
    panel.set_ylabel("density")
    add_legend(figure, panel, columns=4)
    return figure
