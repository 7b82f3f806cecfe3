"""``duplicates.csv``: what a corpus holds twice, and which method each one is a duplicate of.

Two files have the same text if they are equal without white space. Two repositories are forks if
they share most texts of the smaller one. A library is vendored if several repositories that are no
forks of each other share texts of its package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.artifacts.storage import iterate_tables, write_table
from ncsbench.corpus.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.documents import find_first_of_equal
from ncsbench.corpus.duplicate_methods import find_first
from ncsbench.corpus.layout import CorpusFolder, number_repositories
from ncsbench.corpus.ledger_schema import (
    DUPLICATE_COLUMNS,
    FIRST_SCHEMA,
    LEDGER_SCHEMA,
    RULES,
    SIZE_BOUNDS,
    SIZES,
)

FORK_TEXTS = 10
"""Least number of texts that forks share."""
LIBRARY_TEXTS = 10
"""Least number of copied texts of a vendored library."""
PACKAGE_PARTS = 3
"""Parts of a package's name by which a library is known: ``com.google.gson``."""
COMMON_TEXT = 50
"""A text in more repositories than this says nothing about forks: their pairs would be too many."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class JavaFiles:
    """The Java files that were read, in the order of the ledger; arrays of shape (files,).

    Attributes:
        names: of the repositories, in order.
        repositories: number of each file's repository.
        bytes: number of its bytes' hash, equal where this is.
        texts: number of its text's hash, likewise.
        libraries: number of the library of its package; -1 in the unnamed package.
        library_names: of the libraries.
        methods: number of methods that were taken from it.
    """

    names: list[str]
    repositories: Numbers
    bytes: Numbers
    texts: Numbers
    libraries: Numbers
    library_names: list[str]
    methods: Numbers


@dataclass(frozen=True)
class Shared:
    """What a fork shares with another repository, or a library's copies.

    Attributes:
        name: of the two repositories, the smaller one last, or of the library.
        repositories: that hold it.
        total: files of the smaller repository, or of the library.
        clusters: distinct texts that are shared.
        copies: files with a shared text.
        methods: of these files.
    """

    name: str
    repositories: int
    total: int
    clusters: int
    copies: int
    methods: int


def read_files(ledger: Path) -> JavaFiles:
    """The files of a ledger that were taken."""
    columns = ["repository", "methods", "bytes_hash", "text_hash", "package"]
    tables = [
        table.filter(pc.is_valid(table["text_hash"]))
        for table in iterate_tables(ledger, LEDGER_SCHEMA, columns)
    ]
    empty = LEDGER_SCHEMA.empty_table().select(columns)
    table = pa.concat_tables([empty, *tables]).combine_chunks()
    repositories, names = _number(table["repository"])
    packages, package_names = _number(table["package"])
    libraries = [".".join(name.split(".")[:PACKAGE_PARTS]) for name in package_names]
    library_names = sorted(set(libraries))
    places = {name: place for place, name in enumerate(library_names)}
    # The last stands for -1, the unnamed package.
    numbers = np.array([*(places[name] for name in libraries), -1], np.int64)
    return JavaFiles(
        names=names,
        repositories=repositories,
        bytes=_number(table["bytes_hash"])[0],
        texts=_number(table["text_hash"])[0],
        libraries=numbers[packages],
        library_names=library_names,
        methods=table["methods"].to_numpy().astype(np.int64),
    )


def _number(column: pa.ChunkedArray) -> tuple[Numbers, list[str]]:
    encoded = column.combine_chunks().dictionary_encode()
    return encoded.indices.fill_null(-1).to_numpy().astype(np.int64), encoded.dictionary.to_pylist()


def find_forks(files: JavaFiles) -> list[tuple[int, int]]:
    """Pairs of repositories, by number, that share at least ``FORK_TEXTS`` and most texts."""
    count = max(len(files.names), 1)
    texts, holders = np.divmod(np.unique(files.texts * count + files.repositories), count)
    held = np.bincount(holders, minlength=count)
    pairs, shared = _count_pairs(texts, holders, count)
    one, other = np.divmod(pairs, count)
    forks = (shared >= FORK_TEXTS) & (2 * shared > np.minimum(held[one], held[other]))
    return list(zip(one[forks].tolist(), other[forks].tolist(), strict=True))


def _count_pairs(texts: Numbers, holders: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """Pairs of repositories as ``one * count + other``, and how many texts they share."""
    pairs, shared = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for found in _pairs_by_size(texts, holders, count):
        every, places = np.unique(np.concatenate([pairs, found]), return_inverse=True)
        weights = np.concatenate([shared, np.ones(len(found), np.int64)])
        pairs, shared = every, np.bincount(places, weights).astype(np.int64)
    return pairs, shared


def _pairs_by_size(texts: Numbers, holders: Numbers, count: int) -> Iterator[Numbers]:
    """Pairs that share a text, each time that they do, by the number of the text's holders."""
    _, starts, sizes = np.unique(texts, return_index=True, return_counts=True)
    for size in range(2, COMMON_TEXT + 1):
        chosen = holders[starts[sizes == size][:, None] + np.arange(size)]
        one, other = np.triu_indices(size, 1)
        yield (chosen[:, one] * count + chosen[:, other]).ravel()


def describe_fork(files: JavaFiles, one: int, other: int) -> Shared:
    """What two repositories share; of the smaller, of equal ones the later, files are counted."""
    large, small = files.repositories == one, files.repositories == other
    if small.sum() > large.sum():
        one, other, large, small = other, one, small, large
    copied = small & np.isin(files.texts, files.texts[large])
    return Shared(
        name=f"{files.names[one]} and {files.names[other]}",
        repositories=2,
        total=int(small.sum()),
        clusters=len(np.unique(files.texts[copied])),
        copies=int(copied.sum()),
        methods=int(files.methods[copied].sum()),
    )


def find_libraries(files: JavaFiles, forks: list[tuple[int, int]]) -> list[Shared]:
    """Vendored libraries, the one with most copied methods first."""
    families = np.arange(len(files.names))
    for one, other in forks:
        families[families == families[other]] = families[one]
    of_files = families[files.repositories]
    held = np.unique(files.texts * max(len(families), 1) + of_files) // max(len(families), 1)
    several = np.bincount(held, minlength=int(files.texts.max(initial=-1)) + 1) > 1
    copied = several[files.texts] & (files.libraries >= 0)
    count = len(files.library_names)
    totals = np.bincount(files.libraries[files.libraries >= 0], minlength=count)
    copies = np.bincount(files.libraries[copied], minlength=count)
    methods = np.bincount(files.libraries[copied], files.methods[copied], minlength=count)
    holders = _count_distinct(files.libraries[copied], files.repositories[copied], count)
    texts = _count_distinct(files.libraries[copied], files.texts[copied], count)
    found = [
        Shared(
            name=files.library_names[library],
            repositories=int(holders[library]),
            total=int(totals[library]),
            clusters=int(texts[library]),
            copies=int(copies[library]),
            methods=int(methods[library]),
        )
        for library in np.flatnonzero(texts >= LIBRARY_TEXTS).tolist()
    ]
    return sorted(found, key=lambda one: (-one.methods, one.name))


def _count_distinct(owners: Numbers, values: Numbers, count: int) -> Numbers:
    """How many distinct values each of ``count`` owners has."""
    width = int(values.max(initial=0)) + 1
    return np.bincount(np.unique(owners * width + values) // width, minlength=count)


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
