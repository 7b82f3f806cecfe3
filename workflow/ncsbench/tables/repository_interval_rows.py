"""Intervals over repositories in the rows of Table 1; made by ``repository_interval_table``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, read_rows
from ncsbench.evaluation.results import JUDGE_PREFIXES

REPOSITORY_COLUMNS = ("judge", "threshold", "measure", "low", "high")
"""Columns of ``repository_intervals/<model>.csv``, in order."""


def add_repository_intervals(
    rows: Sequence[Row], folder: Path, models: Collection[str]
) -> list[Row]:
    """The rows of Table 1, those of some models with their intervals over repositories.

    Args:
        rows: of Table 1.
        folder: with a table of ``REPOSITORY_COLUMNS`` for each model.
        models: names of these models.
    """
    return [
        {**row, **_find(row, read_rows(folder / f"{row['model']}.csv", REPOSITORY_COLUMNS))}
        if row["model"] in models
        else row
        for row in rows
    ]


def _find(row: Row, intervals: Sequence[Row]) -> Row:
    found: Row = {}
    for interval in intervals:
        for prefix in JUDGE_PREFIXES.values():
            if (interval["judge"], interval["threshold"]) == (
                *(row[f"{prefix}judge"], row[f"{prefix}threshold"]),
            ):
                name = f"{prefix}{interval['measure']}"
                found[f"{name}_repositories"] = row[name]
                found[f"{name}_repositories_low"] = interval["low"]
                found[f"{name}_repositories_high"] = interval["high"]
    return found
