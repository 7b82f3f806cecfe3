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

from ncsbench.artifacts.csv_tables import name_cells, write_rows
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
Flags = NDArray[np.bool_]


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
    rare = np.bincount(texts)[texts] <= COMMON_TEXT
    texts, holders = texts[rare], holders[rare]
    found = [np.zeros(0, np.int64)]
    for step in range(1, COMMON_TEXT):  # the holders of a text follow each other, ascending
        same = texts[step:] == texts[:-step]
        found.append(holders[:-step][same] * count + holders[step:][same])
    pairs, shared = np.unique(np.concatenate(found), return_counts=True)
    one, other = np.divmod(pairs, count)
    forks = (shared >= FORK_TEXTS) & (2 * shared > np.minimum(held[one], held[other]))
    return list(zip(one[forks].tolist(), other[forks].tolist(), strict=True))


def describe_fork(files: JavaFiles, one: int, other: int) -> dict[str, Any]:
    """What two repositories share; of the smaller, of equal ones the later, files are counted."""
    large, small = files.repositories == one, files.repositories == other
    if small.sum() > large.sum():
        one, other, large, small = other, one, small, large
    copied = small & np.isin(files.texts, files.texts[large])
    name = f"{files.names[one]} and {files.names[other]}"
    return _describe_shared(files, "fork", name, small, copied) | {"repositories": 2}


def find_libraries(files: JavaFiles, forks: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Vendored libraries, the one with most copied methods first."""
    families = np.arange(len(files.names))
    for one, other in forks:
        families[families == families[other]] = families[one]
    count = max(len(families), 1)
    held = np.unique(files.texts * count + families[files.repositories]) // count
    several = np.bincount(held, minlength=int(files.texts.max(initial=-1)) + 1) > 1
    copied = several[files.texts] & (files.libraries >= 0)
    found = []
    for library in np.flatnonzero(np.bincount(files.libraries[copied]) >= LIBRARY_TEXTS).tolist():
        every = files.libraries == library
        name = files.library_names[library]
        found.append(_describe_shared(files, "library", name, every, copied & every))
    vendored = [row for row in found if row["clusters"] >= LIBRARY_TEXTS]
    return sorted(vendored, key=lambda row: (-row["methods"], row["name"]))


def _describe_shared(
    files: JavaFiles, kind: str, name: str, every: Flags, copied: Flags
) -> dict[str, Any]:
    """A row about ``every`` file of a repository or library, of which others have ``copied``."""
    return {
        "kind": kind,
        "name": name,
        "repositories": len(np.unique(files.repositories[copied])),
        "total": int(every.sum()),
        "clusters": len(np.unique(files.texts[copied])),
        "copies": int(copied.sum()),
        "methods": int(files.methods[copied].sum()),
    }


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
    rows = list(_describe_files(files))
    shares = [row["methods"] / max(int(files.methods.sum()), 1) for row in rows]
    for rule, first in found.items():
        counts = count_clusters(first, repositories)
        of_rule = {"repositories": len(names), "methods": counts["copies"]}
        rows.append({"kind": "methods", "name": rule, **counts, **of_rule})
        shares.append(counts["copies"] / max(counts["total"], 1))
    for row, share in zip(rows, shares, strict=True):
        copied = row["copies"] / max(row["total"], 1)
        row |= {"dataset": dataset, "share": f"{copied:.4f}", "methods_share": f"{share:.4f}"}
    cells = ([row.get(name, "") for name in DUPLICATE_COLUMNS] for row in rows)
    write_rows(output, DUPLICATE_COLUMNS, name_cells(DUPLICATE_COLUMNS, cells))


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
        yield {
            "kind": "files",
            "name": name,
            **count_clusters(first, files.repositories),
        } | of_files
    forks = find_forks(files)
    yield from (describe_fork(files, *pair) for pair in forks)
    yield from find_libraries(files, forks)


def count_clusters(first: Numbers, repositories: Numbers) -> dict[str, int]:
    """Count clusters of more than one member.

    Args:
        first: position of the first member of each one's cluster, shape (members,).
        repositories: number of the repository of each, the same shape.

    Returns:
        ``total``: all members, also of clusters of one; ``clusters``; ``across``: those with
        members in several repositories; ``copies``: members but the first of each; ``largest``: its
        members, 0 without clusters; and the number of clusters of each class of ``SIZES``.
    """
    sizes = np.bincount(first, minlength=len(first))
    sizes = sizes[sizes > 1]
    by_size, _ = np.histogram(sizes, [*SIZE_BOUNDS, np.iinfo(np.int64).max])
    return {
        "total": len(first),
        "clusters": len(sizes),
        "across": len(np.unique(first[repositories != repositories[first]])),
        "copies": int(sizes.sum()) - len(sizes),
        "largest": int(sizes.max(initial=0)),
        **dict(zip(SIZES, by_size.tolist(), strict=True)),
    }
