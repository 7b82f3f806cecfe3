"""Intervals over repositories in the rows of Table 1; made by ``repository_interval_table``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, read_rows

REPOSITORY_COLUMNS = ("judge", "threshold", "measure", "low", "high")
"""Columns of ``repository_intervals/<model>.csv``, in order."""


def add_repository_intervals(rows: Sequence[Row], folder: Path, models: Sequence[str]) -> list[Row]:
    """The rows of Table 1, those of the models with their intervals over repositories.

    Args:
        rows: of Table 1, the models first, in their order.
        folder: with a table of ``REPOSITORY_COLUMNS`` for each model.
        models: names of the models.
    """
    filled = [
        {**row, **_find(row, read_rows(folder / f"{model}.csv", REPOSITORY_COLUMNS))}
        for row, model in zip(rows, models, strict=False)
    ]
    return [*filled, *rows[len(filled) :]]


def _find(row: Row, intervals: Sequence[Row]) -> Row:
    found: Row = {}
    for interval in intervals:
        for prefix in ("", "strict_"):
            if (interval["judge"], interval["threshold"]) == (
                *(row[f"{prefix}judge"], row[f"{prefix}threshold"]),
            ):
                name = f"{prefix}{interval['measure']}"
                found[f"{name}_repositories"] = row[name]
                found[f"{name}_repositories_low"] = interval["low"]
                found[f"{name}_repositories_high"] = interval["high"]
    return found
