"""Figures with their resamples, and differences of two on the same resampled questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.intervals import Interval, interval_between

_NOISE = 1e-12  # sums of the same shares in other orders differ by less


@dataclass(frozen=True)
class ResampledFigure:
    """A figure over questions.

    Attributes:
        value: of the questions as they are.
        resampled: of resampled questions, float64, shape (resamples,). Those of two figures that
            are compared are of the same questions.
    """

    value: float
    resampled: NDArray[np.float64]

    @property
    def interval(self) -> Interval:
        """Its 95 % percentile interval."""
        return interval_between(self.resampled)

    @property
    def p(self) -> float:
        """Two-sided p-value of the null hypothesis that the figure is 0, in (0, 1].

        Twice the share of resamples that do not lie on the side of most of them, each count with
        one resample more (Davison and Hinkley, Bootstrap Methods and their Application, 1997,
        sections 4.2 and 5.4).
        """
        lower = int(np.count_nonzero(self.resampled <= _NOISE))
        upper = int(np.count_nonzero(self.resampled >= -_NOISE))
        return min(1.0, 2 * (min(lower, upper) + 1) / (len(self.resampled) + 1))

    def side(self, digits: int) -> int:
        """1 where the interval lies above 0, -1 below, 0 where it holds it.

        Args:
            digits: decimals that the bounds are shown with; one that is shown as 0 is 0.
        """
        bounds = self.interval
        return (round(bounds.low, digits) > 0) - (round(bounds.high, digits) < 0)

    def __sub__(self, other: ResampledFigure) -> ResampledFigure:
        """The paired difference."""
        return ResampledFigure(self.value - other.value, self.resampled - other.resampled)


def tell_order(side: int, published: float) -> str:
    """How a difference stands to the printed one.

    Args:
        side: of ours (``ResampledFigure.side``).
        published: the printed difference.

    Returns:
        ``as published``, ``reversed``, or ``open`` where ours may be 0; empty where the printed
        one is 0.
    """
    if not published:
        return ""
    return {1: "as published", -1: "reversed"}.get(side if published > 0 else -side, "open")
