"""The stage that lists the code files of a language."""

from __future__ import annotations

from pathlib import Path

from ncsbench.codesearchnet.csn_settings import InventorySettings
from ncsbench.function_corpus.function_repositories import read_function_repositories
from ncsbench.functions.registry import find_language
from ncsbench.sources.inventory import write_inventory
from ncsbench.sources.open_sources import open_source
from ncsbench.sources.remembered_commits import CommitMemory, read_resolved


def list_files(settings: InventorySettings, memory: Path, output: Path, threads: int = 1) -> None:
    """List what the repositories of a language hold: commits, code files, licence files.

    Args:
        settings: language, repositories and their source.
        memory: folder of what is remembered of commits.
        output: the inventory.
        threads: repositories at a time.
    """
    language = find_language(settings.language)
    listed = read_function_repositories(settings.repositories, language.name, settings.filters)
    resolved = read_resolved(memory)
    kind, path = settings.source.kind, settings.source.path
    write_inventory(
        listed.listed,
        open_source(kind, path, resolved, language.suffixes),
        output=output,
        threads=1 if kind == "archive" else threads,  # a store is read shard by shard
        memory=CommitMemory(memory, listed.listed.repositories) if kind == "git" else None,
        language=language.name,
    )
