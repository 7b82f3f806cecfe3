"""Which corpus a file belongs to: said where the file is written, checked where it is read.

A method id is a position in one corpus. Where a repository is lost, all later ids name other
methods, so that files of two corpora fit together without any error and with wrong results. So
every file of method ids carries the corpus hash: a TREC run in its tag, a Parquet file in its
metadata, an index in its manifest. A command works on one corpus (``one_corpus``): the first file
that it reads says which, and a file of another one ends it.
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
"""Of the hash that a tag has: that two of a thousand corpora agree in them has p < 10^-8."""
_TAG = re.compile(rf"(.*)@([0-9a-f]{{{_DIGITS}}})")

_first: ContextVar[list[tuple[Path, str]] | None] = ContextVar("corpus_of_files", default=None)


@contextlib.contextmanager
def one_corpus() -> Iterator[list[tuple[Path, str]]]:
    """Within the block all files of method ids must belong to one corpus.

    What reads two corpora on purpose opens such a block for each. Outside a block nothing is
    compared.

    Yields:
        The first file that named its corpus, with the hash; empty until one did.
    """
    noted: list[tuple[Path, str]] = []
    token = _first.set(noted)
    try:
        yield noted
    finally:
        _first.reset(token)


def note_corpus(path: Path, corpus_hash: str) -> None:
    """Say that a file that is read belongs to a corpus.

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
    """The tag of a run: its name and the beginning of the corpus hash, ``ncs@3f2a0c9d1b7e``."""
    return f"{name}@{corpus_hash[:_DIGITS]}"


def split_tag(tag: str) -> tuple[str, str]:
    """Name and corpus of the tag of a run; the corpus is empty where the tag names none."""
    found = _TAG.fullmatch(tag)
    return (found[1], found[2]) if found else (tag, "")


def of_corpus(schema: pa.Schema) -> pa.Schema:
    """Mark a schema whose rows hold method ids: its files say of which corpus, and are checked."""
    return stamp_schema(schema, "")


def stamp_schema(schema: pa.Schema, corpus_hash: str) -> pa.Schema:
    """The schema with the corpus hash in its metadata."""
    return schema.with_metadata({_KEY: corpus_hash.encode()})


def read_stamp(schema: pa.Schema) -> str:
    """The corpus hash in the metadata of a schema; empty where there is none."""
    stamp: bytes = (schema.metadata or {}).get(_KEY, b"")
    return stamp.decode("ascii", "replace")


def check_stamp(path: Path, expected: pa.Schema, found: pa.Schema) -> None:
    """Check the corpus of a Parquet file whose schema ``expected`` is marked by ``of_corpus``.

    Raises:
        DataError: where the file belongs to another corpus than one read before, or is of a
            version that did not say it.
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
