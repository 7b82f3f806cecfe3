"""A synthetic corpus of any size for benchmarks: real methods with renamed identifiers."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.artifacts.storage import iterate_tables, write_json, write_tables
from ncsbench.corpus.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import ConfigurationError
from ncsbench.languages.item_kinds import ItemKind
from ncsbench.languages.java_keywords import RESERVED

_IDENTIFIER = re.compile(r"\b[a-z][A-Za-z0-9]{2,}\b")
_NAMES = frozenset({ItemKind.METHOD_NAME, ItemKind.CLASS_NAME, ItemKind.INVOCATION})
_SHARD = 50_000
_KEPT = 6  # of ten identifiers, so that copies of a method differ by about as much as near copies


def generate_corpus(base: CorpusFolder, *, methods: int, output: Path) -> None:
    """Write a corpus of ``methods`` methods: copies of the base's methods with other names.

    Copy 0 is the base itself. In every further copy four of ten lower-case identifiers are
    replaced by others of the base, the same throughout the copy, in code and items. Which ones
    depends only on their text and the number of the copy.

    Args:
        base: a built corpus.
        methods: size of the new corpus, at least 1.
        output: folder of the new corpus.
    """
    if methods < 1:
        raise ConfigurationError(f"a corpus of {methods} methods cannot be generated")
    rows = list(_read_rows(base))
    found = {text for row in rows for text in _IDENTIFIER.findall(row["code"])}
    names = sorted(found - RESERVED)
    corpus = CorpusFolder(output)
    shards = -(-methods // _SHARD)
    for kind, schema in (("methods", METHOD_SCHEMA), ("items", ITEM_SCHEMA)):
        for shard, path in enumerate(corpus.shard_paths(kind, shards)):
            ids = range(shard * _SHARD, min((shard + 1) * _SHARD, methods))
            write_tables(path, _tables(rows, names, ids, schema), schema)
    about = f"{base.manifest()['corpus_hash']} {methods}"
    parts = [
        {"first_id": start, "methods": min(_SHARD, methods - start)}
        for start in range(0, methods, _SHARD)
    ]
    digest = hashlib.sha256(about.encode()).hexdigest()
    write_json(corpus.manifest_path, {"methods": methods, "corpus_hash": digest, "shards": parts})


def _read_rows(base: CorpusFolder) -> Iterator[dict[str, Any]]:
    for methods, items in zip(base.shard_paths("methods"), base.shard_paths("items"), strict=True):
        tables = zip(
            iterate_tables(methods, METHOD_SCHEMA), iterate_tables(items, ITEM_SCHEMA), strict=True
        )
        for left, right in tables:
            for row, item in zip(left.to_pylist(), right.to_pylist(), strict=True):
                yield row | item


def _tables(
    rows: list[dict[str, Any]], names: list[str], ids: range, schema: pa.Schema
) -> Iterator[pa.Table]:
    for start in range(ids.start, ids.stop, 4096):
        made = []
        for id_ in range(start, min(start + 4096, ids.stop)):
            copy, position = divmod(id_, len(rows))
            row = _rename(rows[position], copy, names) if copy else rows[position]
            made.append({**row, "id": id_})
        yield pa.Table.from_pylist(made, schema)


def _rename(row: dict[str, Any], copy: int, names: list[str]) -> dict[str, Any]:
    rename = _renamer(copy, names)
    repository = f"{row['repository']}-{copy}"
    texts = [
        _IDENTIFIER.sub(rename, text) if kind in _NAMES else text
        for kind, text in zip(row["kinds"], row["texts"], strict=True)
    ]
    return row | {
        "repository": repository,
        "filepath": f"{repository}/{row['path']}",
        "method_name": _IDENTIFIER.sub(rename, row["method_name"]),
        "code": _IDENTIFIER.sub(rename, row["code"]),
        "texts": texts,
        "url": None,
    }


def _renamer(copy: int, names: list[str]) -> Callable[[re.Match[str]], str]:
    def rename(match: re.Match[str]) -> str:
        name = match[0]
        number = zlib.crc32(f"{copy} {name}".encode())
        if number % 10 < _KEPT or name in RESERVED:
            return name
        return names[number // 10 % len(names)]

    return rename
