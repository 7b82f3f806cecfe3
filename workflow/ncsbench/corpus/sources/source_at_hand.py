"""A dataset's source as it is when the Snakefile is read, and what is remembered of its commits.

The files of a memory are made by no rule. A rule's outputs are deleted when its job is killed or
repeated; these stay, so that a branch means the same commit in every run, and that what a clone
did not have before is noticed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ncsbench.base.files.csv_tables import read_headed_rows, write_rows
from ncsbench.base.files.hashes import forget_file, hash_input
from ncsbench.base.files.storage import hash_bytes
from ncsbench.corpus.sources.collection_source import find_documents
from ncsbench.corpus.sources.folder_sources import GitSource
from ncsbench.corpus.sources.repositories import Repository, is_exact, is_name
from ncsbench.corpus.sources.source_protocol import (
    Listing,
    MissingCommitError,
    SourceError,
    SourceOptions,
    find_fixed_folder,
    find_folder,
)
from ncsbench.errors import DataError

RESOLVED = "resolved_commits.csv"
"""File of the commits that branches and ``HEAD`` mean: repository, name in the list, commit."""
MISSING = "missing_in_clones.csv"
"""File of the lacks of clones when first listed: repository, name in the list, lack in words."""
_RESOLVED_COLUMNS = ("repository", "listed", "commit")
_MISSING_COLUMNS = ("repository", "listed", "first")

Key = tuple[str, str]
"""Key of a repository: ``owner/name``, and the commit as listed."""


def key_of(repository: Repository) -> Key:
    """The key by which a repository is remembered."""
    return repository.full_name, repository.commit or ""


def read_resolved(folder: Path) -> dict[Key, str]:
    """The commits that names mean; ``DataError`` where the file is damaged."""
    read = _read(folder / RESOLVED, _RESOLVED_COLUMNS)
    resolved = {key: commit for key, (commit,) in read.items()}
    for (name, listed), commit in resolved.items():
        if not is_exact(commit):
            raise DataError(
                f"{folder / RESOLVED}: {listed} of {name} stands for {commit!r}, which is no whole "
                "commit id; mend the line or remove it"
            )
    return resolved


def read_missing(folder: Path) -> dict[Key, str]:
    """The lacks of clones when they were first listed; ``DataError`` where the file is damaged."""
    return {key: first for key, (first,) in _read(folder / MISSING, _MISSING_COLUMNS).items()}


class CommitMemory:
    """Remembers the results of one listing of all repositories."""

    def __init__(self, folder: Path, repositories: Sequence[Repository]) -> None:
        self._folder = folder
        self._listed = {key_of(one) for one in repositories}
        self._resolved = read_resolved(folder)
        self._lacks: dict[Key, str] = {}

    def note(self, repository: Repository, found: Listing | SourceError) -> None:
        """Take in the listing of one repository, or the reason why it has no listing."""
        key = key_of(repository)
        lack = str(found) if isinstance(found, MissingCommitError) else getattr(found, "lack", "")
        if lack:
            self._lacks[key] = lack
        if isinstance(found, Listing) and not is_exact(key[1]) and is_exact(found.commit or ""):
            self._resolved.setdefault(key, str(found.commit))

    def finish(self) -> None:
        """Write the commits of names and the missing files, before anything uses the listing.

        The line of an earlier lack stays also when the files have come: without it, the state of
        the source would be the one from before they came.
        """
        if self._resolved != read_resolved(self._folder):
            rows = {key: (commit,) for key, commit in self._resolved.items()}
            _write(self._folder / RESOLVED, _RESOLVED_COLUMNS, rows)
        before = read_missing(self._folder)
        first = self._lacks | {key: one for key, one in before.items() if key in self._listed}
        if first or (self._folder / MISSING).exists():
            rows = {key: (one,) for key, one in first.items()}
            _write(self._folder / MISSING, _MISSING_COLUMNS, rows)


def _read(path: Path, columns: Sequence[str]) -> dict[Key, list[str]]:
    if not path.exists():
        return {}
    header, rows = read_headed_rows(path)  # earlier versions had more columns
    if not {*columns} <= {*header}:
        raise DataError(f"{path}, line 1: the header must be {','.join(columns)!r}")
    return {(row["repository"], row["listed"]): [row[one] for one in columns[2:]] for row in rows}


def _write(path: Path, columns: Sequence[str], values: Mapping[Key, tuple[str, ...]]) -> None:
    rows = (dict(zip(columns, (*key, *some), strict=True)) for key, some in values.items())
    write_rows(path, columns, sorted(rows, key=lambda row: tuple(row.values())))
    forget_file(path)  # a person may edit it


def hash_store(folder: Path) -> str:
    """SHA-256 of the content of a store of archives: its manifest, the names of other files.

    So a file that was removed since it was damaged is fetched again.
    """
    manifest = folder / "manifest.json"
    parts = [hash_input(manifest)] if manifest.exists() else []
    came = (folder / "fetched").glob("*/*.parquet")
    parts += sorted(str(path.relative_to(folder)) for path in came)
    return hash_bytes(os.fsencode("\n".join(parts)))


@dataclass(frozen=True)
class SourceAtHand:
    """The source of a dataset, as it lies on this machine.

    Attributes:
        options: block ``source`` of the dataset file.
        repositories: those that are listed.
        memory: folder of what is remembered of commits.
        suffix: of the names of the files of a folder that count.
    """

    options: SourceOptions
    repositories: Sequence[Repository]
    memory: Path
    suffix: str = ".java"

    def hash(self) -> str:
        """A hash that changes where the files to be read may have changed.

        Of a folder it is that of the contents, also where a repository is a link to one. Of clones
        it says which are there, since a commit names its content, and what has come that was
        missing when they were listed.
        """
        if self.options.kind == "directory":
            top = hash_input(find_fixed_folder(self.options.path), self.suffix)
            linked = self._hash_linked()
            return hash_bytes("\n".join([top, *linked]).encode()) if linked else top
        if self.options.kind == "collection":
            return hash_input(find_documents(Path(self.options.path)))
        if self.options.kind == "archive":
            return hash_store(Path(self.options.path))
        folders = (str(find_folder(self.options.path, one)) for one in self.repositories)
        present = sorted(folder for folder in folders if os.path.exists(folder))  # noqa: PTH110  (thousands)
        return hash_bytes(os.fsencode("\n".join([*present, *self._find_arrived()])))

    def explain_none(self) -> str:
        """Explain why no repository can be read, with the remedy; empty where one may be."""
        unusable = is_name if self.options.kind == "directory" else lambda one: one.commit is None
        if self.options.kind in ("archive", "collection") or not self.repositories:
            return ""  # what is to be read is to be fetched, or was found already
        usable = [one for one in self.repositories if not unusable(one)]
        if any(find_folder(self.options.path, one).is_dir() for one in usable):
            return ""
        if not usable:
            wanted = "a commit" if self.options.kind == "git" else "a commit or none, no branch"
            return f"names no usable repository: source.kind {self.options.kind} needs {wanted}"
        return (
            f"none of its {len(usable)} repositories is there; the first is looked for in "
            f"{find_folder(self.options.path, usable[0])}: put it there, or change 'source.path' "
            "in the dataset file"
        )

    def _hash_linked(self) -> list[str]:
        """Names and hashes of the folders that only a link leads to from the folder of all."""
        top = str(find_fixed_folder(self.options.path))

        @cache
        def is_linked(path: str) -> bool:
            above = os.path.dirname(path)  # noqa: PTH120  (thousands)
            return path not in ("", "/", top) and (os.path.islink(path) or is_linked(above))  # noqa: PTH114

        found = ((one, find_folder(self.options.path, one)) for one in self.repositories)
        return [
            f"{one.full_name} {hash_input(folder.resolve(), self.suffix)}"
            for one, folder in found
            if is_linked(str(folder)) and folder.is_dir()
        ]

    def _find_arrived(self) -> list[str]:
        """The repositories that lack less than when first listed, and the lack of each."""
        missing = read_missing(self.memory)
        if not missing:
            return []
        source = GitSource(self.options.path, read_resolved(self.memory))
        arrived = []
        for one in self.repositories:
            first = missing.get(key_of(one))
            if first is not None:
                lacks = source.find_lack(one, first)
                if lacks != first:
                    arrived.append(f"{one.full_name} {one.commit} {lacks}".rstrip())
        return sorted(arrived)
