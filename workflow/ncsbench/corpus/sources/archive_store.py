"""The store of archives: a fetched archive stays, whatever ends the process that fetches.

A store is one folder, outside what rules make:

- ``fetched/<owner>/<repo>@<commit>.parquet``: the files of a repository;
- ``missing/<owner>/<repo>@<commit>.json``: why a repository cannot be had;
- ``manifest.json``: what was sealed, of one list.

Every file is whole or absent, and depends on nothing but the list and the archive. Where a disk or
an editor damaged one, a line says what to remove, and what that costs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, ValidationError

from ncsbench.base.files.hashes import forget_file
from ncsbench.base.files.storage import (
    hash_bytes,
    iterate_row_groups,
    read_json,
    remove_leftovers,
    write_json,
    write_tables,
)
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_protocol import ListedFile, Listing
from ncsbench.corpus.sources.zip_archives import Archive
from ncsbench.errors import DataError

Origin = Literal["archive", "software_heritage"]
"""Origin of an archive: the listed link or a mirror of it, or Software Heritage."""

STORE_SCHEMA = pa.schema(
    [
        pa.field("repository", pa.string(), nullable=False),
        pa.field("listed", pa.string()),
        pa.field("commit", pa.string()),
        pa.field("origin", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("path", pa.string()),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("sha256", pa.string()),
        pa.field("reason", pa.string()),
        pa.field("data", pa.binary()),
    ]
)
"""Of each repository a row ``repository`` (``path`` null, ``reason`` a remark), its ``java`` files
and its ``licence`` files, by ascending path. ``listed`` is the commit as the list has it,
``commit`` the one that the archive is of. A file that is left out has a reason and neither
``sha256`` nor ``data``."""

_LONGEST_NAME = 64
"""Most characters of a commit in the name of a file: with those of a repository, and of the machine
that writes it, 255 bytes at most."""
_GROUP_BYTES = 8 * 2**20
_GROUP_ROWS = 4096
_ABOUT = [name for name in STORE_SCHEMA.names if name != "data"]


def tabulate_archive(
    repository: Repository, archive: Archive, origin: Origin
) -> Iterator[pa.Table]:
    """The rows of a repository, in tables that become a row group each.

    Where the tables end depends on the rows alone. One member is in memory beside a table.

    Raises:
        ArchiveError: for a member that is damaged.
    """
    listing = archive.listing
    about = {
        "repository": repository.full_name,
        "listed": repository.commit,
        "commit": listing.commit,
        "origin": origin,
    }
    rows = [about | {"kind": "repository", "bytes": 0, "reason": listing.remark or None}]
    held = 0
    for kind, files in (("java", listing.files), ("licence", listing.licences)):
        for file in files:
            row = about | {"kind": kind} | _read_file(archive, file)
            rows.append(row)
            held += len(row["data"] or b"")
            if held >= _GROUP_BYTES or len(rows) >= _GROUP_ROWS:
                yield pa.Table.from_pylist(rows, STORE_SCHEMA)
                rows, held = [], 0
    if rows:
        yield pa.Table.from_pylist(rows, STORE_SCHEMA)


def _read_file(archive: Archive, file: ListedFile) -> dict[str, Any]:
    if file.reason:
        return {"path": file.path, "bytes": file.bytes, "reason": file.reason, "data": None}
    data = archive.read(file.path)
    return {"path": file.path, "bytes": len(data), "sha256": hash_bytes(data), "data": data}


@dataclass(frozen=True)
class StoredRepository:
    """The content of a repository's file in the store, without the bytes of its files.

    Attributes:
        listed: its commit as listed.
        origin: origin of its archive.
        listing: its files, with the commit that the archive is of.
        hashes: SHA-256 of every file that has bytes, by path.
        groups: the row group of every file that has bytes, by path.
    """

    listed: str | None
    origin: str
    listing: Listing
    hashes: dict[str, str]
    groups: dict[str, int]

    def summarise(self) -> dict[str, Any]:
        """The repository's part of the manifest.

        ``digest`` is one of all files: path, size, and SHA-256 or the reason why it is left out.
        """
        digest = hashlib.sha256()
        for file in (*self.listing.files, *self.listing.licences):
            # No field contains a NUL, but for paths that are unsafe: fields cannot be confused.
            about = file.reason or self.hashes[file.path]
            digest.update(f"{file.path}\0{file.bytes}\0{about}\0".encode())
        java = [file for file in self.listing.files if not file.reason]
        return {
            "listed": self.listed,
            "commit": self.listing.commit,
            "origin": self.origin,
            "remark": self.listing.remark,
            "java_files": len(java),
            "java_bytes": sum(file.bytes for file in java),
            "left_out": len(self.listing.files) - len(java),
            "licences": len(self.listing.licences),
            "digest": digest.hexdigest(),
        }


def read_stored(path: Path) -> StoredRepository:
    """Read a repository's file in the store; ``DataError`` where the file is damaged."""
    try:
        rows = [
            row | {"group": group}
            for group, table in iterate_row_groups(path, STORE_SCHEMA, _ABOUT)
            for row in table.to_pylist()
        ]
        first, files = rows[0], rows[1:]
        listed: dict[str, list[ListedFile]] = {"java": [], "licence": []}
        for row in files:
            listed[row["kind"]].append(ListedFile(row["path"], row["bytes"], row["reason"] or ""))
        whole = [row for row in files if row["sha256"] is not None]
        return StoredRepository(
            listed=first["listed"],
            origin=first["origin"],
            listing=Listing(
                first["commit"],
                tuple(listed["java"]),
                tuple(listed["licence"]),
                first["reason"] or "",
            ),
            hashes={row["path"]: row["sha256"] for row in whole},
            groups={row["path"]: row["group"] for row in whole},
        )
    except DataError as error:
        raise damaged_file(path, str(error).removeprefix(f"{path}: ")) from error
    except (LookupError, ValueError) as error:  # of rows that nobody wrote
        raise damaged_file(path, "its rows are not what was written") from error


