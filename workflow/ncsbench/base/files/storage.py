"""Atomic, deterministic reading and writing of artifacts.

A file or folder under its final name is complete: everything is written under a temporary name
in the same folder and renamed at the end, so that a process killed at any moment leaves nothing
that a later run takes for finished. Jobs of the workflow record the checksum of what they write and
check it when they read (``ncsbench.base.files.hashes``).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ncsbench.base.files import hashes
from ncsbench.base.files.corpus_stamps import check_stamp, read_stamp, stamp_schema
from ncsbench.base.files.temporary_files import final_path, temporary_path
from ncsbench.base.files.temporary_files import remove_leftovers as remove_leftovers  # noqa: PLC0414
from ncsbench.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq


@contextlib.contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; rename it to ``path`` when the block succeeds.

    Raises:
        DataError: with the file and the reason, where it cannot be written.
    """
    temporary = temporary_path(path)
    with _explained(path, temporary):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            yield temporary
            # A kill at any moment leaves no record, or a record of the bytes that are there.
            hashes.forget_file(path)
            temporary.replace(path)
            _record([path], None)
        finally:
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder beside ``path``; at the end it replaces ``path``.

    Raises:
        DataError: with the folder and the reason, where it cannot be written.
    """
    temporary = temporary_path(path)
    with _explained(path, temporary):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(temporary, ignore_errors=True)
            temporary.mkdir()
            yield temporary
            hashes.forget_folder(path)
            if path.exists():
                shutil.rmtree(path)
            temporary.replace(path)
            _record(sorted(path.rglob("*")), path)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


@contextlib.contextmanager
def _explained(path: Path, temporary: Path) -> Iterator[None]:
    """Raise ``DataError`` with file and reason for an error of the system that lacks the file."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            named = Path(str(error.filename))
            if named not in (path, path.parent) and temporary not in (named, *named.parents):
                raise  # the error is of another file and names that file
        reason = os.strerror(error.errno) if error.errno else f"{error}; is the disk full?"
        raise DataError(f"{final_path(path)}: cannot be written ({reason})") from error


def _record(files: Iterable[Path], folder: Path | None) -> None:
    """Record the files that were written; where that fails, remove files and records again."""
    done: list[Path] = []
    try:
        for path in files:
            done.append(path)
            if path.is_file():
                hashes.record_file(path, folder)
    except OSError as error:
        for path in done:
            hashes.forget_file(path)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            done[0].unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror) from error


def copy_file(source: Path, target: Path) -> None:
    """Copy a file atomically, after checking that its bytes are those that were written."""
    hashes.check_file(source)
    with atomic_path(target) as temporary:
        shutil.copyfile(source, temporary)


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8 with the line ends it has, atomically."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(text.encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` as indented JSON with sorted keys, atomically."""
    write_text(path, format_json(value))


