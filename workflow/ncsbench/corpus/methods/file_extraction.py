"""Extracts the contents of repositories' files, as a stream, with a ledger line for each file.

Methods and functions are both extracted in this way; a function that the caller gives decides which
parts of a text are taken.
"""

from __future__ import annotations

import gc
import logging
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.base.files.storage import write_table, write_tables
from ncsbench.base.text.file_decoding import decode_source
from ncsbench.corpus.sources.inventory import Part
from ncsbench.corpus.sources.source_protocol import Source, SourceError, SourceFile
from ncsbench.errors import DataError

_ROWS = 4096
_LOG = logging.getLogger(__name__)
_PACKAGE = re.compile(r"^[ \t]*+package[ \t]++([\w.]++)[ \t]*+;", re.MULTILINE)
_ASCII_BLANKS = bytes(byte for byte in range(128) if chr(byte).isspace())
_HASH_BYTES = 8


@dataclass(frozen=True)
class Taken:
    """The rows that are taken of one file, and the cells of its line in the ledger.

    Attributes:
        rows: with a cell ``code`` each, in text order.
        counts: cells of the file's line in the ledger.
        remarks: on parts that may be read wrongly; empty ones do not count.
    """

    rows: Sequence[Mapping[str, Any]]
    counts: Mapping[str, Any]
    remarks: Sequence[str]


def extract_files(
    parts: Iterable[Part],
    source: Source,
    take: Callable[[Part, str, str], Taken],
    *,
    rows: tuple[Path, pa.Schema],
    ledger: tuple[Path, pa.Schema],
    counted: str,
    characters: float = math.inf,
) -> None:
    """Write the rows taken of files, and the ledger, each as a Parquet file with its schema.

    Args:
        parts: the files in corpus order.
        source: the source of the files.
        take: gives the rows of a file, from its part, its path and its text.
        rows: path and schema of the table of rows.
        ledger: path and schema of a table with a line for each file; its 32-bit integers are 0
            for a file that is left out.
        counted: the column of these integers that counts the rows.
        characters: rows are written at the latest when their code has so many characters.

    Raises:
        DataError: where a repository is gone that was listed before.
    """
    (path, schema), (ledger_path, ledger_schema) = rows, ledger
    lines: list[dict[str, Any]] = []

    def iterate() -> Iterator[pa.Table]:
        integers = (field.name for field in ledger_schema if pa.types.is_int32(field.type))
        nothing = dict.fromkeys(integers, 0)
        found: list[Mapping[str, Any]] = []
        length = 0
        for part in parts:
            start, name = len(lines), part.repository.full_name
            for file in _read_files(part, source):
                about = {"repository": name, "path": file.path, **nothing}
                if file.data is None:
                    lines.append(about | {"status": "skipped", "reason": file.reason or None})
                    continue
                text, remark = decode_source(file.data)
                taken = take(part, file.path, text)
                reason = ", ".join(filter(None, [remark, *taken.remarks])) or None
                lines.append(about | {"status": "taken", "reason": reason, **taken.counts})
                lines[-1] |= describe_text(file.data, text)
                found += taken.rows
                length += sum(len(row["code"]) for row in taken.rows)
                if len(found) >= _ROWS or length >= characters:
                    yield pa.Table.from_pylist(found, schema)
                    found, length = [], 0
            count = sum(line[counted] for line in lines[start:])
            _LOG.info("%s: %d %s in %d files", name, count, counted, len(lines) - start)
        if found:
            yield pa.Table.from_pylist(found, schema)

    # Millions of syntax nodes are created and none is part of a cycle: the search for cycles would
    # take about a twentieth of the time.
    gc.disable()
    try:
        write_tables(path, iterate(), schema)
    finally:
        gc.enable()
    write_table(ledger_path, pa.Table.from_pylist(lines, ledger_schema), ledger_schema)


def _read_files(part: Part, source: Source) -> Iterator[SourceFile]:
    wanted = [file.path for file in part.files if not file.reason]
    with still_readable(part.repository.full_name):
        found = source.read_files(part.repository, part.commit, wanted)
        for file in part.files:
            yield SourceFile(file.path, None, file.reason) if file.reason else next(found)


@contextmanager
def still_readable(repository: str) -> Iterator[None]:
    """Raise ``DataError`` with a remedy where a listed repository can no longer be read."""
    try:
        yield
    except (SourceError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DataError(
            f"{repository}: was listed and cannot be read now ({reason}); "
            "make its source readable and run the same command again"
        ) from error


def describe_text(data: bytes, text: str) -> dict[str, str | None]:
    """The cells of ``FILE_TEXT_FIELDS`` of one file, by which copies and libraries are known.

    Args:
        data: the file.
        text: the same, decoded. White space does not count, so that line ends and indentation of a
            copy may differ.
    """
    package = _PACKAGE.search(text)
    if text.isascii():
        plain = text.encode().translate(None, _ASCII_BLANKS)
    else:
        plain = "".join(text.split()).encode("utf-8", "replace")
    return {
        "bytes_hash": blake2b(data, digest_size=_HASH_BYTES).hexdigest(),
        "text_hash": blake2b(plain, digest_size=_HASH_BYTES).hexdigest(),
        "package": package and package[1],
    }
