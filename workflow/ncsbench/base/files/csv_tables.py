"""Tables as CSV: fixed columns, one order, LF line ends."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ncsbench.base.files.hashes import check_file
from ncsbench.base.files.storage import write_text
from ncsbench.base.text.safe_text import show_cell
from ncsbench.errors import DataError

Row = dict[str, str]
"""One row of a table: the text of every column."""


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write the text of ``format_rows`` in UTF-8, atomically."""
    write_text(path, format_rows(columns, rows))


def format_rows(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Return rows that have exactly ``columns`` as CSV; ``show_cell`` makes their texts safe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        if row.keys() != set(columns):
            raise ValueError(f"a row has the columns {list(row)}, not {list(columns)}")
        writer.writerow([show_cell(row[column]) for column in columns])
    return text.getvalue()


def name_cells(columns: Sequence[str], records: Iterable[Iterable[object]]) -> list[Row]:
    """Make a row of the cells of each record, as texts by column; None becomes empty."""
    return [
        {
            column: "" if cell is None else str(cell)
            for column, cell in zip(columns, record, strict=True)
        }
        for record in records
    ]


def read_rows(path: Path, columns: Sequence[str]) -> list[Row]:
    """Read a CSV file that must have exactly ``columns``; ``DataError`` where it does not."""
    records = read_records(path)
    header = records[0][1] if records else []
    if header != list(columns):
        raise DataError(f"{path}, line 1: the header must be {','.join(columns)!r}")
    return _name_cells(path, header, records[1:])


def read_headed_rows(path: Path) -> tuple[list[str], list[Row]]:
    """Read the header and the rows of any CSV file.

    Raises:
        DataError: where the file cannot be read, its header does not name its columns, or a row
            has more or fewer cells than the header.
    """
    records = read_records(path)
    header = records[0][1] if records else []
    if not header or len(set(header)) != len(header):
        raise DataError(f"{path}, line 1: the header must name every column, each by another name")
    return header, _name_cells(path, header, records[1:])


def format_number(value: float, digits: int, *, signed: bool = False) -> str:
    """Return a number with ``digits`` decimals; a plus if ``signed``; no sign if it rounds to 0."""
    text = f"{value:{'+' if signed else ''}.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else text


def read_records(path: Path) -> list[tuple[int, list[str]]]:
    """Read each record of a CSV file: the number of its last line, and its cells.

    Raises:
        DataError: for a file that is no CSV file in UTF-8.
    """
    reader = csv.reader(io.StringIO(read_utf8(path), newline=""), strict=True)
    try:
        return [(reader.line_num, record) for record in reader]
    except csv.Error as error:
        where = f"{path}, line {reader.line_num}"
        raise DataError(f"{where}: is not a valid CSV file ({error})") from error


def _name_cells(
    path: Path, header: Sequence[str], records: Sequence[tuple[int, list[str]]]
) -> list[Row]:
    """Make rows of the records after the header."""
    for line, record in records:
        if len(record) != len(header):
            raise DataError(f"{path}, line {line}: has {len(record)} cells, not {len(header)}")
    return [dict(zip(header, record, strict=True)) for _, record in records]


def read_typed(
    path: Path, *headers: tuple[str, ...]
) -> tuple[tuple[str, ...], list[tuple[str, list[str]]]]:
    """Read the header of a CSV file, and its rows, each with ``file, line n`` for messages.

    Args:
        path: of the file.
        headers: headers that the file may have; a message asks for the first of them.

    Raises:
        DataError: for a file that is no regular file in UTF-8 or has another header, and for rows
            with too few or too many cells.
    """
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: is no regular file; name a CSV file")
    records = read_records(path)
    header = next((one for one in headers if records and records[0][1] == list(one)), None)
    if header is None:
        raise DataError(f"{path}, line 1: the header must be {','.join(headers[0])!r}")
    rows = []
    for line, cells in records[1:]:
        where = f"{path}, line {line}"
        if len(cells) != len(header):
            raise DataError(f"{where}: has {len(cells)} cells, not {len(header)}")
        rows.append((where, cells))
    return header, rows


def read_utf8(path: Path) -> str:
    """Read a text file in UTF-8 and keep its line ends.

    Raises:
        DataError: for a line that is not UTF-8, with its number; for a file that is damaged or
            cannot be read.
    """
    check_file(path)
    try:
        data = path.read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DataError(f"{path}, line {line}: is not UTF-8 text") from error
