"""The stage that lists the code files of a language."""

from __future__ import annotations

from pathlib import Path

from ncsbench.codesearchnet.csn_settings import InventorySettings
from ncsbench.function_corpus.function_repositories import read_function_repositories
from ncsbench.functions.registry import find_language
from ncsbench.sources.listing import list_source


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
    list_source(
        listed.listed,
        settings.source,
        memory=memory,
        output=output,
        threads=threads,
        language=language.name,
        suffixes=language.suffixes,
    )
