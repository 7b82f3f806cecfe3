"""``duplicates.csv``: what a corpus holds twice, and which method each one is a duplicate of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.artifacts.storage import iterate_tables, write_table
from ncsbench.corpus.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.duplicate_tables import (
    DUPLICATE_COLUMNS,
    FIRST_SCHEMA,
    RULES,
    SIZE_BOUNDS,
    SIZES,
)
from ncsbench.corpus.file_copies import (
    JavaFiles,
    describe_fork,
    find_forks,
    find_libraries,
    read_files,
)
from ncsbench.corpus.first_methods import find_first
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.repository_numbers import number_repositories


@dataclass(frozen=True)
class ClusterCounts:
    """Clusters of more than one member.

    Attributes:
        total: members of all clusters, and of those of one.
        clusters: their number.
        across: of them with members in several repositories.
        copies: members but the first of each.
        largest: members of the largest; 0 without clusters.
        sizes: number of clusters of each class of ``SIZE_BOUNDS``.
    """

    total: int
    clusters: int
    across: int
    copies: int
    largest: int
    sizes: tuple[int, ...]


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
    every = int(files.methods.sum())
    rows = [*_describe_files(files)]
    for rule, first in found.items():
        counts = count_clusters(first, repositories)
        of_rule = {"repositories": len(names), "methods": counts.copies, "every": counts.total}
        rows.append({"kind": "methods", "name": rule, **vars(counts), **of_rule})
    write_rows(output, DUPLICATE_COLUMNS, [_show({"every": every, **row}, dataset) for row in rows])


def _show(row: dict[str, Any], dataset: str) -> Row:
    """Cells of a row; ``every`` is of how many methods those of the row are a share."""
    shares = {
        "share": row["copies"] / max(row["total"], 1),
        "methods_share": row["methods"] / max(row["every"], 1),
    }
    cells = {**row, **dict(zip(SIZES, row.get("sizes", ()), strict=False)), "dataset": dataset}
    cells |= {name: f"{share:.4f}" for name, share in shares.items()}
    return {name: str(cells.get(name, "")) for name in DUPLICATE_COLUMNS}


def _read(corpus: CorpusFolder, columns: list[str]) -> Iterator[pa.Table]:
    of_items = set(columns) <= set(ITEM_SCHEMA.names)
    kind, schema = ("items", ITEM_SCHEMA) if of_items else ("methods", METHOD_SCHEMA)
    for path in corpus.shard_paths(kind):
        yield from iterate_tables(path, schema, columns)


def _describe_files(files: JavaFiles) -> Iterator[dict[str, Any]]:
    for name, codes in (("equal_bytes", files.bytes), ("equal_text", files.texts)):
        first = find_first_of_equal(codes)
        methods = int(files.methods[first != np.arange(len(first))].sum())
        of_files = {"repositories": len(files.names), "methods": methods}
        counts = count_clusters(first, files.repositories)
        yield {"kind": "files", "name": name, **vars(counts), **of_files}
    forks = find_forks(files)
    for one, other in forks:
        yield {"kind": "fork", **vars(describe_fork(files, one, other))}
    for library in find_libraries(files, forks):
        yield {"kind": "library", **vars(library)}


def count_clusters(first: NDArray[np.int64], repositories: NDArray[np.int64]) -> ClusterCounts:
    """Count clusters.

    Args:
        first: position of the first member of each one's cluster, shape (members,).
        repositories: number of the repository of each, the same shape.
    """
    sizes = np.bincount(first, minlength=len(first))
    sizes = sizes[sizes > 1]
    bounds = [*SIZE_BOUNDS, np.iinfo(np.int64).max]
    return ClusterCounts(
        total=len(first),
        clusters=len(sizes),
        across=len(np.unique(first[repositories != repositories[first]])),
        copies=int(sizes.sum()) - len(sizes),
        largest=int(sizes.max(initial=0)),
        sizes=tuple(np.histogram(sizes, bounds)[0].tolist()),
    )


def find_first_of_equal(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Position of the first of equal numbers, int64, the same shape."""
    _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
    return first[numbers].astype(np.int64)
