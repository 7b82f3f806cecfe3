"""What is remembered of commits from one listing to the next, in files that no rule makes.

A rule's outputs are deleted when its job is killed or repeated; these files stay, so that a branch
means the same commit in every run, and that what a clone did not have before is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ncsbench.artifacts.csv_tables import read_headed_rows, write_rows
from ncsbench.artifacts.hashes import forget_file
from ncsbench.errors import DataError
from ncsbench.sources.repositories import Repository, is_exact
from ncsbench.sources.source_protocol import Listing, MissingCommitError

if TYPE_CHECKING:  # it takes long, and this is imported when the Snakefile is read
    from ncsbench.sources.inventory import Listed

RESOLVED = "resolved_commits.csv"
"""What branches and ``HEAD`` stand for: repository, name in the list, commit."""
MISSING = "missing_in_clones.csv"
"""Lacks of clones when they were listed first: repository, name in the list, lack in words."""
_RESOLVED_COLUMNS = ("repository", "listed", "commit")
_MISSING_COLUMNS = ("repository", "listed", "first")

Key = tuple[str, str]
"""``owner/name``, and the commit as listed."""


def key_of(repository: Repository) -> Key:
    """What a repository is remembered by."""
    return repository.full_name, repository.commit or ""


def read_resolved(folder: Path) -> dict[Key, str]:
    """The commits that names stand for; ``DataError`` where the file was spoilt."""
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
    """Read what clones lacked when listed first; ``DataError`` where the file was spoilt."""
    return {key: first for key, (first,) in _read(folder / MISSING, _MISSING_COLUMNS).items()}


class CommitMemory:
    """Remembers what one listing of all repositories finds out."""

    def __init__(self, folder: Path, repositories: Sequence[Repository]) -> None:
        self._folder = folder
        self._listed = {key_of(one) for one in repositories}
        self._resolved = read_resolved(folder)
        self._lacks: dict[Key, str] = {}

    def note(self, some: Sequence[Listed]) -> None:
        """Write down what the names of some repositories stand for, before anything uses it."""
        known = len(self._resolved)
        for one in some:
            key, found = key_of(one.repository), one.listing
            if isinstance(found, MissingCommitError):
                self._lacks[key] = str(found)
            elif isinstance(found, Listing) and found.lack:
                self._lacks[key] = found.lack
            if isinstance(found, Listing) and not is_exact(key[1]):
                if is_exact(found.commit or ""):
                    self._resolved.setdefault(key, str(found.commit))
        if len(self._resolved) > known:
            rows = {key: (commit,) for key, commit in self._resolved.items()}
            _write(self._folder / RESOLVED, _RESOLVED_COLUMNS, rows)

    def finish(self) -> None:
        """Write down what is missing; what was missing before and is not stays.

        If it went, the state of the source would be the one from before it came.
        """
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
