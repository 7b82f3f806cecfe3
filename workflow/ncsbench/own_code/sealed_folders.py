"""Folders whose files say by a checksum that they are what was written."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ncsbench.artifacts.storage import read_json, write_json
from ncsbench.errors import DataError

_CHECKSUMS = "checksums.json"


def seal(folder: Path) -> None:
    """Write down the checksums of all files of a folder."""
    write_json(folder / _CHECKSUMS, _describe(folder))


def is_whole(folder: Path) -> bool:
    """Whether a folder has the files that it had when it was sealed, byte by byte."""
    try:
        return bool(read_json(folder / _CHECKSUMS) == _describe(folder))
    except (DataError, OSError):
        return False


def _describe(folder: Path) -> dict[str, str]:
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != _CHECKSUMS:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            found[path.relative_to(folder).as_posix()] = digest
    return found
