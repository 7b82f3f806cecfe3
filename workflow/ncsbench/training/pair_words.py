"""Training pairs as word ids: the words of queries and of code.

A query is split like any query. Code is a snippet or a method; its words are those that the NCS
extraction gives for methods of a corpus (``languages.java_snippet_items``), so that training and
searching see the same kind of words (DEV-61). Only words with a vector are kept (DEV-62).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import hash_bytes, iterate_tables
from ncsbench.corpus.documents import TokenLists
from ncsbench.corpus.word_options import WordOptions
from ncsbench.languages.item_kinds import ItemKind
from ncsbench.languages.java_snippet_items import find_snippet_items
from ncsbench.languages.javadoc import JAVADOC, read_text
from ncsbench.pairs.pair_schema import PAIR_SCHEMA
from ncsbench.text.words import split_words


@dataclass(frozen=True)
class PairWords:
    """n pairs that have words on both sides, in the order of their files.

    Attributes:
        queries: words of the queries; ``len`` n.
        codes: words of the code, over the same vocabulary; ``len`` n.
        read: number of pairs in the files.
        without_query_words: pairs left out because no word of the query has a vector.
        without_code_words: further pairs left out because no word of the code has one.
    """

    queries: TokenLists
    codes: TokenLists
    read: int
    without_query_words: int
    without_code_words: int

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.queries)


def read_pair_words(
    paths: Sequence[Path],
    vocabulary: list[str],
    *,
    words: WordOptions,
    maximum_query_words: int = 0,
    maximum_code_words: int = 0,
) -> PairWords:
    """Read pairs of ``PAIR_SCHEMA`` as indices into ``vocabulary``.

    Args:
        paths: Parquet files, read one after the other and a few thousand rows at a time.
        vocabulary: words with a vector, ascending.
        words: which items of code become words.
        maximum_query_words: a longer query is cut behind so many known words; 0 for never.
        maximum_code_words: the same for code.

    Raises:
        DataError: for a file that holds no pairs.
    """
    index = {word: row for row, word in enumerate(vocabulary)}
    queries, codes = _Lists(maximum_query_words), _Lists(maximum_code_words)
    read = without_query = without_code = 0
    for query, code in _iterate_pairs(paths):
        read += 1
        query_ids = [index[word] for word in split_words(query) if word in index]
        if not query_ids:
            without_query += 1
            continue
        code_ids = [index[word] for word in find_code_words(code, words) if word in index]
        if not code_ids:
            without_code += 1
            continue
        queries.add(query_ids)
        codes.add(code_ids)
    return PairWords(
        queries.finish(vocabulary), codes.finish(vocabulary), read, without_query, without_code
    )


def find_code_words(code: str, options: WordOptions) -> list[str]:
    """Words of a snippet or method, repeated words kept; empty where nothing is extracted."""
    kinds = options.kinds()
    cleaned = ItemKind.COMMENT if options.comments == "cleaned" else None
    found = [
        (read_text(text) if kind == cleaned and text.startswith(JAVADOC) else text)
        for kind, text in zip(*find_snippet_items(code), strict=True)
        if kind in kinds
    ]
    return [word for text in found for word in split_words(text)]


def take_lists(lists: TokenLists, rows: NDArray[np.int64]) -> TokenLists:
    """The lists at the positions ``rows``, in this order."""
    starts = lists.offsets[rows]
    lengths = lists.offsets[rows + 1] - starts
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    return TokenLists(lists.vocabulary, offsets, lists.tokens[np.repeat(starts, lengths) + within])


def group_equal(lists: TokenLists) -> NDArray[np.int64]:
    """One number for each list; lists with the same words in any order have the same number.

    Numbers count from 0 in the order of first occurrence; shape (n,).
    """
    seen: dict[str, int] = {}
    keys = (hash_bytes(np.sort(lists[i]).tobytes()) for i in range(len(lists)))
    return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)


def _iterate_pairs(paths: Sequence[Path]) -> Iterator[tuple[str, str]]:
    for path in paths:
        for table in iterate_tables(path, PAIR_SCHEMA, ["query", "code"]):
            yield from zip(table["query"].to_pylist(), table["code"].to_pylist(), strict=True)


class _Lists:
    """Grows flat lists of ids."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._tokens = array("i")
        self._offsets = array("q", [0])

    def add(self, ids: list[int]) -> None:
        self._tokens.extend(ids[: self._maximum] if self._maximum else ids)
        self._offsets.append(len(self._tokens))

    def finish(self, vocabulary: list[str]) -> TokenLists:
        return TokenLists(
            vocabulary, np.array(self._offsets, np.int64), np.array(self._tokens, np.int32)
        )
