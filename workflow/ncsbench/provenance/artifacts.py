"""Hashes and sizes of the files and folders that jobs read and make."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from ncsbench.checksums import known_hash
from ncsbench.errors import DataError
from ncsbench.provenance.lineage import FILE, FOLDER, GONE, Artifact, Part
from ncsbench.safe_text import show_visibly

_MARKS = frozenset({".snakemake_timestamp"})
"""Files that Snakemake puts into folders; they are empty and their time is what counts."""


def describe_artifact(path: str) -> Artifact:
    """Hash and size of what lies at a path now; kind ``GONE`` where nothing does.

    Raises:
        DataError: where it cannot be read, or is neither a file nor a folder.
    """
    place = Path(path)
    try:
        if place.is_dir():
            parts = tuple(_describe_part(place, name) for name in _list_files(place))
            size = sum(part.size for part in parts)
            return Artifact(path, FOLDER, hash_parts(parts), size, parts)
        if place.is_file():
            return Artifact(path, FILE, known_hash(place), place.stat().st_size)
        if place.exists():
            raise DataError(f"{path}: is neither a file nor a folder")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    return Artifact(path, GONE)


def hash_parts(parts: Iterable[Part]) -> str:
    """SHA-256 over one line ``<sha256>  <name>`` per file, in the order of the names."""
    digest = hashlib.sha256()
    for part in sorted(parts, key=lambda part: part.name):
        digest.update(f"{part.sha256}  {part.name}\n".encode())
    return digest.hexdigest()


def _describe_part(folder: Path, name: str) -> Part:
    place = folder / name
    return Part(show_visibly(name), known_hash(place), place.stat().st_size)


def _list_files(folder: Path) -> list[str]:
    """Regular files below a folder, sorted."""
    found = []
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            place = Path(parent) / name
            if name not in _MARKS and place.is_file():
                found.append(place.relative_to(folder).as_posix())
    return sorted(found)
