"""Joins extracted shards to a corpus: dense ids, a manifest with the corpus hash, one ledger."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ncsbench.artifacts.storage import iterate_tables, read_table, write_json, write_tables
from ncsbench.corpus.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.extraction import EXTRACTED_SCHEMA
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.ledger_schema import LEDGER_SCHEMA
from ncsbench.corpus.repositories import Repository
from ncsbench.corpus.sources import NOT_FOUND, find_folder
from ncsbench.errors import DataError


def build_corpus(
    *,
    extracted: list[Path],
    ledgers: list[Path],
    rejected: list[tuple[str, str]],
    corpus: CorpusFolder,
    source_path: str = "",
) -> None:
    """Number the methods of all shards and write corpus, ledger and manifest.

    Args:
        extracted: shards of ``EXTRACTED_SCHEMA`` in order.
        ledgers: their ledgers.
        rejected: lines of the repository list that name no repository, with the reason.
        corpus: where to write; the rejected lines come first in its ledger.
        source_path: ``source.path`` of the dataset file, to say where a repository was looked for.

    Raises:
        DataError: no repository gave a method.
    """
    first = [
        {"repository": text, "path": None, "status": "skipped", "reason": reason, "methods": 0}
        for text, reason in rejected
    ]
    tables = [read_table(path, LEDGER_SCHEMA) for path in ledgers]
    entries = pa.concat_tables([pa.Table.from_pylist(first, LEDGER_SCHEMA), *tables])
    summary = _summarise(entries)
    if summary["methods"] == 0:
        reasons = ", ".join(f"{text}: {count}" for text, count in summary["skipped"].items())
        raise DataError(
            f"the corpus is empty: no repository gave a method ({reasons or 'none'})"
            f"{_name_missing(entries, source_path)}"
        )
    digest = hashlib.sha256()
    offset = 0
    shards = []
    methods = corpus.shard_paths("methods", len(extracted))
    items = corpus.shard_paths("items", len(extracted))
    for source, method_path, item_path in zip(extracted, methods, items, strict=True):
        write_tables(method_path, _numbered(source, METHOD_SCHEMA, offset, digest), METHOD_SCHEMA)
        write_tables(item_path, _numbered(source, ITEM_SCHEMA, offset, None), ITEM_SCHEMA)
        count = sum(len(table) for table in iterate_tables(item_path, ITEM_SCHEMA, ["id"]))
        shards.append({"first_id": offset, "methods": count})
        offset += count
    write_tables(corpus.ledger_path, [entries], LEDGER_SCHEMA)
    write_json(
        corpus.manifest_path, {**summary, "corpus_hash": digest.hexdigest(), "shards": shards}
    )


def _name_missing(ledger: pa.Table, source_path: str) -> str:
    """Where the first repository that is not there was looked for, and what to do."""
    missing = ledger.filter(pc.is_in(ledger["reason"], pa.array(NOT_FOUND)))
    if not source_path or not len(missing):
        return ""
    owner, _, name = missing["repository"][0].as_py().partition("/")
    folder = find_folder(source_path, Repository(owner, name, None))
    return f"; there is no {folder}: put it there, or change 'source.path' in the dataset file"


def _numbered(
    source: Path, schema: pa.Schema, offset: int, digest: hashlib._Hash | None
) -> Iterator[pa.Table]:
    columns = [name for name in schema.names if name != "id"]
    for table in iterate_tables(source, EXTRACTED_SCHEMA, columns):
        if digest is not None:
            for row in table.select(["filepath", "start_line", "end_line", "code"]).to_pylist():
                # No field contains a NUL, so fields cannot be confused.
                digest.update("\0".join([*map(str, row.values()), ""]).encode())
        ids = pa.array(np.arange(offset, offset + len(table)), pa.int64())
        offset += len(table)
        yield table.add_column(0, "id", ids)


def _summarise(ledger: pa.Table) -> dict[str, Any]:
    of_files = pc.is_valid(ledger["path"])
    files, repositories = ledger.filter(of_files), ledger.filter(pc.invert(of_files))
    return {
        "repositories": _count(repositories["status"]),
        "files": _count(files["status"]),
        "skipped": _count(_reasons(ledger, "skipped")),
        "remarks": _count(_reasons(files, "taken")),
        "methods": pc.sum(files["methods"]).as_py() or 0,
    }


def _reasons(table: pa.Table, status: str) -> pa.ChunkedArray:
    return table.filter(pc.equal(table["status"], status))["reason"].drop_null()


def _count(values: pa.ChunkedArray) -> dict[str, int]:
    # Without the sizes in parentheses, which would make every file a reason of its own.
    return dict(sorted(Counter(value.split(" (")[0] for value in values.to_pylist()).items()))
