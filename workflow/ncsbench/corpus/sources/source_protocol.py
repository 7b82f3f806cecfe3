"""The interface of a source of code files: repositories are listed first, then files are read.

The ends of their names say which files are code; the default is Java's. A file is read by the name
that its listing gave. Repositories are hostile input: nothing in them is executed, no link is
followed, no network is used, and a file that cannot be read gets a line in the ledger with the
reason.

Repositories are hostile input: nothing in them is executed, no link is followed, no network is
used, and a file that cannot be read gets a line in the ledger with the reason.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.corpus.sources.repositories import Repository

MAXIMUM_BYTES = 5 * 2**20
"""Code files above this size (generated tables, as a rule) are left out and recorded."""

JAVA_SUFFIXES = (".java",)
"""Endings of the names of Java files."""

NOT_FOUND = ("folder not found", "clone not found")
"""Reasons in the ledger for a repository that is absent, by kind of source."""

NOT_REGULAR = "not a regular file"
_LICENCE = re.compile(r"(licen[sc]e|copying|unlicense)[^/]*", re.IGNORECASE)


class SourceError(Exception):
    """A repository that cannot be read; the message becomes its line in the ledger."""


class MissingCommitError(SourceError):
    """A clone that lacks the listed commit, or cannot be read, but may later."""


@dataclass(frozen=True)
class ListedFile:
    """One file of a repository.

    Attributes:
        path: below the folder of the repository, as ``make_printable`` has it.
        bytes: its size; 0 where it is not known.
        reason: why it is left out; empty for a file that can be read.
    """

    path: str
    bytes: int
    reason: str = ""


@dataclass(frozen=True)
class Listing:
    """The contents of a repository.

    Attributes:
        commit: the commit that the listed name means, in full where the source has versions;
            None where the files belong to no commit.
        files: code files, also those that are left out, by ascending path, each path once
            without a reason.
        licences: licence files of the root folder (``LICENSE*``, ``LICENCE*``, ``COPYING*``,
            ``UNLICENSE*`` in any case), likewise.
        remark: remark of the ledger on a repository that was read nevertheless.
        lack: files of the commit that a clone does not have and may get later, in words.
    """

    commit: str | None
    files: tuple[ListedFile, ...]
    licences: tuple[ListedFile, ...] = ()
    remark: str = ""
    lack: str = ""


@dataclass(frozen=True)
class SourceFile:
    """One file: its bytes, or the reason why it is left out."""

    path: str
    data: bytes | None
    reason: str = ""


class Source(Protocol):
    """The source of the files of a dataset's repositories."""

    def list_files(self, repository: Repository) -> Listing:
        """The code and licence files; ``SourceError`` where there is no repository."""

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """Files by name, in the order asked for; one that is not there has the reason.

        Args:
            repository: as listed.
            commit: as ``list_files`` gave it.
            paths: of files that ``list_files`` named without a reason.

        Raises:
            SourceError: where there is no repository.
        """


def make_listing(
    commit: str | None, files: Iterable[ListedFile], suffixes: tuple[str, ...] = JAVA_SUFFIXES
) -> Listing:
    """The listing of a repository from those of its files that are wanted, in any order.

    A hostile tree can name a path twice, and two paths can be the same as text: the first counts.
    """
    code: list[ListedFile] = []
    licences: list[ListedFile] = []
    seen: set[str] = set()
    for file in sorted(files, key=lambda one: one.path):
        twin = "another file has this path" if file.path in seen else ""
        seen.add(file.path)
        told = replace(file, reason=twin or file.reason or check_size(file.bytes))
        (licences if is_licence(file.path, suffixes) else code).append(told)
    return Listing(commit, tuple(code), tuple(licences))


def is_licence(path: str, suffixes: tuple[str, ...] = JAVA_SUFFIXES) -> bool:
    """Say whether a path is that of a licence file of the root folder, and not of code."""
    return _LICENCE.fullmatch(path) is not None and not path.endswith(suffixes)


def is_wanted(path: str, suffixes: tuple[str, ...] = JAVA_SUFFIXES) -> bool:
    """Say whether a path is that of a code file or of a licence file of the root folder."""
    return path.endswith(suffixes) or is_licence(path, suffixes)


def check_size(size: int) -> str:
    """Give the reason to leave out a file of this size; empty where it may stay."""
    return "" if size <= MAXIMUM_BYTES else f"too large ({size} bytes, at most {MAXIMUM_BYTES})"


def make_printable(path: str | bytes) -> str:
    """A path as text that can be stored; bytes that are no UTF-8 become backslash escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class SourceOptions(StrictModel):
    """The source of the Java files; the block ``source`` of a dataset file."""

    kind: Literal["directory", "git", "archive", "collection"]
    """``directory``: one folder ``<path>/<owner>/<repo>`` each; ``git``: local clones, bare or with
    .git inside, read at the listed commit; ``archive``: a store of archives (docs/corpus.md);
    ``collection``: a folder in BEIR's layout, whose documents take the place of methods, in any
    language (docs/gold.md)."""
    path: str = ""
    """The folder, or for ``git`` a template with ``{owner}`` and ``{repo}``; for ``archive`` the
    folder of the store, ``data/stores/<name of the dataset>`` where it is not given."""


class ListSettings(StrictModel):
    """Settings of the stages ``list_files`` and ``licences``."""

    repositories: str
    """The list of repositories."""
    source: SourceOptions
    """The source of the repositories' files."""


def find_fixed_folder(template: str) -> Path:
    """The folder that a path template names for every owner: the folders before a placeholder.

    ``sources/of-{owner}/{repo}`` gives ``sources``; a path without a placeholder is given whole.
    """
    start, brace, _ = template.partition("{")
    return Path(start + "x").parent if brace else Path(template)


def find_folder(path: str, repository: Repository) -> Path:
    """The folder of a repository: ``<path>/<owner>/<repo>``, or a template filled in."""
    template = path if "{" in path else f"{path}/{{owner}}/{{repo}}"
    return Path(template.replace("{owner}", repository.owner).replace("{repo}", repository.name))
