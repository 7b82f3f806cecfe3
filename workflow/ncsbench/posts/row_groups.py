"""Writes and joins records in Parquet row groups whose borders depend only on the records."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ncsbench.artifacts.hashes import check_file
from ncsbench.artifacts.storage import atomic_path
from ncsbench.errors import DataError

GROUP_ROWS = 2048
GROUP_BYTES = 4 << 20
"""A row group ends with the record that reaches one of these (bytes of its bodies)."""


class RecordFile:
    """A Parquet file that takes records one by one; it gets its name only when complete."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._path, self._schema = path, schema
        self._stack = contextlib.ExitStack()
        self._records: list[Mapping[str, Any]] = []
        self._bytes = 0

    def __enter__(self) -> RecordFile:
        temporary = self._stack.enter_context(atomic_path(self._path))
        self._writer = self._stack.enter_context(
            pq.ParquetWriter(
                temporary,
                self._schema,
                compression="zstd",
                # Bodies are all different and may be huge: each of these would hold one more copy.
                use_dictionary=False,
                write_statistics=False,
            )
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._flush()
        self._stack.__exit__(kind, error, trace)

    def add(self, record: Mapping[str, Any]) -> None:
        """Take a record that fits the schema."""
        self._records.append(record)
        self._bytes += len(record.get("body", "").encode())
        if len(self._records) >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._records:
            self._writer.write_table(pa.Table.from_pylist(self._records, schema=self._schema))
        self._records, self._bytes = [], 0


def iterate_groups(path: Path, schema: pa.Schema) -> Iterator[pa.Table]:
    """Stream a file written here by its row groups, so that no more than one is held."""
    check_file(path)
    try:
        file = pq.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"{path}: cannot be read as Parquet ({error})") from error
    with file:
        if not file.schema_arrow.equals(schema):
            raise DataError(f"{path}: does not have the expected columns {schema.names}")
        for group in range(file.num_row_groups):
            try:
                yield file.read_row_group(group)
            except (OSError, pa.ArrowException) as error:
                raise DataError(f"{path}: is damaged ({error})") from error


def regroup(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows, in the groups that ``RecordFile`` would write, however they were grouped."""
    waiting: list[pa.Table] = []
    rows = size = 0
    for table in tables:
        lengths = (
            pc.binary_length(table["body"]).to_pylist() if "body" in table.schema.names else []
        )
        start = 0
        for row in range(table.num_rows):
            rows, size = rows + 1, size + (lengths[row] if lengths else 0)
            if rows >= GROUP_ROWS or size >= GROUP_BYTES:
                yield pa.concat_tables(
                    [*waiting, table.slice(start, row + 1 - start)]
                ).combine_chunks()
                waiting, start, rows, size = [], row + 1, 0, 0
        if start < table.num_rows:
            waiting.append(table.slice(start))
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()
