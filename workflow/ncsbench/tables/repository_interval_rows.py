"""Intervals over repositories in the rows of Table 1; made by ``repository_interval_table``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, read_rows

REPOSITORY_COLUMNS = ("model", "judge", "threshold", "measure", "low", "high")
"""Columns of ``repository_intervals.csv``, in order."""


def add_repository_intervals(rows: Sequence[Row], path: Path) -> list[Row]:
    """The rows of Table 1 with their intervals over repositories, where the file has them."""
    intervals = {
        (row["model"], row["judge"], row["threshold"], row["measure"]): row
        for row in read_rows(path, REPOSITORY_COLUMNS)
    }
    return [{**row, **_find(row, intervals)} for row in rows]


def _find(row: Row, intervals: dict[tuple[str, str, str, str], Row]) -> Row:
    found: Row = {}
    for (model, judge, threshold, measure), interval in intervals.items():
        for prefix in ("", "strict_"):
            if (model, judge, threshold) == (
                *(row["model"], row[f"{prefix}judge"], row[f"{prefix}threshold"]),
            ):
                name = f"{prefix}{measure}"
                found[f"{name}_repositories"] = row[name]
                found[f"{name}_repositories_low"] = interval["low"]
                found[f"{name}_repositories_high"] = interval["high"]
    return found
