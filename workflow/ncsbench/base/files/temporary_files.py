"""Names of files that are being written, and removal of such files whose process is gone."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

_HOST = re.sub(r"[^A-Za-z0-9_]", "_", platform.node())[:40] or "localhost"
_NAME = re.compile(r"\.(?P<name>.+)\.(?P<host>[A-Za-z0-9_]+)-(?P<pid>[0-9]{1,9})\.tmp", re.DOTALL)


def temporary_path(path: Path) -> Path:
    """Return the name under which this process writes the later ``path``, in the same folder."""
    return path.with_name(f".{path.name}.{_HOST}-{os.getpid()}.tmp")


def final_path(path: Path) -> Path:
    """Return the path that a temporary file, or a file in a temporary folder, gets at the end."""
    found = (_NAME.fullmatch(part) for part in path.parts)
    return Path(
        *(match["name"] if match else part for match, part in zip(found, path.parts, strict=True))
    )


def is_temporary(path: str | Path) -> bool:
    """Say whether a file is a temporary one, or lies in a temporary folder."""
    return any(_NAME.fullmatch(part) for part in Path(path).parts)


def remove_leftovers(folders: Iterable[str | Path]) -> list[Path]:
    """Remove temporary files and folders that processes of this machine left when they died.

    Files that another machine or a living process writes stay, and so do all with other names.

    Args:
        folders: folders to look at, with all that is below them; other paths are passed over.

    Returns:
        The paths that were removed, in order.
    """
    removed: set[Path] = set()
    for top in folders:
        for folder, folders_in, files_in in os.walk(top):
            leftovers = [name for name in (*folders_in, *files_in) if _is_left_over(name)]
            folders_in[:] = [name for name in folders_in if name not in leftovers]
            removed |= {path for name in leftovers if _remove(path := Path(folder, name))}
    return sorted(removed)


def _is_left_over(name: str) -> bool:
    match = _NAME.fullmatch(name)
    if match is None or match["host"] != _HOST:
        return False
    try:
        os.kill(int(match["pid"]), 0)  # asks only
    except ProcessLookupError:
        return True
    except OSError:  # a process of another user
        return False
    return False


def _remove(path: Path) -> bool:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
    return not os.path.lexists(path)
