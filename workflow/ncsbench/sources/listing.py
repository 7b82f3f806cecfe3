"""Opens the source of a dataset, such as a sealed store of archives, and lists what it holds.

What branches stand for is remembered from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ncsbench.artifacts.storage import hash_bytes, iterate_row_groups
from ncsbench.errors import DataError
from ncsbench.sources.archive_store import shard_path
from ncsbench.sources.folder_sources import DirectorySource, GitSource
from ncsbench.sources.inventory import JAVA, write_inventory
from ncsbench.sources.repositories import Repository, RepositoryList, read_repositories
from ncsbench.sources.source_at_hand import CommitMemory, read_resolved
from ncsbench.sources.source_protocol import (
    JAVA_SUFFIXES,
    Listing,
    ListSettings,
    Source,
    SourceError,
    SourceFile,
    SourceOptions,
)
from ncsbench.sources.store_files import (
    STORE_SCHEMA,
    StoredRepository,
    damaged_shard,
    read_manifest,
    read_shard,
)


def list_files(settings: ListSettings, memory: Path, output: Path, threads: int = 1) -> None:
    """List what every repository holds: its commit, Java files and licence files.

    Args:
        settings: the list of repositories, and where their files are.
        memory: folder of what is remembered of commits.
        output: table to write, ``INVENTORY_SCHEMA``.
        threads: number of repositories that are listed at a time.
    """
    listed = read_repositories(Path(settings.repositories))
    list_source(listed, settings.source, memory=memory, output=output, threads=threads)


def list_source(
    listed: RepositoryList,
    options: SourceOptions,
    *,
    memory: Path,
    output: Path,
    threads: int,
    language: str = JAVA,
    suffixes: tuple[str, ...] = JAVA_SUFFIXES,
) -> None:
    """Write the inventory of a source (``write_inventory``).

    Args:
        listed: the repositories.
        options: where their files are.
        memory: folder of what is remembered of commits.
        output: table to write, ``INVENTORY_SCHEMA``.
        threads: number of repositories that are listed at a time; one for archives, which a store
            has in shards.
        language: of the code files.
        suffixes: endings of the names of code files.
    """
    write_inventory(
        listed,
        open_source(options.kind, options.path, read_resolved(memory), suffixes),
        output=output,
        threads=1 if options.kind == "archive" else threads,
        # A store says itself what a branch stands for, and a folder has no branch.
        memory=CommitMemory(memory, listed.repositories) if options.kind == "git" else None,
        language=language,
    )


def open_source(
    kind: str,
    path: str,
    resolved: Mapping[tuple[str, str], str] | None = None,
    suffixes: tuple[str, ...] = JAVA_SUFFIXES,
) -> Source:
    """The source of a dataset file's ``source`` entry.

    Args:
        kind: is checked by the schema of dataset files.
        path: where it lies.
        resolved: commits that names in clones stand for, by ``owner/name`` and name.
        suffixes: how the names of the code files end.
    """
    if kind == "archive":
        return ArchiveSource(path, suffixes)
    if kind == "git":
        return GitSource(path, resolved or {}, suffixes)
    return DirectorySource(path, suffixes)


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
        stored, read = self._open(repository)
        for path in paths:
            if path not in stored.groups:
                yield SourceFile(path, None, "not in the store")
                continue
            data = read(path)
            if data is None:  # the store may have been sealed since its shard was looked at
                self._forget()
                stored, read = self._open(repository)
                data = read(path)
            if data is None:
                shard = shard_path(Path(self.folder), self._shard)
                raise damaged_shard(shard, f"{repository.full_name}/{path} has other bytes")
            yield SourceFile(path, data)

    def _open(
        self, repository: Repository
    ) -> tuple[StoredRepository, Callable[[str], bytes | None]]:
        """A repository, and what reads its files: None for bytes that are not as fetched."""
        stored = self._find(repository)
        shard = shard_path(Path(self.folder), self._shard)

        @lru_cache(maxsize=1)
        def read_group(group: int) -> dict[str | None, bytes | None]:
            ((_, table),) = iterate_row_groups(shard, STORE_SCHEMA, ["path", "data"], [group])
            rows = zip(table["path"].to_pylist(), table["data"].to_pylist(), strict=True)
            # Backwards: of files with the same path, the first is the one that is listed.
            return dict(reversed(list(rows)))

        def read(path: str) -> bytes | None:
            with suppress(DataError):
                data = read_group(stored.groups[path]).get(path)
                if data is not None and hash_bytes(data) == stored.hashes[path]:
                    return data
            return None

        return stored, read

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
