"""``duplicates.csv``: the copies within a corpus, and the method that each one is a duplicate of.

Two files have the same text if they are equal without white space. Two repositories are forks if
they share most texts of the smaller one. A library is vendored if several repositories that are no
forks of each other share texts of its package.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.base.files.storage import iterate_tables, write_table
from ncsbench.corpus.layout.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA
from ncsbench.corpus.layout.documents import find_first_of_equal
from ncsbench.corpus.layout.layout import CorpusFolder, number_repositories
from ncsbench.corpus.layout.ledger_schema import (
    DUPLICATE_COLUMNS,
    FIRST_SCHEMA,
    LEDGER_SCHEMA,
    RULES,
    SIZE_BOUNDS,
    SIZES,
)
from ncsbench.corpus.methods.duplicate_methods import find_first

FORK_TEXTS = 10
"""Least number of texts that forks share."""
LIBRARY_TEXTS = 10
"""Least number of copied texts of a vendored library."""
PACKAGE_PARTS = 3
"""Parts of a package's name by which a library is known: ``com.google.gson``."""
COMMON_TEXT = 50
"""A text in more repositories than this says nothing about forks: their pairs would be too many."""

Numbers = NDArray[np.int64]


def read_files(ledger: Path) -> pd.DataFrame:
    """The Java files of a ledger that were taken, in its order.

    Returns:
        Columns ``repository`` (categories in the order of the ledger), ``bytes`` and ``text``
        (numbers of their hashes), ``library`` (category; its package begins with it; null in the
        unnamed package) and ``methods``, which were taken from the file.
    """
    columns = ["repository", "methods", "bytes_hash", "text_hash", "package"]
    tables = [
        table.filter(pc.is_valid(table["text_hash"]))
        for table in iterate_tables(ledger, LEDGER_SCHEMA, columns)
    ]
    empty = LEDGER_SCHEMA.empty_table().select(columns)
    files = pa.concat_tables([empty, *tables]).to_pandas()
    names = files["repository"].unique()
    files["repository"] = pd.Categorical(files["repository"], categories=names)
    parts = files.pop("package").astype("str").str.split(".").str[:PACKAGE_PARTS]
    for name in ("bytes", "text"):
        files[name] = files.pop(f"{name}_hash").factorize()[0]
    return files.assign(library=parts.str.join(".").astype("category"))


def find_forks(files: pd.DataFrame) -> list[tuple[int, int]]:
    """Pairs of repositories, by number, that share most texts and at least ``FORK_TEXTS``."""
    held = files[["text"]].assign(of=files["repository"].cat.codes).drop_duplicates()
    sizes = held["of"].value_counts()
    holders = held.groupby("text")["of"].transform("size")
    rare = held[holders.between(2, COMMON_TEXT)]
    pairs = rare.merge(rare, on="text").query("of_x < of_y")
    shared = pairs.groupby(["of_x", "of_y"]).size()
    one, other = (sizes.loc[shared.index.get_level_values(side)].to_numpy() for side in (0, 1))
    forks = shared[(shared >= FORK_TEXTS) & (2 * shared > np.minimum(one, other))]
    return [(int(one), int(other)) for one, other in forks.index]


def describe_fork(files: pd.DataFrame, one: int, other: int) -> dict[str, Any]:
    """Describe the files that two repositories share.

    Files of the smaller repository are counted, of equally large ones those of the later.
    """
    names = files["repository"].cat.categories
    codes = files["repository"].cat.codes.to_numpy()
    large, small = files[codes == one], files[codes == other]
    if len(small) > len(large):
        one, other, large, small = other, one, small, large
    copied = small[small["text"].isin(large["text"])]
    name = f"{names[one]} and {names[other]}"
    return _describe_shared("fork", name, small, copied) | {"repositories": 2}


def find_libraries(files: pd.DataFrame, forks: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Vendored libraries, the one with most copied methods first."""
    families = np.arange(len(files["repository"].cat.categories))
    for one, other in forks:
        families[families == families[other]] = families[one]
    held = files[["text"]].assign(family=families[files["repository"].cat.codes])
    several = held.groupby("text")["family"].transform("nunique") > 1
    copies = dict(list(files[several].groupby("library", observed=True)))
    found = [
        _describe_shared("library", str(name), every, copies[name])
        for name, every in files.groupby("library", observed=True)
        if name in copies
    ]
    vendored = [row for row in found if row["clusters"] >= LIBRARY_TEXTS]
    return sorted(vendored, key=lambda row: (-row["methods"], row["name"]))


def _describe_shared(
    kind: str, name: str, every: pd.DataFrame, copied: pd.DataFrame
) -> dict[str, Any]:
    """A row about ``every`` file of a repository or library, of which others have ``copied``."""
    return {
        "kind": kind,
        "name": name,
        "repositories": copied["repository"].nunique(),
        "total": len(every),
        "clusters": copied["text"].nunique(),
        "copies": len(copied),
        "methods": int(copied["methods"].sum()),
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
    shares = [row["methods"] / max(int(files["methods"].sum()), 1) for row in rows]
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


def _describe_files(files: pd.DataFrame) -> Iterator[dict[str, Any]]:
    repositories = files["repository"].cat.codes.to_numpy()
    for name in ("bytes", "text"):
        first = find_first_of_equal(files[name].to_numpy())
        methods = int(files["methods"][first != np.arange(len(first))].sum())
        of_files = {"repositories": len(files["repository"].cat.categories), "methods": methods}
        yield {
            "kind": "files",
            "name": f"equal_{name}",
            **count_clusters(first, repositories),
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
