"""Extracts the functions of repositories, one shard at a time, as a stream, with a ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ncsbench.corpus.file_extraction import Extraction, Taken
from ncsbench.corpus.ledger_schema import DEEP_TYPES, SYNTAX_ERRORS
from ncsbench.function_corpus.function_schema import EXTRACTED_SCHEMA, FUNCTION_LEDGER_SCHEMA
from ncsbench.functions.function_parser import parse_functions
from ncsbench.functions.registry import Function, FunctionLanguage, Rules, find_language
from ncsbench.sources.inventory import Part
from ncsbench.sources.source_protocol import Source

PATH_WORD = "path word"
"""The reason of a file that is skipped for a word in its path."""
_CHARACTERS = 2**25
"""Rows are written when their code is as long as this, at the latest."""


def extract_functions(
    parts: Iterable[Part],
    source: Source,
    *,
    language: str,
    functions: Path,
    ledger: Path,
    rules: Rules = "as_meant",
) -> None:
    """Write the functions of files and a ledger of what was taken or left out.

    Args:
        parts: the files in corpus order.
        source: where they come from.
        language: of the files; a name of ``functions.registry.LANGUAGES``.
        functions: Parquet file of ``EXTRACTED_SCHEMA``.
        ledger: Parquet file of ``FUNCTION_LEDGER_SCHEMA``, with a line for each file.
        rules: what holds where a rule of the released code does not do what it is meant to.

    Raises:
        DataError: where a repository is gone that was listed before.
    """
    of_language = find_language(language)

    def take(part: Part, path: str, text: str) -> Taken:
        parsed = parse_functions(text.encode("utf-8", "replace"), language, rules=rules)
        return Taken(
            [_make_row(part, path, function) for function in parsed.functions],
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

    extraction = Extraction(
        *(functions, EXTRACTED_SCHEMA, ledger, FUNCTION_LEDGER_SCHEMA),
        counted="functions",
        characters=_CHARACTERS,
    )
    extraction.extract((_leave_out(part, of_language) for part in parts), source, take)


def find_path_word(path: str, language: FunctionLanguage) -> str:
    """Why a file is skipped for its path; empty where it is not."""
    lowered = path.lower()
    word = next((word for word in language.path_words if word in lowered), "")
    return f"{PATH_WORD} ({word})" if word else ""


def _leave_out(part: Part, language: FunctionLanguage) -> Part:
    """The part, with the files that are skipped for their paths marked as left out."""
    files = (
        replace(file, reason=file.reason or find_path_word(file.path, language))
        for file in part.files
    )
    return replace(part, files=list(files))


def _make_row(part: Part, path: str, function: Function) -> dict[str, Any]:
    return {
        "name": function.name,
        "repo": part.repository.full_name,
        "sha": part.commit or "",
        "path": path,
        "start_line": function.start_line,
        "end_line": function.end_line,
        "identifier": function.identifier,
        "docstring": function.docstring,
        "summary": function.summary,
        "docstring_tokens": function.docstring_tokens,
        "code": function.code,
        "code_tokens": function.code_tokens,
    }
