"""Joins extracted shards to a corpus: dense ids, a manifest with the corpus hash, one ledger."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.storage import iterate_tables, read_table, write_json, write_tables
from ncsbench.corpus.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA, PLACE_SCHEMA
from ncsbench.corpus.corpus_settings import Duplicates
from ncsbench.corpus.extraction import EXTRACTED_SCHEMA
from ncsbench.corpus.first_methods import find_first
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.ledger_schema import COUNTS, LEDGER_SCHEMA, LEFT_OUT
from ncsbench.corpus.repositories import Repository
from ncsbench.corpus.source_folders import find_folder
from ncsbench.corpus.source_protocol import NOT_FOUND
from ncsbench.errors import DataError

_LOG = logging.getLogger(__name__)


def build_corpus(
    *,
    extracted: list[Path],
    ledgers: list[Path],
    rejected: list[tuple[str, str]],
    corpus: CorpusFolder,
    duplicates: Duplicates = "kept",
    source_path: str = "",
) -> None:
    """Number the methods of all shards and write corpus, ledger and manifest.

    The ledger counts what was extracted, also methods that are left out as duplicates.

    Args:
        extracted: shards of ``EXTRACTED_SCHEMA`` in order.
        ledgers: their ledgers.
        rejected: lines of the repository list that name no repository, with the reason.
        corpus: where to write; the rejected lines come first in its ledger.
        duplicates: whether methods that are duplicates of an earlier one are kept; else the
            earlier one stands for them.
        source_path: ``source.path`` of the dataset file, to say where a repository was looked for.

    Raises:
        DataError: no repository gave a method.
    """
    first = [
        {
            **{"repository": text, "path": None, "status": "skipped", "reason": reason},
            **dict.fromkeys(COUNTS, 0),
        }
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
    sizes = [_count_methods(path) for path in extracted]
    ids, kept = _number_methods(extracted, sum(sizes), duplicates)
    digest = hashlib.sha256()
    end = offset = 0
    shards, left_out = [], [PLACE_SCHEMA.empty_table()]
    paths = (corpus.shard_paths(kind, len(extracted)) for kind in ("methods", "items"))
    for source, size, methods, items in zip(extracted, sizes, *paths, strict=True):
        start, end = end, end + size
        part = ids[start:end], kept[start:end]
        write_tables(methods, _digested(_take(source, METHOD_SCHEMA, *part), digest), METHOD_SCHEMA)
        write_tables(items, _take(source, ITEM_SCHEMA, *part), ITEM_SCHEMA)
        left_out += _take(source, PLACE_SCHEMA, part[0], ~part[1])
        shards.append({"first_id": offset, "methods": int(part[1].sum())})
        offset += shards[-1]["methods"]
    # In one piece, so that its bytes do not depend on the shards.
    places = pa.concat_tables(left_out).combine_chunks()
    write_tables(corpus.duplicates_path, [places], PLACE_SCHEMA)
    write_tables(corpus.ledger_path, [entries], LEDGER_SCHEMA)
    about = {
        **summary,
        "methods": offset,
        "duplicates": duplicates,
        "left_out": {**summary["left_out"], "duplicates": len(places)},
        "corpus_hash": digest.hexdigest(),
        "shards": shards,
    }
    write_json(corpus.manifest_path, about)


def _name_missing(ledger: pa.Table, source_path: str) -> str:
    """Where the first repository that is not there was looked for, and what to do."""
    missing = ledger.filter(pc.is_in(ledger["reason"], pa.array(NOT_FOUND)))
    if not source_path or not len(missing):
        return ""
    owner, _, name = missing["repository"][0].as_py().partition("/")
    folder = find_folder(source_path, Repository(owner, name, None))
    return f"; there is no {folder}: put it there, or change 'source.path' in the dataset file"


def _count_methods(source: Path) -> int:
    return sum(len(table) for table in iterate_tables(source, EXTRACTED_SCHEMA, ["lines"]))


def _number_methods(
    extracted: list[Path], count: int, duplicates: Duplicates
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The id of every method, or of the one that stands for it, and whether it is kept."""
    positions = np.arange(count)
    if duplicates == "kept":
        return positions, np.ones(count, np.bool_)

    def read(columns: list[str]) -> Iterator[pa.Table]:
        for path in extracted:
            yield from iterate_tables(path, EXTRACTED_SCHEMA, columns)

    first = find_first(duplicates, read)
    kept = first == positions
    _LOG.info("%d of %d methods are duplicates of an earlier one", count - kept.sum(), count)
    return (np.cumsum(kept) - 1)[first], kept


def _take(
    source: Path, schema: pa.Schema, ids: NDArray[np.int64], chosen: NDArray[np.bool_]
) -> Iterator[pa.Table]:
    """The chosen methods of a shard with their ids; both arrays have the shape (methods,)."""
    columns = [name for name in schema.names if name != "id"]
    start = 0
    for table in iterate_tables(source, EXTRACTED_SCHEMA, columns):
        part = slice(start, start + len(table))
        start = part.stop
        numbered = table.add_column(0, schema.field("id"), pa.array(ids[part]))
        yield numbered.filter(pa.array(chosen[part]))


def _digested(tables: Iterator[pa.Table], digest: hashlib._Hash) -> Iterator[pa.Table]:
    for table in tables:
        for row in table.select(["filepath", "start_line", "end_line", "code"]).to_pylist():
            # No field contains a NUL, so fields cannot be confused.
            digest.update("\0".join([*map(str, row.values()), ""]).encode())
        yield table


def _summarise(ledger: pa.Table) -> dict[str, Any]:
    of_files = pc.is_valid(ledger["path"])
    files, repositories = ledger.filter(of_files), ledger.filter(pc.invert(of_files))
    return {
        "repositories": _count(repositories["status"]),
        "files": _count(files["status"]),
        "skipped": _count(_reasons(ledger, "skipped")),
        "remarks": _count(_reasons(files, "taken")),
        "methods": _sum(files["methods"]),
        "left_out": {name: _sum(files[name]) for name in LEFT_OUT},
    }


def _sum(counts: pa.ChunkedArray) -> int:
    return pc.sum(counts).as_py() or 0


def _reasons(table: pa.Table, status: str) -> pa.ChunkedArray:
    return table.filter(pc.equal(table["status"], status))["reason"].drop_null()


def _count(values: pa.ChunkedArray) -> dict[str, int]:
    # Without the sizes in parentheses, which would make every file a reason of its own.
    return dict(sorted(Counter(value.split(" (")[0] for value in values.to_pylist()).items()))
