"""Opens the source of a dataset, such as a sealed store of archives, and lists its contents.

The commits that branches mean are remembered from run to run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ncsbench.base.files.storage import hash_bytes, iterate_row_groups
from ncsbench.corpus.sources.archive_store import (
    STORE_SCHEMA,
    StoredRepository,
    damaged_file,
    note_path,
    read_manifest,
    read_note,
    read_stored,
    stored_path,
)
from ncsbench.corpus.sources.collection_source import LISTED, CollectionSource
from ncsbench.corpus.sources.folder_sources import DirectorySource, GitSource
from ncsbench.corpus.sources.inventory import JAVA, write_inventory
from ncsbench.corpus.sources.repositories import Repository, RepositoryList, read_repositories
from ncsbench.corpus.sources.source_at_hand import CommitMemory, read_resolved
from ncsbench.corpus.sources.source_protocol import (
    JAVA_SUFFIXES,
    Listing,
    ListSettings,
    Source,
    SourceError,
    SourceFile,
    SourceOptions,
)
from ncsbench.errors import DataError


def list_files(settings: ListSettings, memory: Path, output: Path, threads: int = 1) -> None:
    """List the contents of every repository: its commit, Java files and licence files.

    Args:
        settings: the list of repositories, and where their files are.
        memory: folder of what is remembered of commits.
        output: table to write, ``INVENTORY_SCHEMA``.
        threads: number of repositories that are listed at a time.
    """
    is_collection = settings.source.kind == "collection"
    listed = LISTED if is_collection else read_repositories(Path(settings.repositories))
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
        options: the source of their files.
        memory: folder of what is remembered of commits.
        output: table to write, ``INVENTORY_SCHEMA``.
        threads: number of repositories that are listed at a time.
        language: of the code files.
        suffixes: endings of the names of code files.
    """
    write_inventory(
        listed,
        open_source(options.kind, options.path, read_resolved(memory), suffixes),
        output=output,
        threads=threads,
        # A store says itself which commit a branch means, and a folder has no branch.
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
        kind: kind of the source, checked by the schema of dataset files.
        path: path of the source.
        resolved: commits that names in clones mean, by ``owner/name`` and name.
        suffixes: endings of the names of the code files.
    """
    if kind == "archive":
        return ArchiveSource(path, suffixes)
    if kind == "git":
        return GitSource(path, resolved or {}, suffixes)
    if kind == "collection":
        return CollectionSource(Path(path))
    return DirectorySource(path, suffixes)


@dataclass
class ArchiveSource:
    """The source that reads a folder sealed by ``ArchiveStore.seal``."""

    folder: str
    suffixes: tuple[str, ...] = JAVA_SUFFIXES

    def list_files(self, repository: Repository) -> Listing:
        """See ``Source``; for a repository that cannot be had, the error gives the reason.

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
        stored, file = self._find(repository), stored_path(Path(self.folder), repository)

        @lru_cache(maxsize=1)
        def read_group(group: int) -> dict[str | None, bytes | None]:
            ((_, table),) = iterate_row_groups(file, STORE_SCHEMA, ["path", "data"], [group])
            rows = zip(table["path"].to_pylist(), table["data"].to_pylist(), strict=True)
            # Backwards: of files with the same path, the first is the one that is listed.
            return dict(reversed(list(rows)))

        for path in paths:
            if path not in stored.groups:
                yield SourceFile(path, None, "not in the store")
                continue
            data = None
            with suppress(DataError):
                data = read_group(stored.groups[path]).get(path)
            if data is None or hash_bytes(data) != stored.hashes[path]:
                raise damaged_file(file, f"{repository.full_name}/{path} has other bytes")
            yield SourceFile(path, data)

    @cached_property
    def _manifest(self) -> Mapping[str, Any]:
        return read_manifest(Path(self.folder) / "manifest.json")

    def _find(self, repository: Repository) -> StoredRepository:
        """Read a repository's file in the store, which must agree with the manifest."""
        told = self._manifest["repositories"].get(repository.full_name)
        if told is None or told["listed"] != repository.commit:
            raise self._explain(repository)
        path = stored_path(Path(self.folder), repository)
        stored = read_stored(path)
        if stored.summarise() != told:
            raise damaged_file(path, f"{repository.full_name} is not what the manifest says")
        return stored

    def _explain(self, repository: Repository) -> SourceError | DataError:
        """Explain why the store lacks a repository; a manifest names all those of its list."""
        note = note_path(Path(self.folder), repository)
        if note.exists():
            return SourceError(read_note(note))
        if repository.full_name in self._manifest["not_fetched"]:
            return SourceError("not fetched")
        return DataError(
            f"{self.folder}: was sealed for a list without {repository.full_name} at commit "
            f"{repository.commit}, as where datasets share a store; let one finish before the "
            "next, or give it a store of its own (source.path), and start again"
        )
