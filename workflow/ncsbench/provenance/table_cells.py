"""One row or number of a table that a user names."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.errors import DataError

Row = dict[str, str]
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
    header, rows = _read_rows(table)
    others = [name for name in header if name != "dataset"] or header or [""]
    key = "model" if "model" in header else others[0]
    found = tuple(one for one in rows if one[key] == row)
    if not found:
        raise DataError(f"{table}: no row {row!r}; {_suggest(row, [one[key] for one in rows])}")
    if column is not None and column not in header:
        raise DataError(f"{table}: no column {column!r}; {_suggest(column, header)}")
    return Selection(row, column, found)


def read_dataset(table: Path) -> str | None:
    """The dataset that a CSV table is of, from its column ``dataset``; None where it has none."""
    if table.suffix != ".csv":
        return None
    _, rows = _read_rows(table)
    return rows[0].get("dataset") if rows else None


def _read_rows(table: Path) -> tuple[list[str], list[Row]]:
    try:
        with table.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restkey="", restval="", strict=True)
            return list(reader.fieldnames or []), list(reader)
    except OSError as error:
        raise DataError(f"{table}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{table}: is not a CSV file in UTF-8 ({error})") from error


def _suggest(name: str, known: Sequence[str]) -> str:
    names = list(dict.fromkeys(known))
    close = difflib.get_close_matches(name, names, n=_NAMED, cutoff=0.4)
    if close:
        return f"the nearest: {', '.join(close)}"
    more = "" if len(names) <= _NAMED else f" and {len(names) - _NAMED} more"
    return f"there are {', '.join(names[:_NAMED])}{more}"
