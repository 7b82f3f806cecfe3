"""Where an index of a folder lies, what it says of itself, and which there are."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from ncsbench.artifacts.storage import read_json, write_json
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.text.safe_text import show_line
from ncsbench.version import __version__

CORPUS, WORDS, RANKER = "corpus", "words", "ranker"
"""Folders of the content of an index."""

_ABOUT, _LOCK = "index.json", "lock"
_NAME = re.compile(r"[^A-Za-z0-9._-]+")


class AboutIndex(StrictModel):
    """``index.json``, which is written last: what an index was made from."""

    version: str
    """Of ncsbench."""
    folder: str
    """The folder that was indexed."""
    everything: bool
    """Whether files that git ignores are in it."""
    asked_model: str | None
    """The model that the user named; None: the one for so many methods."""
    model: str
    """Name of the model."""
    vectors: str | None
    """The dataset whose vectors it has."""
    ranker: RankerSpecification
    """How it ranks."""
    seed: int
    """Of everything that draws."""
    files: int
    """Java files that were read."""
    methods: int
    """Their methods."""
    left_out: dict[str, int]
    """Files that were not read, by reason."""
    content: str = Field(pattern="^[0-9a-f]{24}$")
    """Names the folder of corpus, words and ranker."""
    pieces: list[str]
    """Names of the pieces, in order."""


@dataclass(frozen=True)
class IndexFolder:
    """``index.json``, ``pieces/<name>/``, ``<content>/`` with ``corpus``, ``words``, ``ranker``."""

    path: Path

    @property
    def pieces(self) -> Path:
        """Folder of all pieces."""
        return self.path / "pieces"

    def content(self, name: str) -> Path:
        """Folder of corpus, words and ranker."""
        return self.path / name

    def exists(self) -> bool:
        """Whether an index lies here, of whatever version."""
        return (self.path / _ABOUT).is_file()

    def read(self) -> AboutIndex:
        """What the index says of itself.

        Raises:
            DataError: where there is none, or of another version.
        """
        if not self.exists():
            raise DataError(f"{self.path}: holds no index; make one: ncsbench index FOLDER")
        about = self.read_raw()
        if about.get("version") != __version__:
            raise DataError(
                f"{self.path}: was made by version {str(about.get('version'))[:20]}, this is "
                f"{__version__}; make it again: ncsbench index {about.get('folder', 'FOLDER')}"
            )
        try:
            return AboutIndex.parse(about, where=str(self.path / _ABOUT))
        except ConfigurationError as error:
            raise DataError(f"{error}; remove {self.path} and make the index again") from error

    def read_raw(self) -> dict[str, Any]:
        """The same, unchecked; ``DataError`` where it is no such file."""
        about = read_json(self.path / _ABOUT)
        if not isinstance(about, dict):
            raise DataError(f"{self.path / _ABOUT}: is damaged; remove {self.path}")
        return about

    def write(self, about: AboutIndex) -> None:
        """Say that the index is whole."""
        write_json(self.path / _ABOUT, about.as_json())

    def clean(self, about: AboutIndex) -> None:
        """Remove what the index does not need: of former content, and of killed calls."""
        for folder, kept in ((self.path, {about.content}), (self.pieces, set(about.pieces))):
            for entry in folder.iterdir():
                named = entry.name in {_ABOUT, _LOCK, "pieces"} and folder == self.path
                if not named and entry.name not in kept:
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()

    def remove(self) -> None:
        """Remove the index, the line that says it is one first."""
        with self.locked():
            (self.path / _ABOUT).unlink()
            shutil.rmtree(self.path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other calls from writing here; ``DataError`` where one does."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / _LOCK).open("a")
        except OSError as error:
            raise DataError(f"{self.path}: cannot be written ({error.strerror})") from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise DataError(f"{self.path}: another call works on this index") from error
            yield


def find_cache() -> Path:
    """The user's folder of indexes, by ``XDG_CACHE_HOME``."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    cache = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    return cache / "ncsbench" / "indexes"


def place_index(folder: Path, index: Path | None) -> IndexFolder:
    """Where the index of a folder goes.

    Args:
        folder: the indexed one, without links in its path.
        index: where the user wants it; None for the cache.

    Raises:
        ConfigurationError: for a place inside the indexed folder, and one that holds other things.
    """
    if index is None:
        digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
        return IndexFolder(find_cache() / f"{_NAME.sub('_', folder.name)[:40]}-{digest}")
    path = index.resolve()
    if path == folder or folder in path.parents:
        raise ConfigurationError(f"--index {index}: lies in the folder that is indexed")
    found = IndexFolder(path)
    if path.exists() and not path.is_dir():
        raise ConfigurationError(f"--index {index}: is no folder")
    if path.exists() and not found.exists() and not (path / _LOCK).exists() and any(path.iterdir()):
        raise ConfigurationError(f"--index {index}: holds other things; name an empty folder")
    if found.exists() and (other := found.read_raw().get("folder")) != str(folder):
        raise ConfigurationError(f"--index {index}: is the index of {other}; name another folder")
    return found


def find_index(here: Path, index: Path | None) -> IndexFolder:
    """The index that a question is asked of.

    Args:
        here: where the user stands.
        index: the one that was named; None for that of the nearest folder around ``here``.

    Raises:
        DataError: where there is none.
    """
    if index is not None:
        return IndexFolder(index)
    here = here.resolve()
    for folder in (here, *here.parents):
        found = place_index(folder, None)
        if found.exists():
            return found
    raise DataError(
        f"{here}: has no index, nor has a folder around it; make one: ncsbench index FOLDER"
    )


def list_indexes() -> list[tuple[IndexFolder, dict[str, Any]]]:
    """The indexes of the cache with what they say of themselves, by folder."""
    found = [IndexFolder(path) for path in sorted(find_cache().glob("*"))]
    told = [(one, one.read_raw()) for one in found if one.exists()]
    return sorted(told, key=lambda one: str(one[1].get("folder")))


def find_removable(folder: Path | None, index: Path | None) -> IndexFolder:
    """The index that is to be removed, of a folder that may be gone.

    Raises:
        ConfigurationError: where neither is named.
        DataError: where there is no index.
    """
    if folder is None and index is None:
        raise ConfigurationError("name the folder: ncsbench index --remove PATH")
    found = (
        IndexFolder(index) if index is not None else place_index((folder or Path()).resolve(), None)
    )
    if not found.exists():
        raise DataError(f"{index or folder}: has no index; ncsbench index --list names all")
    return found


def format_list() -> Iterator[str]:
    """A line for each index of the cache: methods, model, folder; and whether that is gone."""
    found = list_indexes()
    if not found:
        yield f"no index in {find_cache()}"
    for index, about in found:
        folder = show_line(str(about.get("folder")))
        gone = "" if Path(str(about.get("folder"))).is_dir() else "  (the folder is gone)"
        other = (
            ""
            if about.get("version") == __version__
            else f"  (of version {show_line(str(about.get('version')))[:20]})"
        )
        methods = about.get("methods")
        yield f"{methods!s:>10}  {show_line(str(about.get('model')))}  {folder}{gone}{other}"
        del index
