"""Hashes and sizes of the files and folders that jobs read and make."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from ncsbench.artifacts.hashes import FOLDER_FLAG, known_hash
from ncsbench.errors import DataError
from ncsbench.provenance.lineage import Artifact, Part
from ncsbench.text.safe_text import show_visibly


def describe_artifact(path: str) -> Artifact:
    """Hash and size of what lies at a path now; kind ``gone`` where nothing does.

    Raises:
        DataError: where it cannot be read, or is neither a file nor a folder.
    """
    place = Path(path)
    try:
        if place.is_dir():
            parts = {
                show_visibly(name): _describe_part(place / name) for name in _list_files(place)
            }
            size = sum(part.size for part in parts.values())
            return Artifact("folder", hash_parts(parts), size, parts)
        if place.is_file():
            return Artifact("file", known_hash(place), place.stat().st_size)
        if place.exists():
            raise DataError(f"{path}: is neither a file nor a folder")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    return Artifact("gone")


def hash_parts(parts: Mapping[str, Part]) -> str:
    """SHA-256 over one line ``<sha256>  <name>`` per file, in the order of the names."""
    lines = [f"{part.sha256}  {name}\n" for name, part in sorted(parts.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _describe_part(place: Path) -> Part:
    return Part(known_hash(place), place.stat().st_size)


def _list_files(folder: Path) -> list[str]:
    """Regular files below a folder, sorted."""
    found = [Path(parent) / name for parent, _, names in os.walk(folder) for name in names]
    files = [place for place in found if place.name != FOLDER_FLAG and place.is_file()]
    return sorted(place.relative_to(folder).as_posix() for place in files)
