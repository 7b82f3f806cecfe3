"""What was learnt of the words of queries: the code words they stand for, and sizes of answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from ncsbench.artifacts.storage import atomic_folder, read_table, write_table, write_tables
from ncsbench.training.answer_sizes import SIZE_SCHEMA, AnswerSizes, read_sizes
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
_TABLE, _SIZES = "translation.parquet", "sizes.parquet"


class Translation:
    """The code words that a word of a query may stand for, and how large its answers are.

    Attributes:
        table: ``TRANSLATION_SCHEMA``.
        sizes: the regression of sizes.
    """

    def __init__(self, table: pa.Table, sizes: AnswerSizes) -> None:
        """Take a table in any order."""
        self.table: pa.Table = table.sort_by(_ORDER)
        self.sizes = sizes
        self._rows: dict[str, list[tuple[str, float]]] = {}
        columns = (
            self.table[name].to_pylist() for name in ("query_word", "code_word", "query_given_code")
        )
        for query_word, code_word, probability in zip(*columns, strict=True):
            self._rows.setdefault(query_word, []).append((code_word, probability))

    def translate(self, word: str) -> list[tuple[str, float]]:
        """Code words of a word and t(word | code word), most probable first; none if unknown."""
        return self._rows.get(word, [])

    def predict_size(self, words: Iterable[str]) -> float:
        """ln(1 + number of distinct words) of the code that a query with these words asks for."""
        return self.sizes.predict(words)


def save_translation(
    translation: Translation, folder: Path, memory: Iterable[pa.Table] | None = None
) -> None:
    """Write both tables into a new folder, atomically, and the pairs that are remembered."""
    with atomic_folder(folder) as temporary:
        write_translation(translation, temporary)
        if memory is not None:
            write_tables(temporary / MEMORY, memory, MEMORY_SCHEMA)


def write_translation(translation: Translation, folder: Path) -> None:
    """Write both tables into a folder that is there."""
    write_table(folder / _TABLE, translation.table, TRANSLATION_SCHEMA)
    write_table(folder / _SIZES, translation.sizes.make_table(), SIZE_SCHEMA)


def load_translation(folder: Path) -> Translation:
    """Read what ``write_translation`` wrote; ``DataError`` where a table is missing or damaged."""
    sizes = read_table(folder / _SIZES, SIZE_SCHEMA)
    return Translation(
        read_table(folder / _TABLE, TRANSLATION_SCHEMA),
        read_sizes(sizes, where=str(folder / _SIZES)),
    )
