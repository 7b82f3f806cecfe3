"""Extracts the functions of repositories, one shard at a time, as a stream, with a ledger."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.artifacts.storage import write_table, write_tables
from ncsbench.corpus.file_texts import decode_source, describe_text
from ncsbench.corpus.ledger_schema import DEEP_TYPES, SYNTAX_ERRORS
from ncsbench.errors import DataError
from ncsbench.function_corpus.function_schema import EXTRACTED_SCHEMA, FUNCTION_LEDGER_SCHEMA
from ncsbench.functions.function_parser import parse_functions
from ncsbench.functions.registry import Function, FunctionLanguage, ParsedFile, Rules, find_language
from ncsbench.sources.inventory import Part
from ncsbench.sources.source_protocol import ListedFile, Source, SourceError, SourceFile

PATH_WORD = "path word"
"""The reason of a file that is skipped for a word in its path."""
_ROWS = 4096
_CHARACTERS = 2**25
"""Rows are written when there are so many, or their texts are as long as this."""
_LOG = logging.getLogger(__name__)


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
    lines: list[dict[str, Any]] = []
    # As in corpus.extraction: millions of nodes, none of which is part of a cycle.
    gc.disable()
    try:
        tables = _iterate_tables(parts, source, find_language(language), rules, lines)
        write_tables(functions, tables, EXTRACTED_SCHEMA)
    finally:
        gc.enable()
    write_table(ledger, pa.Table.from_pylist(lines, FUNCTION_LEDGER_SCHEMA), FUNCTION_LEDGER_SCHEMA)


def find_path_word(path: str, language: FunctionLanguage) -> str:
    """Why a file is skipped for its path; empty where it is not."""
    lowered = path.lower()
    word = next((word for word in language.path_words if word in lowered), "")
    return f"{PATH_WORD} ({word})" if word else ""


def _iterate_tables(
    parts: Iterable[Part],
    source: Source,
    language: FunctionLanguage,
    rules: Rules,
    lines: list[dict[str, Any]],
) -> Iterator[pa.Table]:
    rows: list[dict[str, Any]] = []
    length = 0
    for part in parts:
        start = len(lines)
        for file in _read_files(part, source, language):
            found = _take_file(part, file, language, rules, lines)
            rows += found
            length += sum(len(row["code"]) for row in found)
            if len(rows) >= _ROWS or length >= _CHARACTERS:
                yield pa.Table.from_pylist(rows, EXTRACTED_SCHEMA)
                rows, length = [], 0
        count = sum(line["functions"] for line in lines[start:])
        name = part.repository.full_name
        _LOG.info("%s: %d functions in %d files", name, count, len(lines) - start)
    if rows:
        yield pa.Table.from_pylist(rows, EXTRACTED_SCHEMA)


def _read_files(part: Part, source: Source, language: FunctionLanguage) -> Iterator[SourceFile]:
    files = [
        ListedFile(file.path, file.bytes, file.reason or find_path_word(file.path, language))
        for file in part.files
    ]
    try:
        wanted = [file.path for file in files if not file.reason]
        found = source.read_files(part.repository, part.commit, wanted)
        for file in files:
            yield SourceFile(file.path, None, file.reason) if file.reason else next(found)
    except (SourceError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DataError(
            f"{part.repository.full_name}: was listed and cannot be read now ({reason}); "
            "make its source readable and run the same command again"
        ) from error


def _take_file(
    part: Part,
    file: SourceFile,
    language: FunctionLanguage,
    rules: Rules,
    lines: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    if file.data is None:
        lines.append(_make_line(part, file, file.reason, None))
        return []
    text, remark = decode_source(file.data)
    parsed = parse_functions(text.encode("utf-8", "replace"), language.name, rules=rules)
    remarks = [
        remark,
        SYNTAX_ERRORS if parsed.has_errors else "",
        DEEP_TYPES if parsed.has_deep_types else "",
    ]
    line = _make_line(part, file, ", ".join(filter(None, remarks)), parsed)
    hashes = describe_text(file.data, text)
    lines.append(line | {name: hashes[name] for name in ("bytes_hash", "text_hash")})
    return [_make_row(part, file.path, function) for function in parsed.functions]


def _make_line(
    part: Part, file: SourceFile, reason: str, parsed: ParsedFile | None
) -> dict[str, Any]:
    functions = parsed.functions if parsed else []
    dropped = dict(parsed.dropped) if parsed else {}
    return {
        "repository": part.repository.full_name,
        "path": file.path,
        "status": "skipped" if file.data is None else "taken",
        "reason": reason or None,
        "functions": len(functions),
        "documented": sum(bool(function.docstring_tokens) for function in functions),
        "dropped": sum(dropped.values()),
        "dropped_by": sorted(dropped.items()) if parsed else None,
    }


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
