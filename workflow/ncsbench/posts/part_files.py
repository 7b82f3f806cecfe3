"""Files between the passes over a dump: records of posts, ledgers, sets of ids.

Row groups of records have borders that depend only on the records. A set of ids is a bit array of
at most 128 MiB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ncsbench.artifacts.storage import atomic_path, map_array, write_array
from ncsbench.errors import DataError

POSTS, LEDGER, IDS, COUNTS = "posts.parquet", "ledger.parquet", "ids.npy", "counts.json"
"""Files of a part: its posts, ledger lines, ids of all its questions, numbers of its rows."""

ALL_IDS, TAKEN_IDS = "all.npy", "taken.npy"
"""Files between the passes: ids of all questions of the dump, and of those that were taken."""

GROUP_ROWS = 2048
GROUP_BYTES = 4 << 20
"""A row group ends with the record that reaches one of these (bytes of its bodies)."""

_MOST = 1 << 27
_STEP = 1 << 16
"""Bytes of a set of ids: all that it may have, and of which its file has a multiple."""


def part_folders(folder: Path, parts: int) -> list[Path]:
    """Where a pass keeps each part, in the order of the dump."""
    return [folder / f"{part:04}" for part in range(parts)]


@contextmanager
def open_records(path: Path, schema: pa.Schema) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Write a Parquet file one record at a time; it gets its name only when complete.

    Args:
        path: file to write.
        schema: that every record fits.

    Yields:
        A function that takes a record.
    """
    records: list[Mapping[str, Any]] = []
    size = 0

    def flush() -> None:
        nonlocal size
        if records:
            writer.write_table(pa.Table.from_pylist(records, schema=schema))
        records.clear()
        size = 0

    def add(record: Mapping[str, Any]) -> None:
        nonlocal size
        records.append(record)
        size += len(record.get("body", "").encode())
        if len(records) >= GROUP_ROWS or size >= GROUP_BYTES:
            flush()

    # Bodies are all different and may be huge: a dictionary or statistics would hold a copy more.
    plain = {"use_dictionary": False, "write_statistics": False}
    with (
        atomic_path(path) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd", **plain) as writer,
    ):
        yield add
        flush()


def regroup(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows, in the groups that ``open_records`` would write, however they were grouped."""
    waiting: list[pa.Table] = []
    rows = size = 0
    for table in tables:
        start = 0
        for row, length in enumerate(pc.binary_length(table["body"]).to_pylist(), 1):
            rows, size = rows + 1, size + length
            if rows >= GROUP_ROWS or size >= GROUP_BYTES:
                yield pa.concat_tables([*waiting, table.slice(start, row - start)]).combine_chunks()
                waiting, start, rows, size = [], row, 0, 0
        if start < table.num_rows:
            waiting.append(table.slice(start))
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()


class IdSet:
    """A set of ids from 0 up to 2^30."""

    def __init__(self) -> None:
        self._bits: Any = np.zeros(_MOST, np.uint8).data  # takes memory where ids are put in alone
        self._end = 0

    def add(self, number: int) -> None:
        """Put in an id."""
        position = number >> 3
        self._bits[position] |= 1 << (number & 7)
        self._end = max(self._end, position)

    def update(self, path: Path) -> None:
        """Put in the ids of a saved set."""
        read = _map_ids(path)
        own = np.frombuffer(self._bits, np.uint8)
        own[: len(read)] |= read
        self._end = max(self._end, len(read) - 1)

    def __contains__(self, number: int) -> bool:
        position = number >> 3
        return position < len(self._bits) and bool(self._bits[position] & 1 << (number & 7))

    def save(self, path: Path) -> None:
        """Write the bits; the file depends on the ids only."""
        size = (self._end // _STEP + 1) * _STEP
        write_array(path, np.frombuffer(self._bits, np.uint8, size))


def _map_ids(path: Path) -> NDArray[np.uint8]:
    """The bits of a saved set by memory map; ``DataError`` for any other array."""
    bits = map_array(path)
    if bits.dtype != np.uint8 or bits.ndim != 1:
        raise DataError(f"{path}: is not a set of ids")
    return bits


def load_ids(path: Path) -> IdSet:
    """A saved set, to be asked; it is mapped and not read, and must not grow."""
    ids = IdSet()
    ids._bits = _map_ids(path).data
    return ids
