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
"""A training pair. ``source`` names the origin of the pair (``stackoverflow``, ``github`` or that
of a file), ``key`` is unique and names the position there; ``licence`` is the licence of the code.
For a method of a corpus, ``class_name`` is the name of the type around the method, ``comments`` the
comments before the method with its docstring, each on lines of its own. Unknown texts are empty."""


def iterate_pairs(paths: Iterable[Path], *columns: str) -> Iterator[tuple[str, ...]]:
    """Yield some columns of every pair of files of ``PAIR_SCHEMA``; reads a few thousand at a time.

    Raises:
        DataError: for a file that holds no pairs.
    """
    for path in paths:
        for table in iterate_tables(path, PAIR_SCHEMA, [*columns]):
            yield from zip(*(table[name].to_pylist() for name in columns), strict=True)