def format_json(value: Any) -> str:
    """Return the text that ``write_json`` writes."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read_json(path: Path) -> Any:
    """Read a JSON file; ``DataError`` where it is missing, damaged or malformed."""
    hashes.check_file(path)
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
    return _load_array(path, None)


def map_array(path: Path) -> np.ndarray[Any, Any]:
    """Open a ``.npy`` file by memory map; changes of the array never reach the file."""
    # Copy on write: for compiled functions the array has the same type as one in memory.
    return _load_array(path, "c")


def _load_array(path: Path, mode: Literal["c"] | None) -> np.ndarray[Any, Any]:
    import numpy as np

    hashes.check_file(path)
    try:
        return np.asarray(np.load(path, mmap_mode=mode, allow_pickle=False))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as an array ({error})") from error


def write_table(
    path: Path,
    table: pa.Table,
    schema: pa.Schema,
    *,
    corpus_hash: str | None = None,
    compact: bool = False,
) -> None:
    """Write ``table`` as Parquet (zstd) after casting it to exactly ``schema``, atomically."""
    write_tables(path, [table], schema, corpus_hash=corpus_hash, compact=compact)


def write_tables(
    path: Path,
    tables: Iterable[pa.Table],
    schema: pa.Schema,
    *,
    corpus_hash: str | None = None,
    compact: bool = False,
) -> None:
    """Stream tables of one schema into a Parquet file (one row group or more each), atomically.

    The bytes depend only on the rows, their division into tables and ``corpus_hash``, the corpus
    whose method ids the rows hold (``base.files.corpus_stamps``). ``compact`` takes more time and a
    fifth less room: integers are written as differences.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    stamped = schema if corpus_hash is None else stamp_schema(schema, corpus_hash)
    options: dict[str, Any] = {"compression": "zstd"}
    if compact:
        integers = [field.name for field in schema if pa.types.is_integer(field.type)]
        options |= {
            "compression_level": 19,
            "column_encoding": dict.fromkeys(integers, "DELTA_BINARY_PACKED"),
            "use_dictionary": [field.name for field in schema if pa.types.is_string(field.type)],
        }
    with atomic_path(path) as temporary:
        with pq.ParquetWriter(temporary, stamped, **options) as writer:
            for table in tables:
                try:
                    fitting = table.select(schema.names).cast(schema)
                except (KeyError, pa.ArrowException) as error:
                    raise DataError(
                        f"{final_path(path)}: rows do not fit the schema ({error})"
                    ) from error
                writer.write_table(fitting)


def read_table(path: Path, schema: pa.Schema, columns: list[str] | None = None) -> pa.Table:
    """Read ``columns`` (default: all) of a Parquet file that must have exactly ``schema``."""
    import pyarrow as pa

    tables = list(iterate_tables(path, schema, columns))
    fields = schema if columns is None else pa.schema([schema.field(name) for name in columns])
    return pa.concat_tables(tables) if tables else fields.empty_table()


def iterate_tables(
    path: Path, schema: pa.Schema, columns: list[str] | None = None, rows: int = 8192
) -> Iterator[pa.Table]:
    """Stream a Parquet file that must have exactly ``schema``, at most ``rows`` rows at a time.

    A file with method ids must belong to the corpus of the other files
    (``base.files.corpus_stamps``).
    """
    import pyarrow as pa

    with _open_parquet(path, schema) as file:
        for batch in file.iter_batches(rows, columns=columns, use_threads=False):
            yield pa.Table.from_batches([batch])


def iterate_row_groups(
    path: Path,
    schema: pa.Schema,
    columns: list[str] | None = None,
    groups: Iterable[int] | None = None,
) -> Iterator[tuple[int, pa.Table]]:
    """Stream row groups of a Parquet file that must have exactly ``schema``, with their numbers.

    Args:
        path: the file.
        schema: that the file must have.
        columns: to read; None for all.
        groups: numbers of the row groups to read, in the order wanted; None for all.
    """
    with _open_parquet(path, schema) as file:
        for group in range(file.num_row_groups) if groups is None else groups:
            yield group, file.read_row_group(group, columns=columns, use_threads=False)


@contextlib.contextmanager
def _open_parquet(path: Path, schema: pa.Schema) -> Iterator[pq.ParquetFile]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    hashes.check_file(path)
    try:
        file = pq.ParquetFile(path, pre_buffer=False)  # else all columns stay in memory
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"{path}: cannot be read as Parquet ({error})") from error
    with file:
        if not file.schema_arrow.equals(schema):
            raise DataError(f"{path}: does not have the expected columns {schema.names}")
        check_stamp(path, schema, file.schema_arrow)
        try:
            yield file
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{path}: is damaged ({error})") from error


def read_corpus_hash(path: Path) -> str:
    """Return the hash of the corpus that a Parquet file belongs to; empty where it names none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    hashes.check_file(path)
    try:
        return read_stamp(pq.read_schema(path))
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"{path}: cannot be read as Parquet ({error})") from error


def hash_bytes(data: bytes) -> str:
    """Return the SHA-256 as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
