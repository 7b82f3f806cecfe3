"""Lists the code files of a language, and extracts their functions, one shard at a time.

Functions are written as a stream, with a ledger.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.registry import FunctionLanguage, find_language
from ncsbench.corpus.function_corpus.corpus_options import ExtractionSettings, InventorySettings
from ncsbench.corpus.function_corpus.function_repositories import read_function_repositories
from ncsbench.corpus.function_corpus.function_schema import EXTRACTED_SCHEMA, FUNCTION_LEDGER_SCHEMA
from ncsbench.corpus.layout.ledger_schema import DEEP_TYPES, SYNTAX_ERRORS
from ncsbench.corpus.methods.file_extraction import Taken, extract_files
from ncsbench.corpus.sources.inventory import Part, iterate_shard
from ncsbench.corpus.sources.listing import list_source, open_source

_CHARACTERS = 2**25
"""Most characters of code that are held before rows are written."""


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
        functions: Parquet file of ``EXTRACTED_SCHEMA`` to write.
        ledger: Parquet file of ``FUNCTION_LEDGER_SCHEMA`` to write, with a line for each file.

    Raises:
        DataError: where a repository is gone that was listed before.
    """
    language = find_language(settings.language)

    def take(part: Part, path: str, text: str) -> Taken:
        source = text.encode("utf-8", "replace")
        parsed = parse_functions(source, language.name, rules=settings.rules)
        place = {"repo": part.repository.full_name, "sha": part.commit or "", "path": path}
        return Taken(
            [place | vars(function) for function in parsed.functions],
            {
                "functions": len(parsed.functions),
                "documented": sum(bool(one.docstring_tokens) for one in parsed.functions),
                "dropped": sum(parsed.dropped.values()),
                "dropped_by": sorted(parsed.dropped.items()),
            },
            [
                SYNTAX_ERRORS if parsed.has_errors else "",
                DEEP_TYPES if parsed.has_deep_types else "",
            ],
        )

    parts = iterate_shard(inventory, shard=shard, shards=settings.shards, language=language.name)
    extract_files(
        (_leave_out(part, language) for part in parts),
        open_source(settings.source.kind, settings.source.path, suffixes=language.suffixes),
        take,
        rows=(functions, EXTRACTED_SCHEMA),
        ledger=(ledger, FUNCTION_LEDGER_SCHEMA),
        counted="functions",
        characters=_CHARACTERS,
    )


def _leave_out(part: Part, language: FunctionLanguage) -> Part:
    """The part, with the files that are skipped for their paths marked as left out."""
    files = (
        replace(file, reason=file.reason or language.refuse_path(file.path)) for file in part.files
    )
    return replace(part, files=list(files))
