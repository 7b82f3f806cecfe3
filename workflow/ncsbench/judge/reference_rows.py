"""Streaming the rows of files of reference values: JSON lines and CSV, also compressed."""

from __future__ import annotations

import csv
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from ncsbench.errors import DataError

Row = dict[str, Any]


def read_rows(path: Path) -> Iterator[tuple[int, Row | None]]:
    """Rows of a file with their numbers from 1; None for a line that is not a JSON object."""
    is_json = ".jsonl" in path.suffixes
    try:
        with _open(path) as file:
            rows = map(_json_object, filter(str.strip, file)) if is_json else csv.DictReader(file)
            yield from enumerate(rows, 1)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _json_object(line: str) -> Row | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