def damaged_file(path: Path, what: str) -> DataError:
    """Make the error for a file of the store that has other bytes than were written."""
    return DataError(
        f"{path}: is damaged: {what}; remove this file, and the next run fetches again what it held"
    )


class _Held(BaseModel):
    model_config = ConfigDict(strict=True)
    listed: str | None
    commit: str | None


class _Manifest(BaseModel):
    model_config = ConfigDict(strict=True)
    missing: dict[str, str]
    not_fetched: list[str] = []
    repositories: dict[str, _Held]


class _Note(BaseModel):
    model_config = ConfigDict(strict=True)
    reason: str


def read_manifest(path: Path) -> dict[str, Any]:
    """Read the manifest that ``ArchiveStore.seal`` wrote.

    Raises:
        DataError: where the file is not there or damaged, with the remedy.
    """
    remedy = "the next run that fetches makes it again"
    return _read(path, _Manifest, remedy)


def read_note(path: Path) -> str:
    """Read the reason why a repository cannot be had; errors as of ``read_manifest``."""
    remedy = "the next run asks for this repository again"
    return str(_read(path, _Note, remedy)["reason"])


def _read(path: Path, shape: type[BaseModel], remedy: str) -> dict[str, Any]:
    try:
        value: dict[str, Any] = read_json(path)
        shape.model_validate(value)
    except DataError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise
        raise DataError(f"{error}; remove it, and {remedy}") from error
    except ValidationError as error:
        raise DataError(f"{path}: is not what was written; remove it, and {remedy}") from error
    return value


def stored_path(folder: Path, repository: Repository) -> Path:
    """The file of a repository in a store."""
    return _path_of(folder, repository, "fetched", "parquet")


def note_path(folder: Path, repository: Repository) -> Path:
    """The note on why a repository cannot be had."""
    return _path_of(folder, repository, "missing", "json")


