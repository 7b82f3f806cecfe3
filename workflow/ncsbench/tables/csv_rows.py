"""Tables as CSV: fixed columns, one order, LF line ends."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ncsbench.errors import DataError
from ncsbench.storage import write_text

Row = dict[str, str]
"""One row of a table: the text of every column."""


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write rows that have exactly ``columns`` as CSV in UTF-8, atomically."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        if row.keys() != set(columns):
            raise ValueError(f"{path}: a row has the columns {list(row)}, not {list(columns)}")
        writer.writerow([row[column] for column in columns])
    write_text(path, text.getvalue())


def read_rows(path: Path, columns: Sequence[str]) -> list[Row]:
    """Read a CSV file that must have exactly ``columns``; ``DataError`` where it does not."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            records = [(reader.line_num, record) for record in reader]
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: is not a CSV file in UTF-8 ({error})") from error
    if not records or records[0][1] != list(columns):
        raise DataError(f"{path}, line 1: the header must be {','.join(columns)!r}")
    for line, record in records[1:]:
        if len(record) != len(columns):
            raise DataError(f"{path}, line {line}: has {len(record)} cells, not {len(columns)}")
    return [dict(zip(columns, record, strict=True)) for _, record in records[1:]]
