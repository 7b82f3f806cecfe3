"""Atomic, deterministic reading and writing of artifacts.

A file or folder under its final name is complete: everything is written under a temporary name
in the same folder and renamed at the end, so that a process killed at any moment leaves nothing
that a later run takes for finished.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ncsbench.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


@contextlib.contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; rename it to ``path`` when the block succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder beside ``path`` that takes its place at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    try:
        yield temporary
        if path.exists():
            shutil.rmtree(path)
        temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8 with the line ends it has, atomically."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` as indented JSON with sorted keys, atomically."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON file; ``DataError`` where it is missing or malformed."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:  # also numbers too long, lists too deep
        raise DataError(f"{path}: is not valid JSON ({error})") from error


def write_array(path: Path, array: np.ndarray[Any, Any]) -> None:
    """Write one NumPy array as ``.npy`` without pickle, atomically."""
    import numpy as np

    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.save(file, array, allow_pickle=False)


def read_array(path: Path) -> np.ndarray[Any, Any]:
    """Read a ``.npy`` file; ``DataError`` where it cannot be read."""
    import numpy as np

    try:
        array: np.ndarray[Any, Any] = np.load(path, allow_pickle=False)
        return array
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as an array ({error})") from error


def map_array(path: Path) -> np.ndarray[Any, Any]:
    """Open a ``.npy`` file by memory map; what is written to the array never reaches the file."""
    import numpy as np

    try:
        # Copy on write: compiled functions take it for the same type as an array in memory.
        return np.asarray(np.load(path, mmap_mode="c", allow_pickle=False))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as an array ({error})") from error


def write_table(path: Path, table: pa.Table, schema: pa.Schema) -> None:
    """Write ``table`` as Parquet (zstd) after casting it to exactly ``schema``, atomically."""
    write_tables(path, [table], schema)


def write_tables(path: Path, tables: Iterable[pa.Table], schema: pa.Schema) -> None:
    """Stream tables of one schema into a Parquet file (one row group or more each), atomically.

    The result does not depend on anything but the rows and their division into tables.
    """
    import pyarrow.parquet as pq

    with atomic_path(path) as temporary:
        with pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
            for table in tables:
                writer.write_table(_checked(path, table, schema))


def read_table(path: Path, schema: pa.Schema, columns: list[str] | None = None) -> pa.Table:
    """Read ``columns`` (default: all) of a Parquet file that must have exactly ``schema``."""
    import pyarrow as pa

    tables = list(iterate_tables(path, schema, columns))
    fields = schema if columns is None else pa.schema([schema.field(name) for name in columns])
    return pa.concat_tables(tables) if tables else fields.empty_table()


def iterate_tables(
    path: Path, schema: pa.Schema, columns: list[str] | None = None, rows: int = 8192
) -> Iterator[pa.Table]:
    """Stream a Parquet file that must have exactly ``schema``, at most ``rows`` rows at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path, pre_buffer=False)  # else all columns stay in memory
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"{path}: cannot be read as Parquet ({error})") from error
    with file:
        if not file.schema_arrow.equals(schema):
            raise DataError(f"{path}: does not have the expected columns {schema.names}")
        try:
            for batch in file.iter_batches(batch_size=rows, columns=columns):
                yield pa.Table.from_batches([batch])
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{path}: is damaged ({error})") from error


def hash_bytes(data: bytes) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def _checked(path: Path, table: pa.Table, schema: pa.Schema) -> pa.Table:
    import pyarrow as pa

    try:
        return table.select(schema.names).cast(schema)
    except (KeyError, pa.ArrowException) as error:
        raise DataError(f"{path}: rows do not fit the schema ({error})") from error
