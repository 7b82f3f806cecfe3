"""Pairs that are remembered: words of queries, and the names in the code that answers them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.artifacts.storage import iterate_tables
from ncsbench.languages.search_fields import read_search_fields
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.text.words import split_words

MEMORY = "memory.parquet"
"""The file in a folder of translations."""
MEMORY_SCHEMA = pa.schema(
    [
        pa.field("query_words", pa.list_(pa.string()), nullable=False),
        pa.field("names", pa.list_(pa.string()), nullable=False),
    ]
)
"""Of each pair the distinct words of its query and the distinct names in its code, both ascending
and neither without one; in the order of the pairs."""


def remember_pairs(paths: Sequence[Path], *, stop_words: Collection[str]) -> Iterator[pa.Table]:
    """The pairs of files as ``MEMORY_SCHEMA``, a few thousand at a time.

    Args:
        paths: files of ``PAIR_SCHEMA``.
        stop_words: words of queries, lower-case, that count for nothing.

    Raises:
        DataError: for a file that holds no pairs.
    """
    for path in paths:
        for table in iterate_tables(path, PAIR_SCHEMA, ["query", "code", "class_name"]):
            rows = [
                (
                    sorted({*split_words(pair["query"])} - {*stop_words}),
                    find_names(pair["code"], pair["class_name"]),
                )
                for pair in table.to_pylist()
            ]
            kept = [(words, names) for words, names in rows if words and names]
            columns = ([row[column] for row in kept] for column in (0, 1))
            yield pa.table(list(columns), schema=MEMORY_SCHEMA)


def find_names(code: str, class_name: str, method_name: str = "") -> list[str]:
    """The distinct names in a method or a snippet, lower-case, ascending.

    They are those of the field ``unsplit`` of ``languages.search_fields``.
    """
    return sorted({*read_search_fields(code, class_name, None, method_name=method_name)["unsplit"]})
