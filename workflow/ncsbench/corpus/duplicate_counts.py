"""``duplicates.csv``: what a corpus holds twice, and which method each one is a duplicate of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.artifacts.storage import iterate_tables, write_table
from ncsbench.corpus.cluster_counts import ClusterCounts, count_clusters, find_first_of_equal
from ncsbench.corpus.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.duplicate_tables import DUPLICATE_COLUMNS, FIRST_SCHEMA, RULES, SIZES
from ncsbench.corpus.file_copies import (
    JavaFiles,
    Shared,
    describe_fork,
    find_forks,
    find_libraries,
    read_files,
)
from ncsbench.corpus.first_methods import find_first
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.repository_numbers import number_repositories


def write_duplicates(corpus: CorpusFolder, dataset: str, firsts: Path, output: Path) -> None:
    """Count copied files, forks, vendored libraries and duplicate methods of a corpus.

    Args:
        corpus: folder of a built corpus.
        dataset: name of the dataset, for the table.
        firsts: table to write of which method each one is a duplicate of, ``FIRST_SCHEMA``.
        output: CSV with ``DUPLICATE_COLUMNS`` to write.
    """
    repositories, names = number_repositories(corpus)
    found = {rule: find_first(rule, lambda columns: _read(corpus, columns)) for rule in RULES}
    table = pa.table([np.arange(len(repositories)), *found.values()], schema=FIRST_SCHEMA)
    write_table(firsts, table, FIRST_SCHEMA, corpus_hash=corpus.manifest()["corpus_hash"])
    files = read_files(corpus.ledger_path)
    rows = [*_describe_files(files)]
    for rule, first in found.items():
        counts = count_clusters(first, repositories)
        rows.append(_cluster_row("methods", rule, counts, len(names), counts.copies, counts.total))
    write_rows(output, DUPLICATE_COLUMNS, [{"dataset": dataset, **row} for row in rows])


def _read(corpus: CorpusFolder, columns: list[str]) -> Iterator[pa.Table]:
    of_items = set(columns) <= set(ITEM_SCHEMA.names)
    kind, schema = ("items", ITEM_SCHEMA) if of_items else ("methods", METHOD_SCHEMA)
    for path in corpus.shard_paths(kind):
        yield from iterate_tables(path, schema, columns)


def _describe_files(files: JavaFiles) -> Iterator[Row]:
    every = int(files.methods.sum())
    for name, codes in (("equal_bytes", files.bytes), ("equal_text", files.texts)):
        first = find_first_of_equal(codes)
        copied = first != np.arange(len(first))
        counts = count_clusters(first, files.repositories)
        methods = int(files.methods[copied].sum())
        yield _cluster_row("files", name, counts, len(files.names), methods, every)
    forks = find_forks(files)
    for one, other in forks:
        yield _shared_row("fork", describe_fork(files, one, other), every)
    for library in find_libraries(files, forks):
        yield _shared_row("library", library, every)


def _cluster_row(
    kind: str, name: str, counts: ClusterCounts, repositories: int, methods: int, every: int
) -> Row:
    return {
        "kind": kind,
        "name": name,
        "repositories": str(repositories),
        "total": str(counts.total),
        "clusters": str(counts.clusters),
        "across": str(counts.across),
        "copies": str(counts.copies),
        "share": _share(counts.copies, counts.total),
        "methods": str(methods),
        "methods_share": _share(methods, every),
        "largest": str(counts.largest),
        **dict(zip(SIZES, map(str, counts.sizes), strict=True)),
    }


def _shared_row(kind: str, shared: Shared, every: int) -> Row:
    return {
        **dict.fromkeys(DUPLICATE_COLUMNS[1:], ""),
        "kind": kind,
        "name": shared.name,
        "repositories": str(shared.repositories),
        "total": str(shared.total),
        "clusters": str(shared.clusters),
        "copies": str(shared.copies),
        "share": _share(shared.copies, shared.total),
        "methods": str(shared.methods),
        "methods_share": _share(shared.methods, every),
    }


def _share(part: int, whole: int) -> str:
    return f"{part / max(whole, 1):.4f}"
