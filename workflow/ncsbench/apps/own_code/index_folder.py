"""Indexes of folders: their description ``index.json``, their lock, their seals, their places."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, TypeVar

from pydantic import Field

from ncsbench.apps.own_code.code_files import find_on_disk
from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.base.files.corpus_stamps import one_corpus
from ncsbench.base.files.run_lock import lock_folder
from ncsbench.base.files.storage import read_json, write_json
from ncsbench.base.files.temporary_files import is_temporary
from ncsbench.base.text.safe_text import show_line
from ncsbench.corpus.sources.source_protocol import make_printable
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.version import __version__

CORPUS, WORDS, RANKER = "corpus", "words", "ranker"
"""Names of the folders in the content of an index."""

ABOUT, STRUCTURE, _LOCK, _PIECES = "index.json", "structure", "lock", "pieces"
_KIND = "index of ncsbench"
_CHECKSUMS = "checksums.json"
_HASH = re.compile("[0-9a-f]{24}")
_Found = TypeVar("_Found")


class AboutIndex(StrictModel):
    """The content of ``index.json``, which is written last: the sources of an index."""

    kind: Literal["index of ncsbench"]
    """Mark that distinguishes the file from other files of that name."""
    version: str
    """Version of ncsbench."""
    folder: str
    """The folder that was indexed."""
    everything: bool
    """True where files that git ignores are in the index."""
    asked_model: str | None
    """The model that the user named; None where the user named no model."""
    model: str
    """Name of the model."""
    vectors: str | None
    """The dataset whose word vectors the model has; None without ``--vectors``."""
    ranker: RankerSpecification
    """The model's ranker."""
    seed: int
    """Seed of all random numbers."""
    files: int
    """Number of files that were read."""
    methods: int
    """Number of methods in these files."""
    left_out: dict[str, str]
    """Files and folders that were not read, with the reason."""
    doubts: dict[str, str] = Field(default_factory=dict)
    """Files that were read and may be read wrongly, with the reason."""
    others: str = ""
    """Numbers of files of other languages, which are not read, in words."""
    content: str = Field(pattern="^[0-9a-f]{24}$")
    """Name of the folder of corpus, words and ranker."""
    pieces: list[str]
    """Names of the pieces, in order."""


