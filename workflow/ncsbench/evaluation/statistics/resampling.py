"""Resamples of figures: the units or clusters of units that are drawn, and the runs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.statistics.intervals import draw_resamples, draw_runs, resample_sum

Values = NDArray[np.float64]


@dataclass(frozen=True)
class DrawnUnits:
    """Clusters of units of every resample; without clusters, each unit is a cluster of its own.

    Units of a cluster, such as questions with the same text, are not independent; so whole
    clusters are drawn with replacement (DEV-196).

    Attributes:
        clusters: numbers of clusters, int32, shape (resamples, clusters).
        of_units: the cluster of each unit from 0, int64, shape (units,); None where each unit is a
            cluster of its own.
    """

    clusters: NDArray[np.int32]
    of_units: NDArray[np.int64] | None = None

    @cached_property
    def _sizes(self) -> tuple[Values, Values]:
        sizes = np.bincount(self.of_units).astype(np.float64)  # type: ignore[arg-type]
        return sizes, resample_sum(sizes, self.clusters)

    def mean(self, values: Values) -> Values:
        """Means of ``values``, shape (units,), over the units of each resample."""
        if self.of_units is None:
            return resample_sum(values, self.clusters) / len(values)
        sizes, resampled = self._sizes
        sums = np.bincount(self.of_units, values, len(sizes)).astype(np.float64)
        return resample_sum(sums, self.clusters) / resampled

    def only(self, resamples: NDArray[np.bool_]) -> DrawnUnits:
        """Choose the resamples for which ``resamples`` holds."""
        return DrawnUnits(self.clusters[resamples], self.of_units)


@dataclass(frozen=True)
class Sampling:
    """Settings of the draws: their number and their seed.

    Attributes:
        seed: equal seeds give equal draws.
        resamples: number of resamples behind each interval.
        stream: number of the draws among several with the same seed.
    """

    seed: int
    resamples: int
    stream: int | None = None

    def draw(self, units: int, clusters: Sequence[Hashable] | None = None) -> DrawnUnits:
        """Draw the units of every resample, or whole clusters of them.

        Args:
            units: number of units.
            clusters: the cluster of each unit; None where each unit is a cluster of its own.
        """
        of_stream = [] if self.stream is None else [self.stream]
        generator = np.random.default_rng([self.seed, *of_stream])
        if clusters is None:
            return DrawnUnits(draw_resamples(units, generator, resamples=self.resamples))
        numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
        return DrawnUnits(
            draw_resamples(len(numbers), generator, resamples=self.resamples),
            np.array([numbers[name] for name in clusters], np.int64),
        )


class Statistic(Protocol):
    """A function that makes one figure, and its resamples, of several runs on the same units."""

    def __call__(
        self, values: Values, runs: Sequence[Any], drawn: DrawnUnits
    ) -> tuple[float, Values]:
        """Sum up runs.

        Args:
            values: value of every run and unit, shape (runs, units).
            runs: name or key of each run.
            drawn: the resamples of the units.

        Returns:
            The figure, and its value in each resample, shape (resamples,).
        """


@dataclass(frozen=True)
class MeanOfRuns:
    """The mean over units and runs; each resample has one drawn run (DEV-98).

    Attributes:
        seed: the seed of the units; the runs are drawn from it by a generator of their own.
    """

    seed: int

    def __call__(
        self, values: Values, runs: Sequence[Any], drawn: DrawnUnits
    ) -> tuple[float, Values]:
        """Sum up runs."""
        resamples = len(drawn.clusters)
        chosen = draw_runs(len(runs), self.seed, resamples=resamples)
        means = np.empty(resamples)
        for run, of_units in enumerate(values):
            means[chosen == run] = drawn.only(chosen == run).mean(of_units)
        return float(values.mean()), means


def average_runs(values: Values, runs: Sequence[Any], drawn: DrawnUnits) -> tuple[float, Values]:
    """The mean over units and runs, where each resample has all runs: a `Statistic`."""
    of_units = values.mean(axis=0)
    return float(of_units.mean()), drawn.mean(of_units)


class MedianOfTrainings:
    """The median over trainings of the mean over units (DEV-196).

    A run is a pair: the seed of the training, and the number of the random draw of its training
    set. Each resample draws as many seeds, and as many draws, as there are; one set of these
    choices serves all figures. A resample takes the same draws for every seed that has them, since
    a draw gives the same training set with every seed.
    """

    def __init__(self, seed: int, *, seeds: int, draws: int, resamples: int) -> None:
        """Draw the trainings of every resample.

        Args:
            seed: the seed of the units; the trainings are drawn by a generator of their own.
            seeds: largest number of seeds of a figure, at least 1.
            draws: largest number of draws of a training set, at least 1.
            resamples: number of resamples.
        """
        generator = np.random.default_rng([seed, 1])
        self._seeds = generator.random((resamples, seeds))
        self._draws = generator.random((resamples, draws))

    def __call__(
        self, values: Values, runs: Sequence[Any], drawn: DrawnUnits
    ) -> tuple[float, Values]:
        """Sum up trainings: ``runs`` are pairs of a seed and a draw, sorted by seed."""
        of_seeds: dict[object, list[Values]] = {}
        for (seed, _), of_units in zip(runs, values, strict=True):
            of_seeds.setdefault(seed, []).append(drawn.mean(of_units))
        counts = np.array([len(means) for means in of_seeds.values()])
        resamples = len(drawn.clusters)
        means = np.zeros((len(counts), counts.max(), resamples))
        for place, some in enumerate(of_seeds.values()):
            means[place, : len(some)] = some
        seeds = (self._seeds[:, : len(counts), None] * len(counts)).astype(int)
        draws = (self._draws[:, None, : counts.max()] * counts[seeds]).astype(int)
        chosen = means[seeds, draws, np.arange(resamples)[:, None, None]]
        value = float(np.median(values.mean(axis=1)))
        return value, np.median(chosen.reshape(resamples, -1), axis=1)
