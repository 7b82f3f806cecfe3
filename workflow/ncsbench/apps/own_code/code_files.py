"""The files of code of a folder as they lie on the disk, without files that git ignores."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ncsbench.base.text.safe_text import show_count, show_line
from ncsbench.code.definitions.languages import find_language_of
from ncsbench.corpus.sources.source_protocol import (
    MAXIMUM_BYTES,
    NOT_REGULAR,
    SourceFile,
    check_size,
    make_printable,
)
from ncsbench.errors import DataError

# Switches off programs that settings of the checkout could make git run.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_CLOSED = re.compile(rb"^warning: could not open directory '(.+)': ", re.MULTILINE)
_ESCAPED = re.compile(rb"\\x([89a-f][0-9a-f])")
_OTHERS = {
    ".scala": "Scala", ".groovy": "Groovy", ".clj": "Clojure", ".c": "C", ".cpp": "C++",
    ".cc": "C++", ".cs": "C#", ".rs": "Rust", ".swift": "Swift", ".dart": "Dart", ".lua": "Lua",
    ".ex": "Elixir", ".exs": "Elixir", ".hs": "Haskell", ".zig": "Zig", ".sh": "shell",
    ".vue": "Vue", ".svelte": "Svelte", ".m": "Objective-C",
}  # fmt: skip
_LIST = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")


def check_folder(path: Path) -> Path:
    """Return the folder without links in its path.

    Raises:
        DataError: where there is no such folder.
    """
    if not path.exists():
        raise DataError(f"{path}: there is no such folder")
    if not path.is_dir():
        raise DataError(f"{path}: is no folder; give the folder of the code")
    return path.resolve()


@dataclass(frozen=True)
class CodeFiles:
    """The files of a folder in languages that are read.

    Attributes:
        paths: of the files, relative to the folder, ascending as text.
        unreadable: folders that cannot be looked into, with the reason.
        by_git: True where files that git ignores are left out.
        others: number of files of other languages, which are not read, by language.
    """

    paths: list[str]
    unreadable: list[SourceFile]
    by_git: bool
    others: dict[str, int]

    def describe_others(self) -> str:
        """List the other languages, the most frequent first: ``417 Kotlin files and 1 Go file``."""
        counts = sorted(self.others.items(), key=lambda one: (-one[1], one[0]))
        return " and ".join(show_count(count, f"{name} file") for name, count in counts)


def find_code_files(folder: Path, *, everything: bool) -> CodeFiles:
    """Find the files below a folder in languages that are read.

    Links are not followed: a link to a file is in the list, a linked folder is not looked into.
    In a git checkout files that git ignores are left out, else hidden folders, ``node_modules`` and
    environments of Python.

    Args:
        folder: as ``check_folder`` gives it.
        everything: True where files that git ignores are taken, too.

    Raises:
        DataError: where the folder is a checkout, and git cannot say which files it ignores.
    """
    in_checkout = any((one / ".git").exists() for one in (folder, *folder.parents))
    by_git = in_checkout and not everything
    unreadable: dict[str, str] = {}
    found = _ask_git(folder, unreadable) if by_git else _walk(folder, unreadable, everything)
    every = set(found)
    paths = sorted({path for path in every if find_language_of(path)}, key=make_printable)
    lacking = [SourceFile(path, None, reason) for path, reason in sorted(unreadable.items())]
    languages = (_OTHERS.get(path[path.rfind(".") :]) for path in every)
    others = Counter(language for language in languages if language)
    return CodeFiles(paths, lacking, by_git, dict(sorted(others.items())))


def find_on_disk(folder: Path, path: str) -> Path:
    """Return the file of a path that ``make_printable`` gave, also where its name is no UTF-8."""
    full = folder / path
    if os.path.lexists(full):
        return full
    name = _ESCAPED.sub(lambda found: bytes.fromhex(found[1].decode()), os.fsencode(path))
    raw = folder / os.fsdecode(name)
    return raw if os.path.lexists(raw) else full


def read_code_file(folder: Path, path: str) -> SourceFile:
    """Read a file, or give the reason why it is left out: links and devices are never read."""
    name, full = make_printable(path), find_on_disk(folder, path)
    try:
        opened = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        reason = NOT_REGULAR if full.is_symlink() else f"cannot be read ({error.strerror})"
        return SourceFile(name, None, reason)
    try:
        status = os.fstat(opened)
        regular = stat.S_ISREG(status.st_mode)
        reason = check_size(status.st_size) if regular else NOT_REGULAR
        if reason:
            return SourceFile(name, None, reason)
        with os.fdopen(opened, "rb", closefd=False) as file:
            return SourceFile(name, file.read(MAXIMUM_BYTES))
    except OSError as error:
        return SourceFile(name, None, f"cannot be read ({error.strerror})")
    finally:
        os.close(opened)


def _walk(folder: Path, unreadable: dict[str, str], everything: bool = True) -> Iterator[str]:
    def note(error: OSError) -> None:
        path = os.path.relpath(error.filename, folder)
        unreadable[f"{make_printable(path)}/"] = f"cannot be read ({error.strerror})"

    beginning = len(os.path.join(folder, ""))  # noqa: PTH118  (a tenth of pathlib's time)
    for place, folders, files in os.walk(folder, onerror=note):
        folders[:] = [name for name in folders if name != ".git"]
        if not everything:
            folders[:] = [name for name in folders if not _is_left_out(place, name)]
        inside = os.path.join(place, "")[beginning:]  # noqa: PTH118
        yield from (f"{inside}{name}" for name in files)


def _is_left_out(place: str, name: str) -> bool:
    """Say whether a folder holds what others wrote: hidden, node_modules, or a venv of Python."""
    mark = os.path.join(place, name, "pyvenv.cfg")  # noqa: PTH118
    return name.startswith(".") or name == "node_modules" or os.path.lexists(mark)


def _ask_git(folder: Path, unreadable: dict[str, str]) -> Iterator[str]:
    """Yield existing files that git knows or does not ignore, also in checkouts inside this one."""
    # Variables that an outer git sets, for a hook for example, would name another checkout.
    environment = {key: value for key, value in os.environ.items() if key[:4] != "GIT_"}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603
            [*_GIT, "-C", str(folder), *_LIST],
            env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
    except OSError as error:
        raise DataError(f"git cannot be run ({error.strerror}); --all takes every file") from error
    if done.returncode:
        said = show_line(done.stderr.decode("utf-8", "replace"))[:200]
        raise DataError(f"{folder}: git cannot say what it ignores ({said}); --all takes all files")
    for name in _CLOSED.findall(done.stderr):
        unreadable[make_printable(name)] = "cannot be read (Permission denied)"
    for name in done.stdout.split(b"\0"):
        path = os.fsdecode(name)
        full = folder / path
        if not path or ".." in Path(path).parts:
            continue
        if path.endswith("/") or (full.is_dir() and not full.is_symlink()):
            here = (full, unreadable)
            inside = _ask_git(*here) if (full / ".git").exists() else _walk(*here)
            yield from (f"{path.rstrip('/')}/{one}" for one in inside)
        elif os.path.lexists(full) and not _has_link(folder, full.parent):
            yield path


def _has_link(folder: Path, parent: Path) -> bool:
    """Say whether a folder that git knows became a link."""
    while parent != folder:
        if parent.is_symlink():
            return True
        parent = parent.parent
    return False
