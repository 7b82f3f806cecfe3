"""The files of a built corpus: their paths, and how to read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.corpus_stamps import note_corpus
from ncsbench.base.files.storage import iterate_tables, read_json
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.corpus.layout.corpus_schemas import ITEM_SCHEMA, METHOD_SCHEMA, PLACE_SCHEMA
from ncsbench.corpus.layout.corpus_settings import Duplicates
from ncsbench.errors import ConfigurationError, DataError, nearest

_FEW = 500
"""Largest number of methods whose rows are read one by one."""


@dataclass(frozen=True)
class CorpusFolder:
    """``manifest.json``, ``ledger.parquet``, ``methods/0000.parquet`` ..., ``items/0000.parquet``.

    ``duplicates.parquet`` has the places of methods of which the corpus has no row, since another
    method represents them. Only the shards that the manifest names count: a folder may hold more
    from an earlier run.
    """

    path: Path

    @property
    def manifest_path(self) -> Path:
        """Path of the manifest: counts, shards and the corpus hash."""
        return self.path / "manifest.json"

    @property
    def ledger_path(self) -> Path:
        """Path of the ledger: the files that were taken or left out (``LEDGER_SCHEMA``)."""
        return self.path / "ledger.parquet"

    @property
    def inventory_path(self) -> Path:
        """Path of the inventory: the contents of the sources (``INVENTORY_SCHEMA``)."""
        return self.path / "inventory.parquet"

    @property
    def duplicates_path(self) -> Path:
        """Path of the places of methods that another represents (``PLACE_SCHEMA``)."""
        return self.path / "duplicates.parquet"

    def check_built(self) -> None:
        """Raise ``DataError`` where the folder holds no corpus."""
        if not self.manifest_path.is_file():
            raise DataError(
                f"{self.path}: holds no built corpus; make one in data/NAME/corpus: "
                "snakemake --cores all corpus --config dataset=NAME"
            )

    def manifest(self) -> dict[str, Any]:
        """The manifest of a built corpus."""
        manifest: dict[str, Any] = read_json(self.manifest_path)
        note_corpus(self.manifest_path, manifest.get("corpus_hash", ""))
        return manifest

    def shard_paths(self, kind: str, shards: int | None = None) -> list[Path]:
        """Paths of the shards of ``methods`` or ``items``, as many as the manifest names."""
        count = len(self.manifest()["shards"]) if shards is None else shards
        return [self.path / kind / f"{shard:04}.parquet" for shard in range(count)]

    def iterate_methods(self, columns: list[str]) -> Iterator[pa.Table]:
        """Stream columns of all methods in id order.

        Raises:
            ConfigurationError: for a column that there is not; Arrow would leave it out.
        """
        known = METHOD_SCHEMA.names
        for name in columns:
            if name not in known:
                raise ConfigurationError(f"methods have no column {name!r}; {nearest(name, known)}")
        for path in self.shard_paths("methods"):
            yield from iterate_tables(path, METHOD_SCHEMA, columns)

    def iterate_places(self) -> Iterator[pa.Table]:
        """Stream places (``PLACE_SCHEMA``): all methods, then those that another represents."""
        yield from self.iterate_methods(PLACE_SCHEMA.names)
        if self._duplicates() != "kept":
            yield from iterate_tables(self.duplicates_path, PLACE_SCHEMA)

    def check_duplicates(self, expected: Duplicates) -> None:
        """Raise an error where a dataset names other ``duplicates`` than the corpus was built with.

        Raises:
            ConfigurationError: with a line that names both.
        """
        if (built := self._duplicates()) != expected:
            raise ConfigurationError(
                f"{self.manifest_path}: the corpus was built with 'duplicates: {built}', but the "
                f"dataset says '{expected}'; build it again or change the dataset file"
            )

    def _duplicates(self) -> str:
        # Older corpora, and generated ones, say nothing and keep all.
        return str(self.manifest().get("duplicates", "kept"))

    def iterate_shard(self, shard: int, columns: list[str]) -> Iterator[pa.Table]:
        """Stream columns of the methods of one shard in id order."""
        paths = self.shard_paths("methods")
        if not 0 <= shard < len(paths):
            raise ConfigurationError(f"{self.path}: has no shard {shard}, only {len(paths)} from 0")
        return iterate_tables(paths[shard], METHOD_SCHEMA, columns)

    def read_lines(self) -> NDArray[np.int32]:
        """Number of lines of every method, int32, shape (methods,), index = method id."""
        tables = self.iterate_methods(["lines"])
        return np.concatenate([table["lines"].to_numpy() for table in tables])

    def read_methods(self, ids: Iterable[int], columns: list[str]) -> dict[int, dict[str, Any]]:
        """Columns of some methods by id; only the shards that hold them are read.

        Raises:
            DataError: where the corpus has no method with one of the ids.
        """
        asked = set(ids)
        wanted = sorted(asked)
        firsts = [shard["first_id"] for shard in self.manifest()["shards"]]
        shards = np.unique(np.searchsorted(firsts, wanted, side="right") - 1).tolist()
        found = {
            row["id"]: row
            for shard in shards
            if shard >= 0
            for table in self.iterate_shard(shard, ["id", *columns])
            for row in _take_rows(table, asked)
        }
        missing = [id_ for id_ in wanted if id_ not in found]
        if missing:
            raise DataError(f"{self.path}: has no method {missing[0]}; build the corpus again")
        return found


def _take_rows(table: pa.Table, ids: set[int]) -> list[dict[str, Any]]:
    """Return the rows of a table whose column ``id`` is one of ``ids``, in the table's order."""
    if len(ids) > _FEW:
        import pyarrow.compute as pc

        wanted = pa.array(sorted(ids), pa.int64())
        rows: list[dict[str, Any]] = table.filter(pc.is_in(table["id"], wanted)).to_pylist()
        return rows
    # pyarrow's functions, and its arrays from lists, take as long to import as all of a search.
    places = [place for place, id_ in enumerate(table["id"].to_pylist()) if id_ in ids]
    return [row for place in places for row in table.slice(place, 1).to_pylist()]


