"""What was learnt of the words of queries: the code words that they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from ncsbench.artifacts.storage import atomic_folder, read_table, write_table, write_tables
from ncsbench.training.translation_memory import MEMORY, MEMORY_SCHEMA

TRANSLATION_SCHEMA = pa.schema(
    [
        pa.field("query_word", pa.string(), nullable=False),
        pa.field("code_word", pa.string(), nullable=False),
        pa.field("query_given_code", pa.float64(), nullable=False),
        pa.field("code_given_query", pa.float64(), nullable=False),
    ]
)
"""t(query word | code word) and t(code word | query word) of what is kept (Brown et al. 1993), by
(query_word, descending query_given_code, code_word)."""

_ORDER = [
    ("query_word", "ascending"),
    ("query_given_code", "descending"),
    ("code_word", "ascending"),
]
_TABLE = "translation.parquet"


class Translation:
    """The code words that a word of a query may stand for.

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
        """Code words of a word and t(word | code word), most probable first; none if unknown."""
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
    """Write the table into a folder that is there."""
    write_table(folder / _TABLE, translation.table, TRANSLATION_SCHEMA)


def load_translation(folder: Path) -> Translation:
    """Read what ``write_translation`` wrote; ``DataError`` where it is missing or damaged."""
    return Translation(read_table(folder / _TABLE, TRANSLATION_SCHEMA))
