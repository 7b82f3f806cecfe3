"""CSV files that people write: a header that is asked for, and lines for messages."""

from __future__ import annotations

from pathlib import Path

from ncsbench.artifacts.csv_tables import read_records
from ncsbench.errors import DataError


def read_typed(
    path: Path, *headers: tuple[str, ...]
) -> tuple[tuple[str, ...], list[tuple[str, list[str]]]]:
    """The header of a CSV file, and its rows, each with ``file, line n`` for messages.

    Args:
        path: of the file.
        headers: what its first line may be; a message asks for the first of them.

    Raises:
        DataError: for what is no regular file in UTF-8, another header, too few or many cells.
    """
    check_text(path)
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


def check_text(path: Path) -> None:
    """Name the line that is not UTF-8, which the reader of CSV files does not.

    Raises:
        DataError: for such a line, and where the file cannot be read.
    """
    if path.exists() and not path.is_file():
        raise DataError(f"{path}: is no regular file; name a CSV file")
    try:
        data = path.read_bytes()
        data.decode("utf-8")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DataError(f"{path}, line {line}: is not UTF-8 text") from error