def _path_of(folder: Path, repository: Repository, kind: str, suffix: str) -> Path:
    commit = quote(repository.commit or "", safe="")
    if len(commit) > _LONGEST_NAME:
        commit = hash_bytes(commit.encode())
    return folder / kind / repository.owner / f"{repository.name}@{commit}.{suffix}"


class ArchiveStore:
    """The fetched repositories of one list; threads may add different repositories."""

    def __init__(self, folder: Path, repositories: Sequence[Repository]) -> None:
        """Open a store, which need not be there yet.

        Args:
            folder: of the store.
            repositories: of the list, in corpus order, each name once.

        Raises:
            DataError: where its manifest is damaged.
        """
        self._folder = folder
        self._repositories = list(repositories)
        manifest = folder / "manifest.json"
        self._sealed = read_manifest(manifest)["repositories"] if manifest.exists() else {}

    def has(self, repository: Repository) -> bool:
        """Say whether the store has the files of a repository."""
        return stored_path(self._folder, repository).exists()

    def commit_to_fetch(self, repository: Repository) -> str | None:
        """The commit as listed, or the one that a listed name meant when it was fetched before.

        So a branch stays the same commit where the file that held it was damaged and removed.
        """
        sealed = self._sealed.get(repository.full_name, {"listed": None, "commit": None})
        same = sealed["listed"] == repository.commit
        return (sealed["commit"] if same else None) or repository.commit

    def add(self, repository: Repository, archive: Archive, origin: Origin) -> None:
        """Take over all files of an archive, or none of them.

        Raises:
            ArchiveError: where a member is damaged; the store is as before.
            DataError: where the store cannot be written to, as when the disk is full.
        """
        tables = tabulate_archive(repository, archive, origin)
        _write(stored_path(self._folder, repository), tables)
        _remove(note_path(self._folder, repository))

    def add_missing(self, repository: Repository, reason: str) -> None:
        """Record that a repository cannot be had; files of it that the store has stay."""
        if not self.has(repository):
            _note(note_path(self._folder, repository), {"reason": reason})

    def missing(self) -> dict[str, str]:
        """Reasons why repositories cannot be had, by ``owner/name`` in corpus order."""
        notes = ((one, note_path(self._folder, one)) for one in self._repositories)
        return {
            one.full_name: read_note(path)
            for one, path in notes
            if path.exists() and not self.has(one)
        }

    def seal(self) -> dict[str, Any]:
        """Write the manifest of the list's repositories that the store holds.

        Returns:
            The manifest, the same whenever the same was fetched: ``counts``, ``missing`` (reasons),
            ``not_fetched`` (neither here nor missing), and of each repository in ``repositories``
            its commits, origin, remark, counts and ``digest``.

        Raises:
            DataError: where the store cannot be written to, or a file of it is damaged.
        """
        remove_leftovers([self._folder])
        held = {}
        for one in self._repositories:
            if self.has(one):
                note = note_path(self._folder, one)
                if note.exists():  # after a kill between the two steps of ``add``
                    _remove(note)
                held[one.full_name] = read_stored(stored_path(self._folder, one)).summarise()
        missing = self.missing()
        names = [repository.full_name for repository in self._repositories]
        counts = {
            key: sum(one[key] for one in held.values())
            for key in ("java_files", "java_bytes", "left_out", "licences")
        }
        manifest = {
            "counts": {"repositories": len(held), "missing": len(missing), **counts},
            "missing": missing,
            "not_fetched": [name for name in names if name not in held and name not in missing],
            "repositories": held,
        }
        _note(self._folder / "manifest.json", manifest)
        self._sealed = held
        return manifest


def _write(path: Path, tables: Iterable[pa.Table]) -> None:
    write_tables(path, tables, STORE_SCHEMA)
    # No rule makes it, as messages on damaged artifacts say: the store is checked by its manifest.
    forget_file(path)


def _note(path: Path, value: dict[str, Any]) -> None:
    write_json(path, value)
    forget_file(path)


def _remove(path: Path) -> None:
    forget_file(path)
    path.unlink(missing_ok=True)
