"""A straight line of a figure against the logarithm of a size, and where it leads (DEV-105)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number
from ncsbench.evaluation.intervals import interval_of_sum
from ncsbench.evaluation.metrics import Metric
from ncsbench.evaluation.results import format_value

DOUBLING_COLUMNS = ("fitted_points", "per_doubling", "per_doubling_low", "per_doubling_high")
"""Columns that only extrapolated rows fill: points of the line, and its slope for each doubling,
with more digits than figures, since it is multiplied by many doublings."""


def extrapolate(
    sizes: Sequence[int],
    shares: NDArray[np.float64],
    target: int,
    metric: Metric,
    draws: NDArray[np.int32],
) -> Row:
    """The least-squares line through the figures, read at ``target``, and ``DOUBLING_COLUMNS``.

    Slope and height of the line are weighted sums of the figures, and a figure is a sum over
    questions. So both are sums over questions too, and are resampled as such.

    Args:
        sizes: ascending, at least two.
        shares: what each question adds to the figure at each size, shape (sizes, questions).
        target: where the line is read.
        metric: decides digits and range.
        draws: what ``intervals.draw_resamples`` gave for these questions.
    """
    doublings = np.log2(sizes)
    distances = doublings - doublings.mean()
    slope = distances / np.sum(distances**2)
    height = 1 / len(sizes) + (np.log2(target) - doublings.mean()) * slope
    slopes = slope @ shares
    around = interval_of_sum(slopes, draws)
    # A figure cannot leave its range, even where the line does.
    limit = 1.0 if metric == "mrr" else float(shares.shape[1])
    digits = 6 if metric == "mrr" else 3
    return {
        **describe_sum(height @ shares, metric, draws, limit=limit),
        "fitted_points": str(len(sizes)),
        "per_doubling": format_number(float(slopes.sum()), digits),
        "per_doubling_low": format_number(around.low, digits),
        "per_doubling_high": format_number(around.high, digits),
    }


def draw_line(
    fitted: Sequence[tuple[float, float]], *, slope: float, end: tuple[float, float]
) -> tuple[list[float], list[float]]:
    """Sizes and heights of a line, from the first point it was fitted to to the extrapolated one.

    It goes through the mean of the fitted points. Where it leaves the range of the figure before
    the end, it goes on level, as the extrapolated figure does.

    Args:
        fitted: sizes and figures, ascending.
        slope: change of the figure for each doubling.
        end: the extrapolated point.
    """
    doublings = [math.log2(size) for size, _ in fitted]
    middle, height = fmean(doublings), fmean(value for _, value in fitted)
    first, last = doublings[0], math.log2(end[0])
    line = [(first, height + (first - middle) * slope), (last, end[1])]
    if slope and first < (bend := middle + (end[1] - height) / slope) < last:
        line.insert(1, (bend, end[1]))
    return [2**doublings for doublings, _ in line], [value for _, value in line]


def describe_sum(
    values: NDArray[np.float64],
    metric: Metric,
    draws: NDArray[np.int32],
    *,
    limit: float | None = None,
) -> Row:
    """Sum over questions with its interval, kept between 0 and ``limit`` where there is one."""
    bounds = interval_of_sum(values, draws)
    cells = {"value": float(values.sum()), "low": bounds.low, "high": bounds.high}
    if limit is not None:
        cells = {cell: min(max(value, 0.0), limit) for cell, value in cells.items()}
    return {cell: format_value(metric, value) for cell, value in cells.items()}
