"""Reads the code files of repositories that are folders."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.sources.repositories import Repository, is_name
from ncsbench.sources.source_folders import find_folder
from ncsbench.sources.source_protocol import (
    JAVA_SUFFIXES,
    NOT_FOUND,
    NOT_REGULAR,
    ListedFile,
    Listing,
    SourceError,
    SourceFile,
    check_size,
    is_wanted,
    make_listing,
    make_printable,
)


@dataclass(frozen=True)
class DirectorySource:
    """One folder per repository: ``<path>/<owner>/<repo>``, or a template of both."""

    path: str
    suffixes: tuple[str, ...] = JAVA_SUFFIXES

    def list_files(self, repository: Repository) -> Listing:
        """See ``Source``; the commit is what the list says."""
        if is_name(repository):
            raise SourceError(f"a folder has no {repository.commit}: list a commit or none")
        root = self._find(repository)
        unreadable: list[OSError] = []
        files = [_look_at(root, path) for path in _find_wanted(root, unreadable, self.suffixes)]
        files += [_unreadable_folder(root, error) for error in unreadable]
        return make_listing(repository.commit, files, self.suffixes)

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """See ``Source``."""
        root = self._find(repository)
        # Only what a listing names: a path of another file is not looked for.
        present: dict[str, str] = {}
        for path in _find_wanted(root, [], self.suffixes):
            present.setdefault(make_printable(path), path)
        for path in paths:
            name = present.get(path)
            gone = SourceFile(path, None, "cannot be read (No such file or directory)")
            yield gone if name is None else _read_file(root, name)

    def _find(self, repository: Repository) -> Path:
        root = find_folder(self.path, repository)
        if not root.is_dir():
            raise SourceError(NOT_FOUND[0])
        return root


def _find_wanted(root: Path, unreadable: list[OSError], suffixes: tuple[str, ...]) -> list[str]:
    found = []
    for folder, folders, files in os.walk(root, onerror=unreadable.append):
        folders[:] = [name for name in folders if name != ".git"]
        relative = Path(folder).relative_to(root)
        paths = ((relative / name).as_posix() for name in files)
        found += [path for path in paths if is_wanted(path, suffixes)]
    return sorted(found)


def _look_at(root: Path, path: str) -> ListedFile:
    name = make_printable(path)
    try:
        status = (root / path).lstat()
    except OSError as error:
        return ListedFile(name, 0, f"cannot be read ({error.strerror})")
    regular = stat.S_ISREG(status.st_mode)
    return ListedFile(name, status.st_size, "" if regular else NOT_REGULAR)


def _read_file(root: Path, path: str) -> SourceFile:
    listed = _look_at(root, path)
    reason = listed.reason or check_size(listed.bytes)
    if reason:
        return SourceFile(listed.path, None, reason)
    try:
        return SourceFile(listed.path, (root / path).read_bytes())
    except OSError as error:
        return SourceFile(listed.path, None, f"cannot be read ({error.strerror})")


def _unreadable_folder(root: Path, error: OSError) -> ListedFile:
    path = Path(os.fsdecode(error.filename)).relative_to(root).as_posix()
    return ListedFile(f"{make_printable(path)}/", 0, f"cannot be read ({error.strerror})")