@dataclass(frozen=True)
class IndexFolder:
    """The folder of an index: ``index.json``, ``pieces/<name>/`` and ``<content>/``.

    The content is in ``corpus``, ``words`` and ``ranker``. ``structure/<name>/`` has the trees of a
    piece, from the first search for similar code on.
    """

    path: Path

    @property
    def pieces(self) -> Path:
        """Folder of all pieces."""
        return self.path / _PIECES

    def exists(self) -> bool:
        """Say whether an index lies here, of whatever version."""
        return self.read_raw() is not None

    def is_ours(self) -> bool:
        """Say whether only an index lies here, whole or not; an empty folder counts, too."""
        names = {entry.name for entry in self.path.iterdir()} if self.path.is_dir() else set()
        others = names - {ABOUT, STRUCTURE, _LOCK, _PIECES}
        return all(is_temporary(name) or _HASH.fullmatch(name) for name in others) and (
            ABOUT not in names or self.exists() or _PIECES in names
        )

    def read(self) -> AboutIndex:
        """Read ``index.json``.

        Raises:
            DataError: where there is no index, or it is of another version or damaged.
        """
        about = self.read_raw()
        if about is None:
            if self.is_locked():
                raise DataError(f"{self.path}: is being made; wait for its end")
            what = "is damaged" if self.is_ours() and self.pieces.exists() else "holds no index"
            raise DataError(f"{self.path}: {what}; make one: ncsbench index FOLDER")
        again = self.describe_remedy()
        if about.get("version") != __version__:
            version = show_line(str(about.get("version")))[:20]
            raise DataError(
                f"{self.path}: was made by version {version}, this is {__version__}; {again}"
            )
        try:
            return AboutIndex.parse(about, where=str(self.path / ABOUT))
        except ConfigurationError as error:
            raise DataError(f"{error}; {again}") from error

    def describe_remedy(self) -> str:
        """Say how the index is made again, or removed where its folder is gone."""
        name = str((self.read_raw() or {}).get("folder"))
        folder = find_on_disk(self.path, name)
        named = f" --index {show_line(str(self.path))}"
        if not folder.is_dir():
            return f"{show_line(name)} is gone; remove its index: ncsbench index --remove{named}"
        own = "" if place_index(folder, None) == self else named
        return f"make it again: ncsbench index {show_line(name)}{own}"

    def describe_behind(self) -> str:
        """Say that files changed since they were indexed, and the remedy."""
        return f"files changed since the index was made; {self.describe_remedy()}"

    def keep_trying(self, use: Callable[[], _Found]) -> _Found:
        """Use the index, again where this fails since the index was made anew meanwhile.

        Raises:
            DataError: of ``use``; where it names a file of the index, with the remedy.
        """
        while True:
            before = self.read_raw()
            try:
                with one_corpus():  # that of another try is another one
                    return use()
            except DataError as error:
                if self.read_raw() != before:
                    continue
                known = ("ncsbench index", "cannot be written")  # it is no damaged file
                if f"{self.path}/" not in str(error) or any(one in str(error) for one in known):
                    raise
                raise DataError(f"{error}; {self.describe_remedy()}") from error

    def read_raw(self) -> dict[str, Any] | None:
        """Read ``index.json`` of whatever version; None where it is absent or cannot be read."""
        try:
            about = read_json(self.path / ABOUT)
        except DataError:
            return None
        return about if isinstance(about, dict) and about.get("kind") == _KIND else None

    def write(self, about: AboutIndex, began: int) -> None:
        """Write ``index.json``, which makes the index whole; its time is when indexing began."""
        write_json(self.path / ABOUT, about.as_json())
        os.utime(self.path / ABOUT, ns=(began, began))

    def clean(self, about: AboutIndex | None) -> None:
        """Remove files that the index does not need: of former content, and of killed calls.

        As many former pieces as the index has stay, the latest ones: a checkout that switches back
        to another branch finds them again.

        Args:
            about: index whose files are kept; None: no file is kept, and the folder goes, too, if
                it is empty then.
        """
        kept = {about.content, *about.pieces} if about else set()
        if about:
            former = [entry for entry in self.pieces.iterdir() if entry.name not in kept]
            former.sort(key=lambda entry: (-entry.lstat().st_mtime_ns, entry.name))
            whole = [entry.name for entry in former if (entry / _CHECKSUMS).is_file()]
            kept.update(whole[: len(about.pieces)])
        for folder in (self.pieces, self.path / STRUCTURE, self.path):
            for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
                made = is_temporary(entry.name) or _HASH.fullmatch(entry.name)
                if made and entry.name not in kept:
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        if about is None:
            for path in (self.path / ABOUT, self.path / _LOCK):
                path.unlink(missing_ok=True)
            for folder in (self.pieces, self.path / STRUCTURE, self.path):
                with suppress(OSError):  # not there, or another's file is in it
                    folder.rmdir()

    def is_locked(self) -> bool:
        """Say whether a call writes here now."""
        with suppress(OSError), (self.path / _LOCK).open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def locked(self) -> IO[str]:
        """Keep other calls from writing here until the file is closed (``lock_folder``)."""
        return lock_folder(self.path, _LOCK)


def seal(folder: Path) -> None:
    """Write the checksums of all files of a folder into the folder."""
    write_json(folder / _CHECKSUMS, _describe(folder))


def is_whole(folder: Path) -> bool:
    """Say whether a folder has the files that it had when it was sealed, byte by byte."""
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


_NAME = re.compile(r"[^A-Za-z0-9._-]+")


