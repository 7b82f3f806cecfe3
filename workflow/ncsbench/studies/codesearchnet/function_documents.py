"""Functions as the rankers read methods: words as arrays, and their text.

In Java the words are those of the NCS extraction, as in Table 1 of NCSED; in the other languages
they are the words of the function's tokens, identifiers split (DEV-153).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables, read_json
from ncsbench.base.text.words import split_words
from ncsbench.code.java_trees.java_snippet_items import find_snippet_items
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.documents import Documents, TokenLists
from ncsbench.corpus.methods.word_extraction import WordCollector

Tables = Callable[[list[str]], Iterator[pa.Table]]
"""Streams columns of ``FUNCTION_SCHEMA`` of some functions, in one order."""


@dataclass(frozen=True)
class FunctionTexts:
    """Functions of one language, as rankers read the text of methods.

    Attributes:
        path: folder of the corpus, for messages.
        language: name of the language, such as ``go``.
        corpus_hash: hash of the corpus.
        tables: stream of the functions.
        without_docstrings: True where the text is made of the tokens, not of the code: Python's
            documentation lies inside the code and must not be searched where it is the query
            (DEV-153).
    """

    path: Path
    language: str
    corpus_hash: str
    tables: Tables
    without_docstrings: bool = False

    @property
    def manifest_path(self) -> Path:
        """The manifest of the corpus, for messages."""
        return self.path / "manifest.json"

    def manifest(self) -> dict[str, Any]:
        """Return the part of a manifest that identifies the corpus: its hash."""
        return {"corpus_hash": self.corpus_hash}

    def iterate_methods(self, columns: list[str]) -> Iterator[pa.Table]:
        """Stream names and code as columns of ``METHOD_SCHEMA``.

        Comments are null: the queries of Table 3 are the documentation.
        """
        text = "code_tokens" if self.without_docstrings else "code"
        for table in self.tables(["identifier", text]):
            code = table[text]
            if self.without_docstrings:
                code = pc.binary_join(code.combine_chunks(), " ")
            parts = [name.rpartition(".") for name in table["identifier"].to_pylist()]
            known = {
                "class_name": pa.array([owner for owner, _, _ in parts], pa.string()),
                "method_name": pa.array([name for _, _, name in parts], pa.string()),
                "comment": pa.nulls(len(table), pa.string()),
                "code": code,
            }
            yield pa.table({name: known[name] for name in columns})

    def read_methods(self, ids: Iterable[int], columns: list[str]) -> dict[int, dict[str, Any]]:
        """Read columns of ``METHOD_SCHEMA`` of some functions, by id; streams the whole corpus."""
        wanted = np.unique(np.fromiter(ids, np.int64))
        rows = take_rows(self.iterate_methods(columns), wanted)
        return dict(zip(wanted.tolist(), rows, strict=True))

    def iterate_code_tokens(self) -> Iterator[list[list[str]]]:
        """Stream the tokens of the functions' code, some thousand functions at a time."""
        for table in self.tables(["code_tokens"]):
            yield table["code_tokens"].to_pylist()


def take_rows(tables: Iterable[pa.Table], wanted: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    """Take rows of a stream of tables; ``wanted`` are their numbers, ascending, shape (n,)."""
    start = 0
    for table in tables:
        inside = wanted[(wanted >= start) & (wanted < start + len(table))]
        yield from table.take(pa.array(inside - start)).to_pylist()
        start += len(table)


def open_functions(folder: Path) -> FunctionTexts:
    """Open the functions of the corpus of one language."""
    manifest = read_json(folder / "manifest.json")

    def stream(columns: list[str]) -> Iterator[pa.Table]:
        return iterate_tables(folder / "functions.parquet", FUNCTION_SCHEMA, columns)

    return FunctionTexts(folder, manifest["language"], manifest["corpus_hash"], stream)


def take_pairs(texts: FunctionTexts, functions: pa.Table) -> FunctionTexts:
    """Return texts of some pairs alone, which are in memory as rows of ``FUNCTION_SCHEMA``."""

    def stream(columns: list[str]) -> Iterator[pa.Table]:
        yield functions.select(columns)

    return FunctionTexts(
        texts.path, texts.language, texts.corpus_hash, stream, without_docstrings=True
    )


def make_documents(texts: FunctionTexts, options: WordOptions) -> Documents:
    """Make the words of functions, as rankers read them; the id of a function is its position.

    Args:
        texts: the functions.
        options: choice of the items of Java code that become words.
    """
    collector = WordCollector(split_words, cleaned=options.comments == "cleaned")
    lines, counts = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    columns = ["start_line", "end_line", "code_tokens"]
    is_java = texts.language == "java"
    for table in texts.tables([*columns, "code"] if is_java else columns):
        first, last = (table[name].to_numpy() for name in columns[:2])
        lines.append(last - first + 1)
        tokens = table["code_tokens"].combine_chunks()
        lengths = tokens.value_lengths().to_numpy()
        counts.append(lengths)
        if is_java:
            collector.add_items(_find_items(table["code"].to_pylist()), options.kinds())
        else:
            owners = np.repeat(np.arange(len(table)), lengths)
            collector.add(tokens.flatten(), owners, len(table))
    count = sum(map(len, lines))
    return Documents(
        words=collector.finish(),
        identifiers=TokenLists([], np.zeros(count + 1, np.int64), np.zeros(0, np.int32)),
        lines=np.concatenate(lines).astype(np.int32),
        token_counts=np.concatenate(counts).astype(np.int32),
        corpus_hash=texts.corpus_hash,
    )


def _find_items(codes: list[str]) -> pa.Table:
    """Find the items of Java functions, as columns ``kinds`` and ``texts``."""
    found = [find_snippet_items(code) for code in codes]
    kinds = pa.array([one[0] for one in found], pa.list_(pa.uint8()))
    texts = pa.array([one[1] for one in found], pa.list_(pa.string()))
    return pa.table({"kinds": kinds, "texts": texts})
