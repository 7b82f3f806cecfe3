"""Reads, checks and orders the list of repositories, and divides it into shards."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ncsbench.errors import ConfigurationError


@dataclass(frozen=True)
class Repository:
    """One repository to read.

    ``commit`` is a hexadecimal id, ``HEAD`` or a branch; None where the source has no versions.
    """

    owner: str
    name: str
    commit: str | None

    @property
    def full_name(self) -> str:
        """``owner/name``."""
        return f"{self.owner}/{self.name}"


_COLUMNS = ("commit", "repo")
_LONGEST_BRANCH = 200
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_COMMIT = re.compile(r"[0-9a-fA-F]{7,64}")
_EXACT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
_BRANCH_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_ARCHIVE_LINK = re.compile(r"https://github\.com/([^/\s]+)/([^/\s]+)/archive/(\S+)\.zip")
_BRANCH_PREFIX = re.compile("refs/(heads|tags)/(?=.)")


@dataclass(frozen=True)
class RepositoryList:
    """Repositories in corpus order, and the lines of the list that name none.

    Attributes:
        repositories: sorted by ``owner/name``, each once: names that differ in case are the same.
        rejected: (text of the line, reason) of the lines left out.
    """

    repositories: list[Repository]
    rejected: list[tuple[str, str]]


def read_repositories(path: Path) -> RepositoryList:
    """Read a CSV file with the columns ``repo,commit``, or one archive link a line.

    A line that names no repository is set aside with its reason; a file without any is a
    ``ConfigurationError``.
    """
    text = _read_text(path)
    rows = _links(text) if _has_links(text) else _csv_rows(path, text)
    taken: dict[str, Repository] = {}
    rejected: list[tuple[str, str]] = []
    for line, name, commit in rows:
        repository, reason = check_repository(name, commit)
        if repository is None:
            rejected.append((line[:200], reason))
        elif (known := repository.full_name.lower()) in taken:  # as GitHub reads it
            rejected.append((line[:200], "listed twice, the first line counts"))
        else:
            taken[known] = repository
    if not taken:
        raise ConfigurationError(f"{path}: names no usable repository (want owner/name, commit)")
    return RepositoryList(sorted(taken.values(), key=lambda one: one.full_name), rejected)


def count_rejected(listed: RepositoryList) -> str:
    """The end of a line about a list, where some lines of the list name no repository."""
    count = len(listed.rejected)
    return f", {count:,} line{'s' * (count > 1)} of the list left out" if count else ""


def is_exact(commit: str) -> bool:
    """Say whether a listed commit is a whole id, which means the same at any time."""
    return _EXACT.fullmatch(commit) is not None


def is_name(repository: Repository) -> bool:
    """Say whether ``HEAD`` or a branch is listed."""
    return repository.commit is not None and not _COMMIT.fullmatch(repository.commit)


def _has_links(text: str) -> bool:
    """Say whether the lines are links: where the first names no columns, any link decides."""
    if text.lstrip().startswith("https://"):
        return True
    lines = text.splitlines()
    columns = {name.strip('"') for name in lines[0].split(",")} if lines else set()
    return not columns >= {*_COLUMNS} and any(_ARCHIVE_LINK.fullmatch(one.strip()) for one in lines)


def _links(text: str) -> list[tuple[str, str, str]]:
    rows = []
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _ARCHIVE_LINK.fullmatch(line)
        rows.append((line, f"{match[1]}/{match[2]}", match[3]) if match else (line, "", ""))
    return rows


def _csv_rows(path: Path, text: str) -> list[tuple[str, str, str]]:
    rows = (row for _, row in _iterate_rows(path, text.splitlines(keepends=True), _COLUMNS))
    cells = ((row["repo"] or "", row["commit"] or "") for row in rows)
    return [(f"{name},{commit}", name.strip(), commit.strip()) for name, commit in cells]


def iterate_list(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str | None]]]:
    """The rows of a list of repositories with their last line, in CSV with at least some columns.

    Raises:
        ConfigurationError: where the file cannot be read, or lacks a column.
    """
    return _iterate_rows(path, io.StringIO(_read_text(path), newline=""), columns)


def _iterate_rows(
    path: Path, lines: Iterable[str], columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, str | None]]]:
    reader = csv.DictReader(lines)
    try:
        names = reader.fieldnames or []
        if missing := [name for name in columns if name not in names]:
            raise ConfigurationError(
                f"{path}: has no column {missing[0]!r}; "
                f"the first line names {', '.join(names) or 'nothing'}"
            )
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise ConfigurationError(f"{path}: line {reader.reader.line_num}: {error}") from error


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: is not UTF-8 text ({error.reason})") from error


def check_repository(name: str, commit: str) -> tuple[Repository | None, str]:
    """The repository that a line of a list names, or None and the reason why it names none."""
    owner, _, repository = name.partition("/")
    if not all(_NAME.fullmatch(part) and part.strip(".") for part in (owner, repository)):
        return None, "is not owner/name"
    if prefix := _BRANCH_PREFIX.match(commit):
        commit = commit[prefix.end() :]
        if _HEXADECIMAL.fullmatch(commit):
            return None, "the name of the branch could be a commit: list its commit"
    if _COMMIT.fullmatch(commit):
        commit = commit.lower()
    elif commit and not _is_branch(commit):
        return None, "the commit is neither a hexadecimal id of 7 to 64 digits nor HEAD or a branch"
    return Repository(owner, repository, commit or None), ""


def _is_branch(name: str) -> bool:
    """Say whether a name is ``HEAD`` or one that git allows for a branch; rarer ones are refused.

    A name of hexadecimal digits alone is an id: a branch of such a name must be listed by its
    commit.
    """
    return (
        len(name) <= _LONGEST_BRANCH
        and not _HEXADECIMAL.fullmatch(name)
        and all(
            _BRANCH_PART.fullmatch(part) and ".." not in part and not part.endswith((".", ".lock"))
            for part in name.split("/")
        )
    )
