"""Joins extracted shards to a corpus: dense ids, a manifest with the corpus hash, one ledger."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables, read_json, write_json, write_tables
from ncsbench.corpus.layout.corpus_schemas import (
    EXTRACTED_SCHEMA,
    ITEM_SCHEMA,
    METHOD_SCHEMA,
    PLACE_SCHEMA,
)
from ncsbench.corpus.layout.corpus_settings import CorpusSettings, Duplicates
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger import join_ledgers, summarise, warn_of_lost
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA
from ncsbench.corpus.methods.duplicate_methods import find_first
from ncsbench.corpus.sources.inventory import INVENTORY_SCHEMA, REPOSITORY
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_protocol import NOT_FOUND, find_folder
from ncsbench.errors import DataError

_LOG = logging.getLogger(__name__)


def make_corpus(
    settings: CorpusSettings,
    inventory: Path,
    extracted: Path,
    output: CorpusFolder,
    released: Path | None = None,
) -> None:
    """Number the methods of all shards and write the corpus; warn of files that gave no method.

    Args:
        settings: source of the files, number of shards, and the duplicates that are left out.
        inventory: table of what was listed, ``INVENTORY_SCHEMA``.
        extracted: folder of the methods and ledgers of the shards.
        output: folder of the corpus to write.
        released: counts of the released list that the methods were taken from, as JSON.
    """
    names = [f"{shard:04}" for shard in range(settings.shards)]
    build_corpus(
        extracted=[extracted / f"{name}.parquet" for name in names],
        ledgers=[extracted / f"{name}.ledger.parquet" for name in names],
        inventory=inventory,
        corpus=output,
        duplicates=settings.duplicates,
        source_path=settings.source.path,
        released=released,
    )
    warn_of_lost(inventory, output.ledger_path)


def build_corpus(
    *,
    extracted: list[Path],
    ledgers: list[Path],
    inventory: Path,
    corpus: CorpusFolder,
    duplicates: Duplicates = "kept",
    source_path: str = "",
    released: Path | None = None,
) -> None:
    """Number the methods of all shards and write corpus, ledger and manifest.

    The ledger counts what was extracted, also methods that are left out as duplicates.

    Args:
        extracted: shards of ``EXTRACTED_SCHEMA`` in order.
        ledgers: their ledgers.
        inventory: table of the listed files (``INVENTORY_SCHEMA``).
        corpus: folder to write.
        duplicates: ``kept``, or the kind of duplicates of an earlier method that are left out; the
            earlier one represents them.
        source_path: ``source.path`` of the dataset file, to say where a repository was looked for.
        released: counts of the released list that the methods were taken from (``write_spans``);
            the manifest repeats them.

    Raises:
        DataError: no repository gave a method.
    """
    summary = summarise(join_ledgers(inventory, ledgers))
    if summary["methods"] == 0:
        reasons = ", ".join(f"{text}: {count}" for text, count in summary["skipped"].items())
        raise DataError(
            f"the corpus is empty: no repository gave a method ({reasons or 'none'})"
            f"{_name_missing(inventory, source_path) or _name_list(released)}"
        )
    sizes = [sum(map(len, iterate_tables(path, EXTRACTED_SCHEMA, ["lines"]))) for path in extracted]
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
    write_tables(corpus.ledger_path, join_ledgers(inventory, ledgers), LEDGER_SCHEMA)
    about = {
        **summary,
        "methods": offset,
        "duplicates": duplicates,
        "left_out": {**summary["left_out"], "duplicates": len(places)},
        "corpus_hash": digest.hexdigest(),
        "shards": shards,
        **({} if released is None else {"released": read_json(released)}),
    }
    write_json(corpus.manifest_path, about)


def _name_missing(inventory: Path, source_path: str) -> str:
    """Name the place where the first absent repository was looked for, and the remedy."""
    columns = ["repository", "kind", "reason"]
    for table in iterate_tables(inventory, INVENTORY_SCHEMA, columns) if source_path else ():
        is_head = pc.equal(table["kind"], REPOSITORY)
        found = table.filter(pc.and_(is_head, pc.is_in(table["reason"], pa.array(NOT_FOUND))))
        if len(found):
            owner, _, name = found["repository"][0].as_py().partition("/")
            folder = find_folder(source_path, Repository(owner, name, None))
            return (
                f"; there is no {folder}: put it there, or change 'source.path' in the dataset file"
            )
    return ""


def _name_list(released: Path | None) -> str:
    """Name the remedy where a released list fits none of the files."""
    if released is None:
        return ""
    return (
        f"; none of the {read_json(released)['methods']:,} places of 'released_methods' is there: "
        "build the corpus without the list, and ncsbench corpus compare says how the two differ"
    )


def _number_methods(
    extracted: list[Path], count: int, duplicates: Duplicates
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The id of every method, or of the one that represents it, and whether it is kept."""
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
