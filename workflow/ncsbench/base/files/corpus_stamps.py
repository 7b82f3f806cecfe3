"""The corpus that a file belongs to: named where the file is written, checked where it is read.

A method id is a position in one corpus. Where a repository is lost, all later ids name other
methods, so that files of two corpora fit together without any error and with wrong results. So
every file of method ids carries the corpus hash: a TREC run in its tag, a Parquet file in its
metadata, an index in its manifest. A command works on one corpus (``one_corpus``): that of the
first file that it reads; a file of another corpus ends the command with an error.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from ncsbench.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

_KEY = b"ncsbench.corpus"
_DIGITS = 12
"""Digits of the hash in a tag: that two of a thousand corpora agree in them has p < 10^-8."""
_TAG = re.compile(rf"(.*)@([0-9a-f]{{{_DIGITS}}})")

_first: ContextVar[list[tuple[Path, str]] | None] = ContextVar("corpus_of_files", default=None)


@contextlib.contextmanager
def one_corpus() -> Iterator[list[tuple[Path, str]]]:
    """Let all files of method ids within the block belong to one corpus, or fail.

    Code that reads two corpora on purpose opens such a block for each. Outside a block nothing is
    compared.

    Yields:
        The first file that named its corpus, with the hash; empty until a file did.
    """
    noted: list[tuple[Path, str]] = []
    token = _first.set(noted)
    try:
        yield noted
    finally:
        _first.reset(token)


def note_corpus(path: Path, corpus_hash: str) -> None:
    """Note the corpus of a file that is read, and compare it with that of files before.

    Args:
        path: the file.
        corpus_hash: the hash or its beginning; empty where it is not known.

    Raises:
        DataError: where a file read before in this block belongs to another corpus; names both.
    """
    noted = _first.get()
    if noted is None or not corpus_hash:
        return
    if noted:
        check_same_corpus(path, corpus_hash, *noted[0])
    else:
        noted.append((path, corpus_hash))


def check_same_corpus(path: Path | str, corpus_hash: str, other: Path | str, known: str) -> None:
    """Raise ``DataError`` with both names unless the hashes, or their beginnings, are equal."""
    digits = min(len(corpus_hash), len(known))
    if corpus_hash[:digits] != known[:digits]:
        raise DataError(
            f"{path}: belongs to corpus {corpus_hash[:_DIGITS]}, but {other} to corpus "
            f"{known[:_DIGITS]}, where method ids name other methods; make the older of the two "
            "again, or take both from one corpus"
        )


def tag_run(name: str, corpus_hash: str) -> str:
    """Return the tag of a run: its name and the begin of the corpus hash, ``ncs@3f2a0c9d1b7e``."""
    return f"{name}@{corpus_hash[:_DIGITS]}"


def split_tag(tag: str) -> tuple[str, str]:
    """Split the tag of a run into name and corpus; the corpus is empty where the tag lacks it."""
    found = _TAG.fullmatch(tag)
    return (found[1], found[2]) if found else (tag, "")


def of_corpus(schema: pa.Schema) -> pa.Schema:
    """Mark a schema whose rows hold method ids: its files name their corpus, and are checked."""
    return stamp_schema(schema, "")


def stamp_schema(schema: pa.Schema, corpus_hash: str) -> pa.Schema:
    """Return the schema with the corpus hash in its metadata."""
    return schema.with_metadata({_KEY: corpus_hash.encode()})


def read_stamp(schema: pa.Schema) -> str:
    """Read the corpus hash in the metadata of a schema; empty where it is absent."""
    stamp: bytes = (schema.metadata or {}).get(_KEY, b"")
    return stamp.decode("ascii", "replace")


def check_stamp(path: Path, expected: pa.Schema, found: pa.Schema) -> None:
    """Check the corpus of a Parquet file whose schema ``expected`` is marked by ``of_corpus``.

    Raises:
        DataError: where the file belongs to another corpus than a file read before, or is of a
            version that wrote no corpus.
    """
    if _KEY not in (expected.metadata or {}) or _first.get() is None:
        return
    corpus_hash = read_stamp(found)
    if not corpus_hash:
        raise DataError(
            f"{path}: does not say to which corpus its method ids belong, as files of version "
            "0.3.0 and before; make it again"
        )
    note_corpus(path, corpus_hash)
