"""The stages that list the code files of a language, and extract the functions of one shard."""

from __future__ import annotations

from pathlib import Path

from ncsbench.codesearchnet.csn_settings import ExtractionSettings, InventorySettings
from ncsbench.function_corpus.function_extraction import extract_functions
from ncsbench.function_corpus.function_repositories import read_function_repositories
from ncsbench.functions.registry import find_language
from ncsbench.sources.inventory import iterate_shard
from ncsbench.sources.listing import list_source, open_source


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


def extract_shard(
    settings: ExtractionSettings, inventory: Path, shard: int, functions: Path, ledger: Path
) -> None:
    """Extract the functions of one shard of the listed files of a language.

    Args:
        settings: language, source and rules.
        inventory: list of the files.
        shard: number of the shard, from 0.
        functions: Parquet file of the functions to write.
        ledger: Parquet file to write of what was taken and left out.
    """
    language = find_language(settings.language)
    extract_functions(
        iterate_shard(inventory, shard=shard, shards=settings.shards, language=language.name),
        open_source(settings.source.kind, settings.source.path, suffixes=language.suffixes),
        language=language.name,
        functions=functions,
        ledger=ledger,
        rules=settings.rules,
    )
