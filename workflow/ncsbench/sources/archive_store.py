"""The store of a list's archives: what was fetched stays, whatever ends the process that fetches.

A store is one folder, outside what rules make:

- ``fetched/<owner>/<repo>@<commit>.parquet``, ``missing/<owner>/<repo>@<commit>.json``: what came
  since the store was last sealed, and what came of an earlier list and this one does not name;
- ``shards/<number>.parquet``, ``manifest.json``: what was sealed, of one list.

Every file is whole or absent. The sealed files depend on the list and on what was fetched of it
alone, not on the order in which it came, on how often the store was sealed, nor on other lists.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from ncsbench.artifacts.hashes import forget_file
from ncsbench.artifacts.storage import (
    hash_bytes,
    remove_leftovers,
    write_json,
    write_tables,
)
from ncsbench.errors import ConfigurationError
from ncsbench.sources.archive_members import Archive
from ncsbench.sources.repositories import Repository, shard_of
from ncsbench.sources.store_files import (
    STORE_SCHEMA,
    Origin,
    StoredRepository,
    describe_shards,
    read_manifest,
    read_note,
    read_row_groups,
    read_shard,
    tabulate_archive,
)

SHARDS = 64
"""Files of a sealed store, or as many as there are repositories."""
_LONGEST_NAME = 64
"""Characters of a commit in the name of a file: with those of a repository, and of the machine that
writes it, 255 bytes at most."""


class ArchiveStore:
    """What was fetched of the repositories of one list; threads may add different repositories."""

    def __init__(self, folder: Path, repositories: Sequence[Repository]) -> None:
        """Open a store, which need not be there yet.

        Args:
            folder: of the store.
            repositories: of the list, in corpus order, each name once.

        Raises:
            ConfigurationError: where the store has something, and nothing of the list.
            DataError: where its manifest is damaged, or a shard of a store that has none.
        """
        self._folder = folder
        self._repositories = list(repositories)
        self._list = hash_list(repositories)
        manifest = self._manifest_path
        # One that was damaged and removed: what was fetched is not fetched again.
        known = (
            read_manifest(manifest) if manifest.exists() else describe_shards(self._find_shards())
        )
        self._manifest = known
        listed = {one.full_name: one.commit for one in repositories}
        self._check_list(listed)
        # What a damaged shard held that was removed is fetched again.
        shards = {path.name for path in self._find_shards()}
        about = {
            name: one
            for name, one in known["repositories"].items()
            if one["listed"] == listed.get(name, "")
        }
        self._sealed = frozenset(
            name for name in about if shard_path(folder, about[name]["shard"]).name in shards
        )
        self._commits = {name: about[name]["commit"] for name in about}
        self._sealed_missing = {
            name: reason
            for name, reason in known["missing"].items()
            if known.get("missing_at", listed).get(name) == listed.get(name, "")
        }

    def has(self, repository: Repository) -> bool:
        """Whether the files of a repository are here."""
        return repository.full_name in self._sealed or self._fetched_path(repository).exists()

    def commit_to_fetch(self, repository: Repository) -> str | None:
        """The commit as listed, or what that stood for when it was fetched before.

        So a branch stays the same commit where the shard that held it was damaged and removed.
        """
        return self._commits.get(repository.full_name) or repository.commit

    def add(self, repository: Repository, archive: Archive, origin: Origin) -> None:
        """Take over all files of an archive, or none of them.

        Raises:
            ArchiveError: where a member is damaged; the store is as before.
            DataError: where the store cannot be written to, as when the disk is full.
        """
        tables = tabulate_archive(repository, archive, origin)
        _write(self._fetched_path(repository), tables)
        _remove(self._missing_path(repository))

    def add_missing(self, repository: Repository, reason: str) -> None:
        """Record that a repository cannot be had; what is here of it stays."""
        if not self.has(repository):
            _note(self._missing_path(repository), {"reason": reason})

    def missing(self) -> dict[str, str]:
        """Why repositories cannot be had, by ``owner/name`` in corpus order."""
        found = {}
        for repository in self._repositories:
            path = self._missing_path(repository)
            sealed = self._sealed_missing.get(repository.full_name)
            reason = read_note(path) if path.exists() else sealed
            if reason is not None and not self.has(repository):
                found[repository.full_name] = reason
        return found

    def seal(self) -> dict[str, Any]:
        """Write what came since the last time into the shards, and say what they hold.

        Returns:
            The manifest, the same whenever the same was fetched: ``list`` (SHA-256 of the list),
            ``counts``, ``missing`` (reasons), ``missing_at`` (their commits as listed),
            ``not_fetched`` (neither here nor missing), and of each repository in ``repositories``
            its shard, commits, origin, remark, counts and ``digest``.

        Raises:
            DataError: where the store cannot be written to, or a shard is damaged.
        """
        remove_leftovers([self._folder])
        if self._manifest["list"] != self._list:
            self._unseal()
        held: dict[str, Any] = {}
        shards = min(SHARDS, len(self._repositories))
        for shard in range(shards):
            path = shard_path(self._folder, shard)
            part = shard_of(self._repositories, shard=shard, shards=shards)
            self._write_shard(path, part)
            if path.exists():
                for stored in read_shard(path):
                    held[stored.name] = {"shard": shard} | stored.summarise()
        manifest = self._summarise(held)
        _note(self._manifest_path, manifest)
        # Only now: until the manifest is there, these say what must not be fetched again.
        self._manifest = manifest
        self._sealed, self._sealed_missing = frozenset(held), manifest["missing"]
        for kind, path_of in (("fetched", self._fetched_path), ("missing", self._missing_path)):
            _empty(self._folder / kind, {path_of(one) for one in self._repositories})
        return manifest

    def _unseal(self) -> None:
        """Take apart what was sealed of another list, so that a shard holds this one's alone.

        Until all of it lies there as it came, the manifest says that the shards count.
        """
        for path in self._find_shards():
            for stored in read_shard(path):
                owner, _, name = stored.name.partition("/")
                single = self._fetched_path(Repository(owner, name, stored.listed))
                if not single.exists():
                    _write(single, read_row_groups(path, stored.row_groups))
        missing, commits = self._manifest["missing"], self._manifest.get("missing_at", {})
        for full_name in sorted(missing.keys() & commits.keys()):
            owner, _, name = full_name.partition("/")
            note = self._missing_path(Repository(owner, name, commits[full_name]))
            if not note.exists():
                _note(note, {"reason": missing[full_name]})
        nothing: dict[str, Any] = {"list": "", "missing": {}, "repositories": {}}
        _note(self._manifest_path, nothing)
        for path in self._find_shards():
            _remove(path)
        self._manifest, self._sealed, self._sealed_missing = nothing, frozenset(), {}

    def _summarise(self, held: dict[str, Any]) -> dict[str, Any]:
        missing = {name: why for name, why in self.missing().items() if name not in held}
        names = [repository.full_name for repository in self._repositories]
        counts = {
            key: sum(one[key] for one in held.values())
            for key in ("java_files", "java_bytes", "left_out", "licences")
        }
        return {
            "list": self._list,
            "counts": {"repositories": len(held), "missing": len(missing), **counts},
            "missing": missing,
            "missing_at": {
                one.full_name: one.commit for one in self._repositories if one.full_name in missing
            },
            "not_fetched": [name for name in names if name not in held and name not in missing],
            "repositories": held,
        }

    def _write_shard(self, path: Path, repositories: Sequence[Repository]) -> None:
        """Merge what came for a shard into it; where nothing came, it stays as it is."""
        fetched = {one.full_name: self._fetched_path(one) for one in repositories}
        fetched = {name: single for name, single in fetched.items() if single.exists()}
        if fetched:
            _write(path, self._merge(path, repositories, fetched))

    def _merge(
        self, path: Path, repositories: Sequence[Repository], fetched: Mapping[str, Path]
    ) -> Iterator[pa.Table]:
        sealed: dict[str, StoredRepository] = {}
        if path.exists():
            sealed = {stored.name: stored for stored in read_shard(path)}
        for repository in repositories:
            name = repository.full_name
            if name in fetched:
                yield from read_row_groups(fetched[name])
            elif name in sealed:
                yield from read_row_groups(path, sealed[name].row_groups)

    def _find_shards(self) -> list[Path]:
        return sorted((self._folder / "shards").glob("[0-9][0-9][0-9][0-9].parquet"))

    @property
    def _manifest_path(self) -> Path:
        return self._folder / "manifest.json"

    def _fetched_path(self, repository: Repository) -> Path:
        return self._path_of(repository, "fetched", "parquet")

    def _missing_path(self, repository: Repository) -> Path:
        return self._path_of(repository, "missing", "json")

    def _path_of(self, repository: Repository, kind: str, suffix: str) -> Path:
        commit = quote(repository.commit or "", safe="")
        if len(commit) > _LONGEST_NAME:
            commit = hash_bytes(commit.encode())
        return self._folder / kind / repository.owner / f"{repository.name}@{commit}.{suffix}"

    def _check_list(self, listed: Container[str]) -> None:
        """Let pass a store that has nothing, or something of the list."""
        here = False
        for name in self._name_all():
            here = True
            if name in listed:
                return
        if here:
            raise ConfigurationError(
                f"{self._folder}: is the store of another list of repositories: it has none of "
                "those that are listed; give this dataset another store (source.path), or remove "
                "the folder to fetch everything again"
            )

    def _name_all(self) -> Iterator[str]:
        """Names of all that is here or was missing, of any list."""
        for key in ("repositories", "missing"):
            yield from self._manifest[key]
        for kind, suffix in (("fetched", ".parquet"), ("missing", ".json")):
            # Not by Path.glob, which fails where a job removes a folder meanwhile.
            for owner, _, names in os.walk(self._folder / kind):
                for name in names:
                    if name.endswith(suffix):
                        yield f"{Path(owner).name}/{name.partition('@')[0]}"


def hash_list(repositories: Sequence[Repository]) -> str:
    """SHA-256 of the names and commits of a list."""
    digest = hashlib.sha256()
    for repository in repositories:
        digest.update(f"{repository.full_name} {repository.commit or ''}\n".encode())
    return digest.hexdigest()


def shard_path(folder: Path, shard: int) -> Path:
    """A file of a sealed store."""
    return folder / "shards" / f"{shard:04}.parquet"


def _write(path: Path, tables: Iterable[pa.Table]) -> None:
    write_tables(path, tables, STORE_SCHEMA)
    # No rule makes it, as messages on damaged artifacts say: the store is checked by its manifest.
    forget_file(path)


def _note(path: Path, value: dict[str, Any]) -> None:
    write_json(path, value)
    forget_file(path)


def _empty(folder: Path, paths: Container[Path]) -> None:
    """Remove these files of a folder of folders, and folders in which nothing is left."""
    for owner in sorted(folder.iterdir()) if folder.is_dir() else ():
        for path in sorted(owner.iterdir()):
            if path in paths:
                _remove(path)
        _remove_if_empty(owner)
    _remove_if_empty(folder)


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _remove(path: Path) -> None:
    forget_file(path)
    path.unlink(missing_ok=True)
