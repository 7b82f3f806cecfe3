"""Figures: means over units with intervals and differences, in one long table.

Every table of a paper or a study is such a table of figures. It begins with *units*: a long frame
of keys, a ``unit`` (a question, a test pair), the ``seed`` of a run and a ``value``; `summarise`
makes a row of each set of keys, with an interval over resampled units and runs (Efron and
Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3). Units are drawn once for each set
of units, so differences of rows are paired by unit; rows of different units are not compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.evaluation.statistics.resampling import DrawnUnits, MeanOfRuns, Sampling, Statistic
from ncsbench.evaluation.statistics.significance import difference_p

FIGURE_COLUMNS = ("value", "low", "high", "n", "runs")
"""Columns of a frame of figures beside its keys: the mean, the bounds of its 95 % interval, and
numbers of units and of runs."""


@dataclass(frozen=True)
class Figures:
    """Rows of figures with their resamples.

    Attributes:
        frame: keys, then ``FIGURE_COLUMNS``; its index is 0, 1, ...
        resampled: float64, shape (rows, resamples).
        units: for every row, the name of its set of units; rows of equal names may be compared.
    """

    frame: pd.DataFrame
    resampled: NDArray[np.float64]
    units: tuple[str, ...]

    @property
    def keys(self) -> list[str]:
        """Names of the columns that are keys."""
        return [name for name in self.frame.columns if name not in FIGURE_COLUMNS]

    def average(self, over: str, name: str) -> Figures:
        """Plain means over the rows that differ in ``over`` alone; its value becomes ``name``.

        Each row counts once, however many units it has; the units of a mean are those of all its
        rows.
        """
        keys = [key for key in self.keys if key != over]
        rows, resampled, units = [], [], []
        for values, part in self.frame.groupby(keys, sort=False):
            places = part.index
            resampled.append(self.resampled[places].mean(axis=0))
            units.append("+".join(self.units[place] for place in places))
            rows.append(
                {
                    **dict(zip(keys, values, strict=True)),
                    over: name,
                    "value": part["value"].mean(),
                    "n": part["n"].sum(),
                    "runs": part["runs"].iloc[0],
                }
            )
        return _collect(rows, self.keys, resampled, units)

    def against(self, over: str, pairs: Iterable[tuple[Any, Any]]) -> Figures:
        """Differences of rows that differ in the key ``over`` and have equal other keys.

        Args:
            over: the key that distinguishes a row from its baseline.
            pairs: values of a row and of its baseline; a pair is passed over where either row is
                absent.

        Returns:
            By the other keys, then by pair, with the columns ``baseline`` and ``baseline_value``;
            ``value`` is the difference.

        Raises:
            ValueError: for a row whose baseline has other units.
        """
        keys, pairs = self.keys, list(pairs)
        others = [key for key in keys if key != over]
        places: dict[tuple[Any, ...], dict[Any, int]] = {}
        for place, row in enumerate(self.frame[[*others, over]].itertuples(index=False, name=None)):
            places.setdefault(row[:-1], {})[row[-1]] = place
        rows, resampled, units = [], [], []
        for other, found in places.items():
            for value, baseline in pairs:
                if value not in found or baseline not in found:
                    continue
                mine, base = found[value], found[baseline]
                if self.units[mine] != self.units[base]:
                    raise ValueError(f"{over} {value!r}: has other units than {baseline!r}")
                resampled.append(self.resampled[mine] - self.resampled[base])
                units.append(self.units[mine])
                figure, of_base = self.frame.iloc[mine], self.frame.loc[base, "value"]
                rows.append(
                    {
                        **dict(zip(others, other, strict=True)),
                        **{over: value, "baseline": baseline, "baseline_value": of_base},
                        **{"value": figure["value"] - of_base, "n": figure["n"]},
                        "runs": figure["runs"],
                    }
                )
        return _collect(rows, [*keys, "baseline", "baseline_value"], resampled, units)

    def choose(self, wanted: pd.Series[bool]) -> Figures:
        """The rows for which ``wanted`` holds."""
        places = np.flatnonzero(wanted.to_numpy())
        return Figures(
            self.frame.iloc[places].reset_index(drop=True),
            self.resampled[places],
            tuple(self.units[place] for place in places),
        )

    def find_p(self) -> NDArray[np.float64]:
        """Two-sided p-values of the hypotheses that each figure is 0, in (0, 1], shape (rows,)."""
        return np.array([difference_p(resampled) for resampled in self.resampled], np.float64)


def summarise(
    units: pd.DataFrame,
    keys: Sequence[str],
    sampling: Sampling,
    statistic: Statistic | None = None,
) -> Figures:
    """Make a row of figures for each set of keys.

    Args:
        units: ``keys``, ``unit``, ``seed`` and ``value``, the rows of a run next to each other; a
            figure has the same units in the same order with every run. Units are drawn by clusters
            where there is a column ``cluster``.
        keys: columns that name a figure.
        sampling: draws behind the intervals.
        statistic: makes one figure of several runs; None for `MeanOfRuns`.

    Raises:
        ValueError: where a run of a figure has other units than its first run, or a unit twice.
    """
    statistic = statistic or MeanOfRuns(sampling.seed)
    drawn: dict[str, DrawnUnits] = {}
    rows, resampled, names = [], [], []
    for key, group in units.groupby(list(keys), sort=False, observed=True):
        runs = list(group["seed"].unique())
        values = group["value"].to_numpy(np.float64).reshape(len(runs), -1)
        name = _name_units(group["unit"], len(runs), key)
        if name not in drawn:
            clusters = group["cluster"][: values.shape[1]] if "cluster" in group else None
            drawn[name] = sampling.draw(values.shape[1], clusters)
        value, of_resamples = statistic(values, runs, drawn[name])
        resampled.append(of_resamples)
        names.append(name)
        figure = {"value": value, "n": values.shape[1], "runs": len(runs)}
        rows.append({**dict(zip(keys, key, strict=True)), **figure})
    return _collect(rows, keys, resampled, names)


def join_figures(parts: Sequence[Figures]) -> Figures:
    """Join the rows of several frames of figures with the same keys and number of resamples."""
    known = [part for part in parts if len(part.frame)] or list(parts[:1])
    return Figures(
        pd.concat([part.frame for part in known], ignore_index=True),
        np.concatenate([part.resampled for part in known]),
        tuple(name for part in known for name in part.units),
    )


def _name_units(units: pd.Series[Any], runs: int, key: object) -> str:
    """Name the set of units of a figure by its hash."""
    hashed = pd.util.hash_array(units.to_numpy(), categorize=False).reshape(runs, -1)
    if (hashed != hashed[0]).any():
        raise ValueError(f"{key}: a seed has other units than the first one")
    if len(np.unique(hashed[0])) < hashed.shape[1]:
        raise ValueError(f"{key}: has a unit twice")
    return hashlib.sha256(hashed[0].tobytes()).hexdigest()[:16]


def _collect(
    rows: Sequence[Mapping[str, Any]],
    keys: Sequence[str],
    resampled: Sequence[NDArray[np.float64]],
    units: Sequence[str],
) -> Figures:
    """Rows of figures with their intervals."""
    frame = pd.DataFrame(rows, columns=[*keys, "value", "n", "runs"])
    if not rows:
        return Figures(frame.reindex(columns=[*keys, *FIGURE_COLUMNS]), np.zeros((0, 0)), ())
    bounds = np.quantile(np.stack(resampled), [0.025, 0.975], axis=1)
    frame = frame.assign(low=bounds[0], high=bounds[1])
    return Figures(frame[[*keys, *FIGURE_COLUMNS]], np.stack(resampled), tuple(units))