def number_repositories(corpus: CorpusFolder) -> tuple[NDArray[np.int64], list[str]]:
    """Number of the repository of every method, from 0 by name, and the names in this order.

    Returns:
        int64, shape (methods,), index = method id; ``owner/name`` of each repository that has one.
    """
    numbers: dict[str, int] = {}
    parts = [np.zeros(0, np.int64)]
    for table in corpus.iterate_methods(["repository"]):
        names = table["repository"].combine_chunks().dictionary_encode()
        known = [numbers.setdefault(n, len(numbers)) for n in names.dictionary.to_pylist()]
        parts.append(np.array(known, np.int64)[names.indices.to_numpy()])
    return np.concatenate(parts), list(numbers)


def iterate_leading_comments(corpus: CorpusFolder) -> Iterator[list[str]]:
    """The comments directly before each method, with their marks, in the order of the ids.

    They are the items before the name of the class, of which every method has one.
    """
    for path in corpus.shard_paths("items"):
        for table in iterate_tables(path, ITEM_SCHEMA, ["kinds", "texts"]):
            kinds, texts = (table[name].combine_chunks() for name in ("kinds", "texts"))
            lengths = kinds.value_lengths().to_numpy()
            names = np.flatnonzero(kinds.flatten().to_numpy() == ItemKind.CLASS_NAME)
            before = np.arange(lengths.sum()) < np.repeat(names, lengths)
            comments = texts.flatten().filter(pa.array(before)).to_pylist()
            stops = np.cumsum(names - (np.cumsum(lengths) - lengths)).tolist()
            for start, stop in zip([0, *stops], stops, strict=False):
                yield comments[start:stop]
