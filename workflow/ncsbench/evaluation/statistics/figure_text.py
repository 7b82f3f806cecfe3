"""Frames of figures as text: digits for CSV files and pages, and words for an order."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from ncsbench.base.files.csv_tables import Row, format_number, write_rows

YES = {True: "yes", False: "no"}
"""The words of a cell for true and for false."""


def format_columns(
    frame: pd.DataFrame, names: Iterable[str], digits: int, *, signed: bool = False
) -> pd.DataFrame:
    """Columns of numbers as text with ``digits`` decimals; a missing number gives an empty cell."""
    return frame.assign(
        **{
            name: [
                "" if pd.isna(value) else format_number(float(value), digits, signed=signed)
                for value in frame[name]
            ]
            for name in names
        }
    )


def arrange(frame: pd.DataFrame, keys: Mapping[str, Iterable[object]]) -> pd.DataFrame:
    """One row for each combination of the values of ``keys``, in their order.

    Args:
        frame: at most one row for each combination; rows of other values are left out.
        keys: columns with their values; a combination that has no row gets missing cells.
    """
    every = pd.DataFrame(itertools.product(*keys.values()), columns=list(keys))
    return every.merge(frame, how="left", on=list(keys), validate="one_to_one")


def spread(
    frame: pd.DataFrame,
    over: str,
    order: Sequence[object],
    names: Mapping[str, str],
) -> pd.DataFrame:
    """One row for each set of the other keys, with a group of columns for each value of ``over``.

    Args:
        frame: every set of the other keys has each value of ``over`` at most once.
        over: the key whose values become columns.
        order: its values in the order of the columns.
        names: for each column of ``frame`` that is spread, the name of the new columns, in which
            ``{}`` takes the value of ``over``; a cell is missing where ``frame`` has no row for it.
    """
    keys = [name for name in frame.columns if name != over and name not in names]
    wide = frame[keys].drop_duplicates()
    for value in order:
        renamed = {old: new.format(value) for old, new in names.items()}
        part = frame[frame[over] == value][[*keys, *names]].rename(columns=renamed)
        wide = wide.merge(part, how="left", on=keys, validate="one_to_one")
    return wide


def to_rows(frame: pd.DataFrame, columns: Sequence[str]) -> list[Row]:
    """Rows of ``columns`` as text; a missing value is empty."""
    text = frame[list(columns)].astype(object).where(frame[list(columns)].notna(), "")
    return [{name: str(value) for name, value in row.items()} for row in text.to_dict("records")]


def write_frame(path: Path, frame: pd.DataFrame, columns: Sequence[str]) -> None:
    """Write ``to_rows`` as CSV, atomically."""
    write_rows(path, columns, to_rows(frame, columns))


def find_side(low: float, high: float, digits: int) -> int:
    """Return 1 where an interval lies above 0, -1 where it lies below, 0 where it contains 0.

    Args:
        low: the lower bound.
        high: the upper bound.
        digits: decimals that the bounds are shown with; a bound that is shown as 0 counts as 0.
    """
    return (round(low, digits) > 0) - (round(high, digits) < 0)


def tell_order(side: int, published: float) -> str:
    """Say whether our difference has the sign of the printed difference.

    Args:
        side: the side of 0 on which our difference lies (`find_side`).
        published: the printed difference.

    Returns:
        ``as published``, ``reversed``, or ``open`` where ours may be 0; empty where the printed
        difference is 0.
    """
    if not published:
        return ""
    return {1: "as published", -1: "reversed"}.get(side if published > 0 else -side, "open")
