"""Extracts the definitions of files in several languages, as rows of methods.

Methods of Java with a body are read as a corpus of Java has them; types, methods without a body and
constructors of Java, and all definitions of other languages, are found by ``code.definitions``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any

from ncsbench.code.definitions.definitions import (
    TYPE_LINES,
    Definition,
    find_definitions,
    find_rest,
)
from ncsbench.code.definitions.languages import find_language_of
from ncsbench.code.functions.registry import GAVE_UP
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.code.java.search_fields import find_names
from ncsbench.corpus.layout.corpus_schemas import EXTRACTED_SCHEMA
from ncsbench.corpus.layout.corpus_settings import MethodOptions
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA, SYNTAX_ERRORS
from ncsbench.corpus.methods.extraction import take_methods
from ncsbench.corpus.methods.file_extraction import Taken, extract_files
from ncsbench.corpus.sources.inventory import Part
from ncsbench.corpus.sources.source_protocol import Source

_TOKEN = re.compile(r"\w+|[^\w\s]")
_JAVA = ".java"


def extract_definitions(
    parts: Iterable[Part], source: Source, *, methods: Path, ledger: Path
) -> None:
    """Write the definitions of files, each as a row of a method, and a ledger.

    Args:
        parts: files whose language ``find_language_of`` knows, in corpus order.
        source: the source of the files.
        methods: Parquet file of ``EXTRACTED_SCHEMA``; a type has no item of the kind METHOD_NAME.
        ledger: Parquet file of ``LEDGER_SCHEMA``, with a line for each file.

    Raises:
        DataError: where a repository is gone that was listed before.
    """
    extract_files(
        parts,
        source,
        _take,
        rows=(methods, EXTRACTED_SCHEMA),
        ledger=(ledger, LEDGER_SCHEMA),
        counted="methods",
    )


def is_java_method(row: dict[str, Any]) -> bool:
    """Say whether a row is a method or constructor of Java, by its path and the kinds of items."""
    return row["path"].endswith(_JAVA) and int(ItemKind.METHOD_NAME) in row["kinds"]


def _take(part: Part, path: str, text: str) -> Taken:
    language = find_language_of(path)
    if language is None:
        return Taken([], {"methods": 0}, [])
    found = find_definitions(text.encode("utf-8", "replace"), language)
    rows: list[Mapping[str, Any]] = [_row(part, path, one) for one in found.definitions]
    if path.endswith(_JAVA):
        taken = take_methods(part, path, text, MethodOptions(), None)
        rows = _add_rest(part, path, text, [*rows, *taken.rows])
        return Taken(rows, {**taken.counts, "methods": len(rows)}, taken.remarks)
    rows = _add_rest(part, path, text, rows)
    remarks = [GAVE_UP if found.gave_up else SYNTAX_ERRORS if found.has_errors else ""]
    return Taken(rows, {"methods": len(rows)}, remarks)


def _add_rest(
    part: Part, path: str, text: str, rows: list[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return the rows in text order, with rows of the code that is in none of them."""
    covered = [_find_lines(row) for row in rows]
    rest = [
        Definition(PurePosixPath(path).stem, "", True, first, last, code, "")
        for first, last, code in find_rest(text, covered)
    ]
    every = [*rows, *(_row(part, path, one) for one in rest)]
    return sorted(every, key=itemgetter("start_line", "end_line"))


def _find_lines(row: Mapping[str, Any]) -> tuple[int, int]:
    """Return the first and last line that the texts of a row have, its comment included."""
    is_type = int(ItemKind.METHOD_NAME) not in row["kinds"]
    last = min(row["end_line"], row["start_line"] + TYPE_LINES - 1) if is_type else row["end_line"]
    return row["start_line"] - (row["comment"] or "").count("\n") - 1, last


def _row(part: Part, path: str, found: Definition) -> dict[str, Any]:
    items = list(_list_items(found))
    return {
        "repository": part.repository.full_name,
        "commit": part.commit,
        "path": path,
        "filepath": f"{part.repository.full_name}/{path}",
        "method_name": found.name,
        "class_name": found.scope,
        "start_line": found.start_line,
        "end_line": found.end_line,
        "url": None,
        "code": found.code,
        "comment": found.documentation or None,
        "lines": found.end_line - found.start_line + 1,
        "tokens": len(_TOKEN.findall(found.code)),
        "kinds": [kind for kind, _ in items],
        "texts": [text for _, text in items],
    }


def _list_items(found: Definition) -> Iterator[tuple[int, str]]:
    if found.documentation:
        yield int(ItemKind.COMMENT), found.documentation
    if found.is_type:
        yield int(ItemKind.CLASS_NAME), found.name
        return
    if found.scope:
        yield int(ItemKind.CLASS_NAME), found.scope.rpartition(".")[2]
    yield int(ItemKind.METHOD_NAME), found.name
    for name, kind in find_names(found.code):
        if kind == "creation":
            yield int(ItemKind.CREATION), name
        elif kind == "call":
            yield int(ItemKind.INVOCATION), name
