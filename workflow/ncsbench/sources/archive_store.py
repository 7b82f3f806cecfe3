"""The store of a list's archives: what was fetched stays, whatever ends the process that fetches.

A store is one folder, outside what rules make:

- ``list.json``: the list that it is of;
- ``fetched/<owner>/<repo>@<commit>.parquet``, ``missing/<owner>/<repo>@<commit>.json``: what came
  since the store was last sealed;
- ``shards/<number>.parquet``, ``manifest.json``: what was sealed.

Every file is whole or absent. The sealed files depend on the list and on what was fetched alone,
not on the order in which it came nor on how often the store was sealed.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from ncsbench.artifacts.hashes import forget_file
from ncsbench.artifacts.storage import (
    hash_bytes,
    read_json,
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
    read_repositories_of,
    read_row_groups,
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
            ConfigurationError: where the store is one of another list.
        """
        self._folder = folder
        self._repositories = list(repositories)
        self._list = hash_list(repositories)
        self._lock = threading.Lock()
        self._check_list()
        manifest = self._manifest_path
        known: Mapping[str, Any] = read_json(manifest) if manifest.exists() else {}
        # What a damaged shard held that was removed is fetched again.
        shards = [number for number, path in enumerate(self._shard_paths()) if path.exists()]
        about = known.get("repositories", {})
        self._sealed = frozenset(name for name in about if about[name]["shard"] in shards)
        self._commits = {name: about[name]["commit"] for name in about}
        self._sealed_missing: Mapping[str, str] = known.get("missing", {})

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
        self._claim()
        tables = tabulate_archive(repository, archive, origin)
        _write(self._fetched_path(repository), tables)
        _remove(self._missing_path(repository))

    def add_missing(self, repository: Repository, reason: str) -> None:
        """Record that a repository cannot be had; what is here of it stays."""
        self._claim()
        if not self.has(repository):
            _note(self._missing_path(repository), {"reason": reason})

    def missing(self) -> dict[str, str]:
        """Why repositories cannot be had, by ``owner/name`` in corpus order."""
        found = {}
        for repository in self._repositories:
            reason = self._missing_reason(repository)
            if reason is not None and not self.has(repository):
                found[repository.full_name] = reason
        return found

    def seal(self) -> dict[str, Any]:
        """Write what came since the last time into the shards, and say what they hold.

        Returns:
            The manifest, the same whenever the same was fetched: ``list`` (SHA-256 of the list),
            ``counts``, ``missing`` (reasons), ``not_fetched`` (neither here nor missing), and of
            each repository in ``repositories`` its shard, commits, origin, remark, counts and
            ``digest``.

        Raises:
            DataError: where the store cannot be written to.
        """
        self._claim()
        remove_leftovers([self._folder])
        held: dict[str, Any] = {}
        for shard, path in enumerate(self._shard_paths()):
            part = shard_of(self._repositories, shard=shard, shards=self._shards)
            self._write_shard(path, part)
            if path.exists():
                for stored in read_repositories_of(path):
                    held[stored.name] = {"shard": shard} | stored.summarise()
        manifest = self._summarise(held)
        _note(self._manifest_path, manifest)
        # Only now: until the manifest is there, these say what must not be fetched again.
        self._sealed, self._sealed_missing = frozenset(held), manifest["missing"]
        for folder in (self._folder / "fetched", self._folder / "missing"):
            _empty(folder)
        return manifest

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
            sealed = {stored.name: stored for stored in read_repositories_of(path)}
        for repository in repositories:
            name = repository.full_name
            if name in fetched:
                yield from read_row_groups(fetched[name])
            elif name in sealed:
                yield from read_row_groups(path, sealed[name].row_groups)

    @property
    def _shards(self) -> int:
        return min(SHARDS, len(self._repositories))

    def _shard_paths(self) -> list[Path]:
        return [shard_path(self._folder, shard) for shard in range(self._shards)]

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

    def _missing_reason(self, repository: Repository) -> str | None:
        path = self._missing_path(repository)
        if path.exists():
            return str(read_json(path)["reason"])
        return self._sealed_missing.get(repository.full_name)

    def _claim(self) -> None:
        """Write down which list the store is of, before anything is put into it."""
        with self._lock:
            path = self._folder / "list.json"
            if not path.exists():
                _note(path, {"list": self._list, "repositories": len(self._repositories)})

    def _check_list(self) -> None:
        path = self._folder / "list.json"
        if path.exists() and read_json(path).get("list") != self._list:
            raise ConfigurationError(
                f"{self._folder}: is the store of another list of repositories; give this dataset "
                "another store, or remove the folder to fetch everything again"
            )


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


def _empty(folder: Path) -> None:
    """Remove all files of a folder of folders, and these."""
    for owner in sorted(folder.iterdir()) if folder.is_dir() else ():
        for path in sorted(owner.iterdir()):
            _remove(path)
        owner.rmdir()
    with contextlib.suppress(FileNotFoundError):
        folder.rmdir()


def _remove(path: Path) -> None:
    forget_file(path)
    path.unlink(missing_ok=True)
