"""Reads the code files of repositories from a sealed store of archives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ncsbench.artifacts.storage import hash_bytes, iterate_row_groups
from ncsbench.errors import DataError
from ncsbench.sources.archive_store import shard_path
from ncsbench.sources.repositories import Repository
from ncsbench.sources.source_protocol import JAVA_SUFFIXES, Listing, SourceError, SourceFile
from ncsbench.sources.store_files import (
    STORE_SCHEMA,
    StoredRepository,
    damaged_shard,
    read_manifest,
    read_shard,
)


@dataclass
class ArchiveSource:
    """What ``ArchiveStore.seal`` left in a folder.

    What a shard holds is remembered until another shard is asked for, so that repositories in
    corpus order are listed at the cost of reading each shard once.
    """

    folder: str
    suffixes: tuple[str, ...] = JAVA_SUFFIXES
    _shard: int = field(default=-1, init=False)
    _stored: dict[str, StoredRepository] = field(default_factory=dict, init=False)

    def list_files(self, repository: Repository) -> Listing:
        """See ``Source``; a repository that cannot be had says why.

        Raises:
            DataError: where the store is damaged, or was sealed for another list.
        """
        listing = self._find(repository).listing
        if self.suffixes == JAVA_SUFFIXES:
            return listing
        files = (file for file in listing.files if file.path.endswith(self.suffixes))
        return replace(listing, files=tuple(files))

    def read_files(
        self, repository: Repository, commit: str | None, paths: Sequence[str]
    ) -> Iterator[SourceFile]:
        """See ``Source``.

        Raises:
            DataError: where the bytes are not those that were fetched, and as above.
        """
        files = self._open(repository)
        for path in paths:
            if path not in files.stored.groups:
                yield SourceFile(path, None, "not in the store")
                continue
            data = files.read(path)
            if data is None:  # the store may have been sealed since its shard was looked at
                self._forget()
                files = self._open(repository)
                data = files.read(path)
            if data is None:
                raise damaged_shard(files.shard, f"{repository.full_name}/{path} has other bytes")
            yield SourceFile(path, data)

    def _open(self, repository: Repository) -> _Files:
        stored = self._find(repository)
        return _Files(shard_path(Path(self.folder), self._shard), stored)

    @cached_property
    def _manifest(self) -> Mapping[str, Any]:
        return read_manifest(Path(self.folder) / "manifest.json")

    def _forget(self) -> None:
        self._shard = -1
        self.__dict__.pop("_manifest", None)

    def _find(self, repository: Repository) -> StoredRepository:
        read = self._manifest
        try:
            return self._look_up(repository)
        except DataError:
            self._forget()
            if self._manifest == read:
                raise
        return self._look_up(repository)  # it was sealed since

    def _look_up(self, repository: Repository) -> StoredRepository:
        name = repository.full_name
        known = self._manifest["repositories"].get(name)
        if known is None or known["listed"] != repository.commit:
            raise self._explain(repository)
        if known["shard"] != self._shard:
            self._load(known["shard"])
        return self._stored[name]

    def _explain(self, repository: Repository) -> SourceError | DataError:
        """Why the store does not have it: a manifest names all repositories of its list."""
        name, manifest = repository.full_name, self._manifest
        if name in manifest["missing"]:
            # Older manifests do not say at which commit.
            if manifest.get("missing_at", {}).get(name, repository.commit) == repository.commit:
                return SourceError(manifest["missing"][name])
        elif name in manifest.get("not_fetched", ()):
            return SourceError("not fetched")
        return DataError(
            f"{self.folder}: was sealed for a list without {name} at commit {repository.commit}, "
            "as where datasets share a store; let one finish before the next, or give it a store "
            "of its own (source.path), and start again"
        )

    def _load(self, shard: int) -> None:
        """Remember what a shard holds, which must be what the manifest says."""
        path = shard_path(Path(self.folder), shard)
        told = {
            name: about
            for name, about in self._manifest["repositories"].items()
            if about["shard"] == shard
        }
        try:
            stored = {one.name: one for one in read_shard(path) if one.name in told}
            found = {name: {"shard": shard} | one.summarise() for name, one in stored.items()}
        except (KeyError, ValueError) as error:  # of rows that nobody wrote
            raise damaged_shard(path, "its rows are not what was written") from error
        for name, about in told.items():
            if found.get(name) != about:
                raise damaged_shard(path, f"{name} is not what the manifest says")
        self._shard, self._stored = shard, stored


class _Files:
    """Files of one repository; the row group that was read last stays in memory."""

    def __init__(self, shard: Path, stored: StoredRepository) -> None:
        self.shard = shard
        self.stored = stored
        self._group = -1
        self._rows: dict[str, int] = {}
        self._data: Any = None

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None where they are not those that were fetched."""
        group = self.stored.groups[path]
        if group != self._group:
            columns = ["path", "data"]
            try:
                ((_, table),) = iterate_row_groups(self.shard, STORE_SCHEMA, columns, [group])
            except DataError:
                return None
            self._group = group
            # Backwards: of files with the same path, the first is the one that is listed.
            names = list(enumerate(table["path"].to_pylist()))
            self._rows = {name: row for row, name in reversed(names)}
            self._data = table["data"]
        data: bytes | None = self._data[self._rows[path]].as_py() if path in self._rows else None
        return data if data is not None and hash_bytes(data) == self.stored.hashes[path] else None
