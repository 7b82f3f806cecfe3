"""Where the indexes of folders lie, and which there are."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.own_code.index_folder import IndexFolder
from ncsbench.own_code.java_files import find_on_disk
from ncsbench.sources.source_protocol import make_printable
from ncsbench.text.safe_text import show_line
from ncsbench.version import __version__

_NAME = re.compile(r"[^A-Za-z0-9._-]+")


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
    """``ConfigurationError`` where the name of an index's folder is no UTF-8."""
    name = make_printable(str(path))
    if name != str(path):
        raise ConfigurationError(f"{name}: is no UTF-8; {remedy}")


def check_folder_of(index: IndexFolder, folder: Path) -> None:
    """``ConfigurationError`` for the index of another folder."""
    about = index.read_raw()
    if about is not None and about.get("folder") != make_printable(str(folder)):
        other = show_line(str(about.get("folder")))
        raise ConfigurationError(f"{index.path}: is the index of {other}; name another folder")


def find_index(index: Path | None) -> IndexFolder:
    """The index that a question is asked of.

    Args:
        index: folder of an index, or one that has an index, or stands in one that has; None: the
            folder one stands in.

    Raises:
        DataError: where there is none.
    """
    if index is not None:
        found = IndexFolder(index.resolve())
        if found.exists():
            return found
        if around := _find_around(index.resolve()):
            return around
        if not index.is_dir():
            raise DataError(f"--index {index}: there is no such folder")
        return found
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
    """The index of a folder, or of the nearest one around it that has one."""
    places = (place_index(folder, None) for folder in (path, *path.parents))
    return next((found for found in places if found.exists()), None)


def remove_index(folder: Path | None, index: Path | None) -> Path:
    """Remove the index of a folder, which may be gone; where it lay.

    Args:
        folder: that was indexed.
        index: where its index lies, if not in the cache; alone, it names the index.

    Raises:
        ConfigurationError: where neither is named, and for an index of another folder.
        DataError: where there is no index, or other things lie in its folder.
    """
    if index is not None:
        found = IndexFolder(index.resolve())
    elif folder is not None:
        found = place_index(folder.resolve(), None)
    else:
        raise ConfigurationError("name the folder: ncsbench index --remove PATH")
    if not found.path.is_dir() or not (found.exists() or found.pieces.is_dir()):
        raise DataError(f"{index or folder}: has no index; ncsbench index --list names all")
    if not found.is_ours():
        raise DataError(f"{found.path}: holds other things, too; remove these first")
    if folder is not None:
        check_folder_of(found, folder.resolve())
    with found.locked():
        found.clean(None)
    return found.path


def format_list() -> Iterator[str]:
    """A line for each index of the cache: methods, model, folder; and what is wrong with it."""
    cache = find_cache()
    lines = []
    for path in sorted(cache.iterdir()) if cache.is_dir() else ():
        about = IndexFolder(path).read_raw()
        if about is None and IndexFolder(path).is_locked():
            lines.append(f"{'':>10}  {show_line(str(path))}  (is being made)")
            continue
        if about is None:
            lines.append(f"{'':>10}  {show_line(str(path))}  (damaged; remove it: ncsbench index "
                         f"--remove --index {show_line(str(path))})")  # fmt: skip
            continue
        folder = str(about.get("folder"))
        gone = "" if find_on_disk(path, folder).is_dir() else "  (the folder is gone)"
        version = show_line(str(about.get("version")))[:20]
        other = "" if version == __version__ else f"  (of version {version})"
        model = show_line(str(about.get("model")))
        methods = show_line(str(about.get("methods")))
        lines.append(f"{methods:>10}  {model}  {show_line(folder)}{gone}{other}")
    yield from lines or [f"no index in {cache}"]
