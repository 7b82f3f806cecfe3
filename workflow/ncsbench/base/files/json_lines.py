"""Files of JSON lines, plain or gzip: an object a line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from ncsbench.errors import DataError


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and object of each line of a file of JSON lines; blank lines do not count.

    Raises:
        DataError: naming the line, where it is no JSON object, or the file cannot be read.
    """
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    found = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise DataError(f"{path}, line {number}: is no JSON ({error})") from error
                if not isinstance(found, dict):
                    raise DataError(f"{path}, line {number}: is no JSON object")
                yield number, found
    except (OSError, EOFError) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error


def take_text(where: str, entry: Mapping[str, Any], name: str, *, needed: bool = True) -> str:
    """Return a text of an object of JSON; a number is taken as the text of its digits.

    Raises:
        DataError: where it is needed and is missing or empty, and where it is no text.
    """
    value = entry.get(name)
    value = str(value) if type(value) is int else "" if value is None else value
    if not isinstance(value, str) or (needed and not value.strip()):
        raise DataError(f"{where}: field {name!r} must be {'a text' if needed else 'text or null'}")
    return value


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="\n")
    return path.open(encoding="utf-8", errors="replace", newline="\n")
