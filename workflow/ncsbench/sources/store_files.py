"""The files of a store of archives: Parquet, of each repository one, later of many one, and JSON.

Where a disk or an editor damaged one of them, a line says what to remove, and what that costs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, ValidationError

from ncsbench.artifacts.storage import hash_bytes, iterate_row_groups, read_json
from ncsbench.errors import DataError
from ncsbench.sources.archive_members import Archive
from ncsbench.sources.repositories import Repository
from ncsbench.sources.source_protocol import ListedFile, Listing

Origin = Literal["archive", "software_heritage"]
"""Where an archive came from: the listed link or a mirror of it, or Software Heritage."""

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
    """What a store's file says of a repository, without the bytes of its files.

    Attributes:
        name: ``owner/name``.
        listed: its commit as listed.
        origin: where its archive came from.
        listing: its files, with the commit that the archive is of.
        hashes: SHA-256 of every file that has bytes, by path.
        groups: the row group of every file that has bytes, by path.
        row_groups: all its row groups, in order.
    """

    name: str
    listed: str | None
    origin: str
    listing: Listing
    hashes: dict[str, str]
    groups: dict[str, int]
    row_groups: tuple[int, ...]

    def summarise(self) -> dict[str, Any]:
        """Its part of the manifest.

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


def read_shard(path: Path) -> list[StoredRepository]:
    """What a shard holds, without the bytes of files; ``DataError`` where it is damaged."""
    repositories: list[list[dict[str, Any]]] = []
    try:
        for group, table in iterate_row_groups(path, STORE_SCHEMA, _ABOUT):
            for row in table.to_pylist():
                if not repositories or row["kind"] == "repository":
                    repositories.append([])
                repositories[-1].append(row | {"group": group})
        return [_gather(rows) for rows in repositories]
    except DataError as error:
        raise damaged_shard(path, str(error).removeprefix(f"{path}: ")) from error
    except (KeyError, ValueError) as error:  # of rows that nobody wrote
        raise damaged_shard(path, "its rows are not what was written") from error


def damaged_shard(path: Path, what: str) -> DataError:
    """What is said of a shard, or of a file that came, with other bytes than were written."""
    return DataError(
        f"{path}: is damaged: {what}; remove this file, and the next run fetches again what it held"
    )


def _gather(rows: list[dict[str, Any]]) -> StoredRepository:
    first, files = rows[0], rows[1:]
    listed: dict[str, list[ListedFile]] = {"java": [], "licence": []}
    for row in files:
        listed[row["kind"]].append(ListedFile(row["path"], row["bytes"], row["reason"] or ""))
    whole = [row for row in files if row["sha256"] is not None]
    return StoredRepository(
        name=first["repository"],
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
        row_groups=tuple(sorted({row["group"] for row in rows})),
    )


def read_row_groups(path: Path, groups: Iterable[int] | None = None) -> Iterator[pa.Table]:
    """Whole rows of a store's file, one row group at a time; ``DataError`` where it is damaged."""
    try:
        for _, table in iterate_row_groups(path, STORE_SCHEMA, None, groups):
            yield table
    except DataError as error:
        raise damaged_shard(path, str(error).removeprefix(f"{path}: ")) from error


class _Held(BaseModel):
    model_config = ConfigDict(strict=True)
    shard: int
    listed: str | None
    commit: str | None


class _Manifest(BaseModel):
    """What is read of a manifest; older ones have no ``missing_at``."""

    model_config = ConfigDict(strict=True)
    list: str
    missing: dict[str, str]
    missing_at: dict[str, str | None] = {}
    repositories: dict[str, _Held]


class _Note(BaseModel):
    model_config = ConfigDict(strict=True)
    reason: str


def read_manifest(path: Path) -> dict[str, Any]:
    """What was sealed, as ``ArchiveStore.seal`` has it.

    Raises:
        DataError: where the file is not there or damaged, with the remedy.
    """
    remedy = "the next run that fetches makes it again from the shards"
    return _read(path, _Manifest, remedy)


def read_note(path: Path) -> str:
    """Why a repository cannot be had; errors as above."""
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


def describe_shards(shards: Iterable[Path]) -> dict[str, Any]:
    """What the manifest of these shards said, where it is gone: all but what was missing.

    Raises:
        DataError: where a shard is damaged.
    """
    held = {
        stored.name: {"shard": int(path.stem)} | stored.summarise()
        for path in shards
        for stored in read_shard(path)
    }
    return {"list": "", "missing": {}, "repositories": held}
