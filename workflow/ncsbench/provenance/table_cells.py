"""One row or number of a table that a user names."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, read_headed_rows
from ncsbench.errors import DataError

_NAMED = 3


@dataclass(frozen=True)
class Selection:
    """What of a table is asked for.

    Attributes:
        row, column: names; None for all.
        rows: the rows of this name; none where no row was asked for.
    """

    row: str | None = None
    column: str | None = None
    rows: tuple[Row, ...] = ()

    @property
    def values(self) -> list[str]:
        """The cells of the column in these rows."""
        return [] if self.column is None else [row[self.column] for row in self.rows]


def select_cells(table: Path, row: str | None, column: str | None) -> Selection:
    """The rows of a CSV table whose ``model`` (else: first column but ``dataset``) is ``row``.

    Raises:
        DataError: where the table has no rows to name, or no such row or column.
    """
    if row is None:
        return Selection()
    if table.suffix != ".csv":
        raise DataError(f"{table}: only rows of a .csv file have names; leave out {row!r}")
    header, rows = read_headed_rows(table)
    key = min(header, key=lambda name: (name != "model", name == "dataset"))
    found = tuple(one for one in rows if one[key] == row)
    if not found:
        raise DataError(f"{table}: no row {row!r}; {_suggest(row, [one[key] for one in rows])}")
    if column is not None and column not in header:
        raise DataError(f"{table}: no column {column!r}; {_suggest(column, header)}")
    return Selection(row, column, found)


def read_dataset(table: Path) -> str:
    """The dataset that a CSV table is of, from its column ``dataset``; empty where it has none."""
    rows = read_headed_rows(table)[1] if table.suffix == ".csv" else []
    return rows[0].get("dataset", "") if rows else ""


def _suggest(name: str, known: Sequence[str]) -> str:
    names = list(dict.fromkeys(known))
    close = difflib.get_close_matches(name, names, n=_NAMED, cutoff=0.4)
    if close:
        return f"the nearest: {', '.join(close)}"
    more = "" if len(names) <= _NAMED else f" and {len(names) - _NAMED} more"
    return f"there are {', '.join(names[:_NAMED])}{more}"