def find_cache() -> Path:
    """Return the user's folder of indexes, which follows ``XDG_CACHE_HOME``."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    cache = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    return cache / "ncsbench" / "indexes"


def place_index(folder: Path, index: Path | None) -> IndexFolder:
    """Return the place of the index of a folder.

    Args:
        folder: the indexed folder, without links in its path.
        index: place that the user names; None for the cache.

    Raises:
        ConfigurationError: for a place inside the indexed folder, and one that holds other things.
    """
    if index is None:
        _check_name(find_cache(), "--index FOLDER keeps the index elsewhere")
        digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
        return IndexFolder(find_cache() / f"{_NAME.sub('_', folder.name)[:40]}-{digest}")
    path = index.resolve()
    _check_name(path, "name another folder")
    if path == folder or folder in path.parents:
        raise ConfigurationError(f"--index {index}: lies in the folder that is indexed")
    if path.exists() and not path.is_dir():
        raise ConfigurationError(f"--index {index}: is no folder")
    found = IndexFolder(path)
    if not found.is_ours():
        raise ConfigurationError(f"--index {index}: holds other things; name an empty folder")
    check_folder_of(found, folder)
    return found


def _check_name(path: Path, remedy: str) -> None:
    """Raise ``ConfigurationError`` where the name of an index's folder is no UTF-8."""
    name = make_printable(str(path))
    if name != str(path):
        raise ConfigurationError(f"{name}: is no UTF-8; {remedy}")


def check_folder_of(index: IndexFolder, folder: Path) -> None:
    """Raise ``ConfigurationError`` where the index is of another folder than ``folder``."""
    about = index.read_raw()
    if about is not None and about.get("folder") != make_printable(str(folder)):
        other = show_line(str(about.get("folder")))
        raise ConfigurationError(f"{index.path}: is the index of {other}; name another folder")


def find_index(index: Path | None) -> IndexFolder:
    """Find the index that answers questions.

    Args:
        index: folder of an index, or a folder that was indexed, or one inside of such a folder;
            None: the working directory.

    Raises:
        DataError: where no folder has an index.
    """
    if index is not None:
        found = IndexFolder(index.resolve())
        around = found if found.exists() else _find_around(index.resolve())
        if not (around or index.is_dir()):
            raise DataError(f"--index {index}: there is no such folder")
        return around or found
    try:
        here = Path.cwd()
    except OSError as error:
        raise DataError("the current folder is gone; go to another one") from error
    if around := _find_around(here):
        return around
    raise DataError(
        f"{here}: has no index, nor has a folder around it; make one: ncsbench index FOLDER"
    )


def _find_around(path: Path) -> IndexFolder | None:
    """Return the index of a folder, or of the nearest folder around it that has an index."""
    places = (place_index(folder, None) for folder in (path, *path.parents))
    return next((found for found in places if found.exists()), None)


def remove_index(folder: Path | None, index: Path | None) -> Path:
    """Remove the index of a folder, which may be gone, and return the place of the index.

    Args:
        folder: that was indexed; None for the working directory.
        index: place of the index if it is not in the cache; without ``folder`` it is enough.

    Raises:
        ConfigurationError: for an index of another folder.
        DataError: where there is no index, or other things lie in its folder.
    """
    path = (folder or Path()).resolve()
    found = place_index(path, None) if index is None else IndexFolder(index.resolve())
    if not found.path.is_dir() or not (found.exists() or found.pieces.is_dir()):
        raise DataError(f"{index or path}: has no index; ncsbench index --list names all")
    if not found.is_ours():
        raise DataError(f"{found.path}: holds other things, too; remove these first")
    if folder is not None:
        check_folder_of(found, path)
    with found.locked():
        found.clean(None)
    return found.path


def format_list() -> Iterator[str]:
    """Yield a line for each index of the cache: methods, model, folder and any fault."""
    cache = find_cache()
    lines = []
    for path in sorted(cache.iterdir()) if cache.is_dir() else ():
        about = IndexFolder(path).read_raw()
        if about is None:
            name = show_line(str(path))
            damaged = f"damaged; remove it: ncsbench index --remove --index {name}"
            state = "is being made" if IndexFolder(path).is_locked() else damaged
            lines.append(f"{'':>10}  {name}  ({state})")
            continue
        folder = str(about.get("folder"))
        gone = "" if find_on_disk(path, folder).is_dir() else "  (the folder is gone)"
        version = show_line(str(about.get("version")))[:20]
        other = "" if version == __version__ else f"  (of version {version})"
        model, methods = (show_line(str(about.get(name))) for name in ("model", "methods"))
        lines.append(f"{methods:>10}  {model}  {show_line(folder)}{gone}{other}")
    yield from lines or [f"no index in {cache}"]
