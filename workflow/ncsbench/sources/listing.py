"""Opens the source of a dataset and lists what it holds.

What branches stand for is remembered from run to run.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ncsbench.sources.archive_source import ArchiveSource
from ncsbench.sources.folder_sources import DirectorySource, GitSource
from ncsbench.sources.inventory import JAVA, write_inventory
from ncsbench.sources.repositories import RepositoryList, read_repositories
from ncsbench.sources.source_at_hand import CommitMemory, read_resolved
from ncsbench.sources.source_protocol import JAVA_SUFFIXES, ListSettings, Source, SourceOptions


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
