"""Tables learnt from pairs: translations of query words into code words, and remembered pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.storage import (
    atomic_folder,
    iterate_tables,
    read_table,
    write_table,
    write_tables,
)
from ncsbench.base.text.words import split_words
from ncsbench.code.java.search_fields import read_search_fields
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA

MEMORY = "memory.parquet"
"""Name of the file of remembered pairs in a folder of translations."""
MEMORY_SCHEMA = pa.schema(
    [
        pa.field("query_words", pa.list_(pa.string()), nullable=False),
        pa.field("names", pa.list_(pa.string()), nullable=False),
    ]
)
"""Columns of remembered pairs: the distinct words of the query and the distinct names in the code,
both ascending and not empty. Rows are in the order of the pairs."""


def remember_pairs(paths: Sequence[Path], *, stop_words: Collection[str]) -> Iterator[pa.Table]:
    """Yield the pairs of files as ``MEMORY_SCHEMA``, a few thousand at a time.

    Args:
        paths: files of ``PAIR_SCHEMA``.
        stop_words: words, lower-case, that are left out of queries.

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
    """Return the distinct names in a method or a snippet, lower-case, ascending.

    They are the names of the field ``unsplit`` of ``code.java.search_fields``.
    """
    return sorted({*read_search_fields(code, class_name, None, method_name=method_name)["unsplit"]})


TRANSLATION_SCHEMA = pa.schema(
    [
        pa.field("query_word", pa.string(), nullable=False),
        pa.field("code_word", pa.string(), nullable=False),
        pa.field("query_given_code", pa.float64(), nullable=False),
        pa.field("code_given_query", pa.float64(), nullable=False),
    ]
)
"""Columns: a query word and a code word that are kept, t(query word | code word) and
t(code word | query word) (Brown et al. 1993); by (query_word, descending query_given_code,
code_word)."""

_ORDER = [
    ("query_word", "ascending"),
    ("query_given_code", "descending"),
    ("code_word", "ascending"),
]
_TABLE = "translation.parquet"


class Translation:
    """The translations of query words: the code words that a query word may stand for.

    Attributes:
        table: ``TRANSLATION_SCHEMA``.
    """

    def __init__(self, table: pa.Table) -> None:
        """Take a table in any order."""
        self.table: pa.Table = table.sort_by(_ORDER)
        self._rows: dict[str, list[tuple[str, float]]] = {}
        columns = (
            self.table[name].to_pylist() for name in ("query_word", "code_word", "query_given_code")
        )
        for query_word, code_word, probability in zip(*columns, strict=True):
            self._rows.setdefault(query_word, []).append((code_word, probability))

    def translate(self, word: str) -> list[tuple[str, float]]:
        """Return the code words of a word with t(word | code word), most probable first.

        An unknown word has none.
        """
        return self._rows.get(word, [])


def save_translation(
    translation: Translation, folder: Path, memory: Iterable[pa.Table] | None = None
) -> None:
    """Write the table into a new folder, atomically, and the pairs that are remembered."""
    with atomic_folder(folder) as temporary:
        write_translation(translation, temporary)
        if memory is not None:
            write_tables(temporary / MEMORY, memory, MEMORY_SCHEMA)


def write_translation(translation: Translation, folder: Path) -> None:
    """Write the table into an existing folder."""
    write_table(folder / _TABLE, translation.table, TRANSLATION_SCHEMA)


def load_translation(folder: Path) -> Translation:
    """Read the table that ``write_translation`` wrote; ``DataError`` if missing or damaged."""
    return Translation(read_table(folder / _TABLE, TRANSLATION_SCHEMA))


def find_memory(folder: Path) -> Path | None:
    """Return the file of remembered pairs beside a translation; None if there is no such file."""
    path = folder / MEMORY
    return path if path.exists() else None
