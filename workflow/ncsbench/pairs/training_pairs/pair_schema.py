"""Training pairs: their Arrow schema, and how files of them are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.storage import iterate_tables

PAIR_SCHEMA = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in (
            "query",
            "code",
            "source",
            "key",
            "licence",
            "code_url",
            "code_author",
            "code_author_url",
            "query_url",
            "query_author",
            "query_author_url",
            "query_licence",
            "class_name",
            "comments",
        )
    ]
)
"""A training pair. ``source`` says what it was made from (``stackoverflow`` or ``github``), ``key``
is unique and names the position there; ``licence`` is the code's. ``class_name`` and ``comments``
are what a method of a corpus has beside its code: the name of the type around it, and the comments
before it with its docstring, each on lines of its own. Unknown texts are empty."""


def iterate_pairs(paths: Iterable[Path], *columns: str) -> Iterator[tuple[str, ...]]:
    """Some texts of every pair of files of ``PAIR_SCHEMA``, a few thousand pairs at a time.

    Raises:
        DataError: for a file that holds no pairs.
    """
    for path in paths:
        for table in iterate_tables(path, PAIR_SCHEMA, [*columns]):
            yield from zip(*(table[name].to_pylist() for name in columns), strict=True)
