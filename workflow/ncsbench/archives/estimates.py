"""What a list of repositories takes, scaled from archives that were measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ncsbench.artifacts.csv_tables import read_rows
from ncsbench.errors import DataError

COLUMNS = ("repo", "zip_bytes", "java_files", "java_bytes", "entries", "missing_blobs")
_SAMPLES = 2000
_SEED = 2019

STORED_SHARE = 0.25
"""Bytes of the store for each byte of Java, of 120 of the measured repositories."""


@dataclass(frozen=True)
class Estimate:
    """A sum over a list: the most likely value, and an interval of 95 %."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> Estimate:
        """The estimate of what is proportional to it."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


@dataclass(frozen=True)
class MeasuredSizes:
    """Archives of repositories that were drawn at random and measured.

    Attributes:
        path: of the table.
        rows: of each column one number for each repository.
    """

    path: Path
    rows: dict[str, list[int]]

    @property
    def count(self) -> int:
        """Of repositories."""
        return len(self.rows["zip_bytes"])

    def estimate(self, column: str, repositories: int) -> Estimate:
        """The sum over so many repositories: their number times the mean.

        The interval is of the percentile bootstrap over repositories, of as many as were measured;
        what single repositories add to a sum of thousands is small beside it.
        """
        import numpy as np

        values = np.array(self.rows[column], dtype=np.float64)
        drawn = np.random.default_rng(_SEED).integers(0, len(values), (_SAMPLES, len(values)))
        low, high = np.percentile(values[drawn].mean(axis=1), [2.5, 97.5])
        return Estimate(float(values.mean()), float(low), float(high)).scaled(repositories)

    def stored(self, repositories: int) -> Estimate:
        """Bytes of the store of so many repositories."""
        return self.estimate("java_bytes", repositories).scaled(STORED_SHARE)


def read_sizes(path: Path) -> MeasuredSizes:
    """Read the table of measured archives; ``DataError`` where it cannot be used."""
    rows = read_rows(path, COLUMNS)
    try:
        numbers = {name: [int(row[name]) for row in rows] for name in COLUMNS[1:]}
    except ValueError as error:
        raise DataError(f"{path}: has a number that is none ({error})") from error
    if not rows:
        raise DataError(f"{path}: has no row")
    return MeasuredSizes(path, numbers)
