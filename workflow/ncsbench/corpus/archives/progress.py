"""Numbers of a fetching job for people: the space that a list takes, and the progress."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.errors import DataError

COLUMNS = ("repo", "zip_bytes", "java_files", "java_bytes", "entries", "missing_blobs")
_SAMPLES = 2000
_SEED = 2019

STORED_SHARE = 0.25
"""Bytes of the store for each byte of Java, measured on 120 of the repositories."""


@dataclass(frozen=True)
class Estimate:
    """A sum over a list: the most likely value, and an interval of 95 %."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> Estimate:
        """The estimate of a quantity that is proportional to this one."""
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
        """Number of measured repositories."""
        return len(self.rows["zip_bytes"])

    def estimate(self, column: str, repositories: int) -> Estimate:
        """Estimate the sum over so many repositories: their number times the mean.

        The interval is of the percentile bootstrap, in two steps: as many repositories as were
        measured are drawn from these, for what is not known of all repositories, and from the
        drawn ones as many as the list has, for what its single repositories add to the sum.
        """
        import numpy as np

        values = np.array(self.rows[column], dtype=np.float64)
        generator, measured = np.random.default_rng(_SEED), len(values)
        # How often each is drawn is all that counts, however long the list.
        drawn = generator.multinomial(measured, np.full(measured, 1 / measured), _SAMPLES)
        sums = generator.multinomial(repositories, drawn / measured) @ values
        low, high = np.percentile(sums, [2.5, 97.5])
        return Estimate(float(values.mean()) * repositories, float(low), float(high))

    def stored(self, repositories: int) -> Estimate:
        """Bytes of the store of so many repositories."""
        return self.estimate("java_bytes", repositories).scaled(STORED_SHARE)


def read_sizes(path: Path) -> MeasuredSizes:
    """Read the table of measured archives; ``DataError`` where it cannot be used."""
    rows = read_rows(path, COLUMNS)
    try:
        numbers = {name: [int(row[name]) for row in rows] for name in COLUMNS[1:]}
    except ValueError as error:
        raise DataError(f"{path}: has a cell that is no number ({error})") from error
    if not rows:
        raise DataError(f"{path}: has no row")
    return MeasuredSizes(path, numbers)


@dataclass
class Progress:
    """Counts of a job."""

    missing: int
    waiting: int
    """Repositories still to be asked for, at their listed address or at Software Heritage."""
    fetched: int = 0
    bytes: int = 0
    done: int = 0
    """Repositories that this job fetched or found missing."""

    def settle(self, size: int | None = None) -> None:
        """Count a repository that no longer waits: fetched with so many bytes, or missing."""
        self.waiting -= 1
        self.done += 1
        self.missing += size is None
        self.fetched += size is not None
        self.bytes += size or 0


def show_bytes(count: float) -> str:
    """Write a number of bytes for people, as ``1.5 GB``; units are powers of 1000."""
    for unit in ("bytes", "kB", "MB"):
        if count < 999.5:  # else it is shown as 1e+03
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} GB"
