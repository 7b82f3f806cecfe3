"""Any table of results as text for a terminal."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, read_headed_rows
from ncsbench.errors import DataError
from ncsbench.tables.table1_files import COLUMNS
from ncsbench.tables.terminal_table import WIDTH, format_table, format_table1
from ncsbench.tables.text_formats import TextTable
from ncsbench.text.safe_text import show_visibly

_MOST_ROWS = 2000
_FEWEST_NAMES = 2
_WIDEST = 40
_OF_TABLE1 = 3


def format_any_table(path: Path, *, brief: bool = False) -> str:
    """A Table 1 as ``format_table1`` has it, every other CSV table as it stands.

    One that is wider than a terminal is shown in parts, each with the names of the rows.

    Raises:
        DataError: where the file is no table, or one too long to be read at a terminal.
    """
    header, rows = read_headed_rows(path)
    if tuple(header[:_OF_TABLE1]) == COLUMNS[:_OF_TABLE1]:
        return format_table1(path, brief=brief)
    if len(rows) > _MOST_ROWS:
        raise DataError(f"{path}: has {len(rows):,} rows, too many to show; open it otherwise")
    names = _choose_names(header, rows)
    parts: list[list[str]] = []
    free = 0
    for column in header[len(names) :]:
        width = _width(column, rows) + 1
        if width > free:
            parts.append([])
            free = WIDTH - sum(_width(name, rows) + 1 for name in names)
        parts[-1].append(column)
        free -= width
    tables = [_format_part([*names, *part], rows) for part in parts or [[]]]
    return f"{show_visibly(str(path))}: {len(rows):,} rows\n\n" + "\n\n".join(tables)


def _choose_names(header: list[str], rows: list[Row]) -> list[str]:
    """The first columns with names: as many as tell the rows apart, where a figure fits beside."""
    names = list(takewhile(lambda column: _is_name(column, rows), header))
    for count in range(_FEWEST_NAMES, len(names) + 1):
        if sum(_width(name, rows) + 1 for name in names[:count]) + _WIDEST > WIDTH:
            break
        if len({tuple(row[name] for name in names[:count]) for row in rows}) == len(rows):
            return names[:count]
    return names[:_FEWEST_NAMES]


def _format_part(columns: list[str], rows: list[Row]) -> str:
    letters = ["l" if _is_name(column, rows) else "r" for column in columns]
    cells = tuple(tuple(row[column] for column in columns) for row in rows)
    return format_table(TextTable("", tuple(columns), "".join(letters), cells)).lstrip("\n")


def _is_name(column: str, rows: list[Row]) -> bool:
    """Whether a column has anything but numbers."""
    return any(not _is_number(row[column]) for row in rows)


def _is_number(text: str) -> bool:
    try:
        return not text or float(text) is not None
    except ValueError:
        return False


def _width(column: str, rows: list[Row]) -> int:
    longest = max((len(row[column]) for row in rows), default=0)
    return max(len(column), min(longest, _WIDEST))
