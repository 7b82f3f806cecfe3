"""Fingerprints of raw inputs: what counts is their content, not the times of their files.

Hashing a large input takes long, so what was hashed is remembered, with the state of the file
under which it was (size, times of writing and of change, inode).
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ncsbench.errors import DataError
from ncsbench.storage import read_json, write_json

_RACY_NANOSECONDS = 2 * 10**9
"""A file written so short ago may be written again without a later time."""


class Fingerprints:
    """SHA-256 of files and folders, remembered in a file from one run to the next."""

    def __init__(self, memory: Path) -> None:
        self._memory = memory
        self._known: dict[str, Any] = {}
        try:
            known = read_json(memory)
            self._known = known if isinstance(known, dict) else {}
        except DataError:
            pass  # none yet, or not whole: everything is hashed again
        self._seen: dict[str, Any] = {}

    def of_file(self, path: Path) -> str:
        """Hexadecimal SHA-256 of a file; ``DataError`` where it cannot be read."""
        try:
            return self._hash(path, path.stat())
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror})") from error

    def of_folder(self, folder: Path, suffix: str) -> str:
        """SHA-256 over the names and contents of all files below a folder with some suffix.

        What cannot be read, and what is no regular file, counts with its name alone. Links are
        not followed.
        """
        digest = hashlib.sha256()
        for path in sorted(_walk(folder, suffix), key=os.fsencode):
            digest.update(os.fsencode(os.path.relpath(path, folder)) + b"\0")
            digest.update(f"{self._look_at(path)}\n".encode())
        return digest.hexdigest()

    def save(self) -> None:
        """Remember what was asked for, and nothing else."""
        if self._seen != self._known:
            write_json(self._memory, self._seen)

    def _look_at(self, path: str) -> str:
        try:
            status = os.lstat(path)
            if not stat.S_ISREG(status.st_mode):
                return "not a regular file"
            return self._hash(Path(path), status)
        except OSError as error:
            return f"cannot be read ({error.strerror})"

    def _hash(self, path: Path, status: os.stat_result) -> str:
        state = [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
        name = os.fsencode(path).decode("utf-8", "backslashreplace")
        known = self._known.get(name)
        if isinstance(known, list) and known[:-1] == state and os.access(path, os.R_OK):
            self._seen[name] = known
            return str(known[-1])
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > _RACY_NANOSECONDS:
            self._seen[name] = [*state, found]
        return found


def _walk(folder: Path, suffix: str) -> Iterator[str]:
    errors: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=errors.append):
        folders[:] = sorted(name for name in folders if name != ".git")
        yield from (f"{parent}/{name}" for name in _with_suffix(files, suffix))
    # A folder without rights: once it has them, what is below it counts.
    yield from (os.fsdecode(error.filename) for error in errors if error.filename is not None)


def _with_suffix(names: Iterable[str], suffix: str) -> Iterator[str]:
    return (name for name in names if name.endswith(suffix))
