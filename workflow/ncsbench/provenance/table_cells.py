"""One row or number of a table that a user names."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, read_headed_rows
from ncsbench.artifacts.renamed_columns import rename_column
from ncsbench.errors import DataError

_NAMED = 3


@dataclass(frozen=True)
class Selection:
    """What of a table is asked for.

    Attributes:
        row, column: names; None for all.
        rows: the rows of this name that have ``where``; none where no row was asked for.
        where: cells by column that the rows must have.
    """

    row: str | None = None
    column: str | None = None
    rows: tuple[Row, ...] = ()
    where: tuple[tuple[str, str], ...] = ()

    @property
    def values(self) -> list[str]:
        """The cells of the column in these rows."""
        return [] if self.column is None else [row[self.column] for row in self.rows]

    def tell_apart(self) -> dict[str, str]:
        """Cells by which the first of several rows is told from the others, by column.

        Columns stand in the order of the table, without the one that is asked for. Empty where
        there is one row, or where these columns do not tell it apart.
        """
        cells: dict[str, str] = {}
        same = self.rows
        for column in [name for row in self.rows[:1] for name in row if name != self.column]:
            fewer = tuple(one for one in same if one[column] == self.rows[0][column])
            if len(fewer) < len(same):
                cells[column] = self.rows[0][column]
            same = fewer
        return cells if len(same) == 1 else {}


def select_cells(
    table: Path, row: str | None, column: str | None, where: Mapping[str, str] | None = None
) -> Selection:
    """The rows of a CSV table whose ``model`` (else: first column but ``dataset``) is ``row``.

    Args:
        table: the file.
        row: None for the whole table.
        column: that is asked for, None for all.
        where: cells by column that the rows must have too, for rows of one name.

    Raises:
        DataError: where the table has no rows to name, or no such row or column.
    """
    if row is None:
        if where:
            raise DataError(f"{table}: --where chooses among rows of one name; name the row too")
        return Selection()
    if table.suffix != ".csv":
        raise DataError(f"{table}: only rows of a .csv file have names; leave out {row!r}")
    header, rows = read_headed_rows(table)
    key = min(header, key=lambda name: (name != "model", name == "dataset"))
    found = tuple(one for one in rows if one[key] == row)
    if not found:
        raise DataError(f"{table}: no row {row!r}; {_suggest(row, [one[key] for one in rows])}")
    where = {rename_column(table, name, header): cell for name, cell in (where or {}).items()}
    column = None if column is None else rename_column(table, column, header)
    for name in [*where, *([column] if column is not None else [])]:
        if name not in header:
            raise DataError(f"{table}: no column {name!r}; {_suggest(name, header)}")
    for name, cell in where.items():
        known = [one[name] for one in found]
        found = tuple(one for one in found if one[name] == cell)
        if not found:
            raise DataError(f"{table}: no row {row!r} with {name}={cell}; {_suggest(cell, known)}")
    return Selection(row, column, found, tuple(where.items()))


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
