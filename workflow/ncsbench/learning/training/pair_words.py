"""Training pairs as word ids: the words of queries and of code.

A query is split as in a search. Code is a snippet or a method. Its words are extracted as the words
of methods of a corpus are (``code.java_trees.java_snippet_items``), with the name of the class and
the comments before the method where the pair has them, so that training and searching see the same
words (DEV-61, DEV-90). Only words with a vector are kept (DEV-62, DEV-91).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.storage import hash_bytes
from ncsbench.base.networks.id_lists import ListBuilder
from ncsbench.base.text.words import split_words
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.code.java.javadoc import is_javadoc, read_text
from ncsbench.code.java_trees.java_snippet_items import find_snippet_items
from ncsbench.corpus.indexes.term_counts import gather_tokens
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.learning.training.training_options import TrainingOptions
from ncsbench.pairs.training_pairs.pair_schema import iterate_pairs

_OF_CODE = ("code", "class_name", "comments")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)


@dataclass(frozen=True)
class PairWords:
    """n pairs that have words on both sides, in the order of their files.

    Attributes:
        queries: words of the queries; ``len`` n.
        codes: words of the code; ``len`` n.
        sets: number of the set of each pair, int64, shape (n,).
        read: number of pairs that were read.
        without_query_words: pairs left out because no word of the query has a vector.
        without_code_words: further pairs left out because no word of the code has a vector.
    """

    queries: TokenLists
    codes: TokenLists
    sets: NDArray[np.int64]
    read: int
    without_query_words: int
    without_code_words: int

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.queries)


class WordPairs(Protocol):
    """Pairs of a query and code, as words."""

    def iterate_queries(self) -> Iterator[list[str]]:
        """Yield the words of every query."""

    def iterate_sets(self) -> Iterator[Iterator[tuple[list[str], list[str]]]]:
        """Yield each set: for every pair the words of its query and of its code, repeats kept."""


@dataclass(frozen=True)
class JavaPairs:
    """Pairs of ``PAIR_SCHEMA``, a few thousand rows at a time.

    Attributes:
        paths: Parquet files, read one after the other; each is a set.
        words: options that say which items of code become words.
        options: options that say which text belongs to the code of a pair.
    """

    paths: Sequence[Path]
    words: WordOptions
    options: TrainingOptions

    def iterate_queries(self) -> Iterator[list[str]]:
        """See ``WordPairs``; ``DataError`` for a file that holds no pairs."""
        return iterate_queries(self.paths)

    def iterate_sets(self) -> Iterator[Iterator[tuple[list[str], list[str]]]]:
        """See ``WordPairs``; ``DataError`` for a file that holds no pairs."""
        return (self._read_set(path) for path in self.paths)

    def _read_set(self, path: Path) -> Iterator[tuple[list[str], list[str]]]:
        for query, *texts in iterate_pairs([path], "query", *_OF_CODE):
            pair = dict(zip(_OF_CODE, texts, strict=True))
            yield split_words(query), find_pair_words(pair, self.words, self.options)


def read_pair_words(
    pairs: WordPairs,
    query_vocabulary: list[str],
    code_vocabulary: list[str],
    *,
    options: TrainingOptions,
) -> PairWords:
    """Read pairs as indices into two vocabularies.

    Args:
        pairs: the pairs.
        query_vocabulary: words of queries with a vector, ascending.
        code_vocabulary: words of code with a vector, ascending.
        options: options with the lengths at which texts are cut.
    """
    query_index, code_index = (
        {word: row for row, word in enumerate(vocabulary)}
        for vocabulary in (query_vocabulary, code_vocabulary)
    )
    longest = options.maximum_query_words or None, options.maximum_code_words or None
    queries, codes = ListBuilder("i"), ListBuilder("i")
    sets = array("q")
    read = without_query = without_code = 0
    words = ((number, *pair) for number, own in enumerate(pairs.iterate_sets()) for pair in own)
    for number, asked, found in words:
        read += 1
        query_ids = [query_index[word] for word in asked if word in query_index]
        code_ids = [code_index[word] for word in found if word in code_index]
        if not query_ids:
            without_query += 1
        elif not code_ids:
            without_code += 1
        else:
            queries.add(query_ids[: longest[0]])
            codes.add(code_ids[: longest[1]])
            sets.append(number)
    return PairWords(
        TokenLists(query_vocabulary, *queries.finish()),
        TokenLists(code_vocabulary, *codes.finish()),
        np.array(sets, np.int64),
        read,
        without_query,
        without_code,
    )


def iterate_queries(paths: Sequence[Path]) -> Iterator[list[str]]:
    """Yield the words of the query of every pair of files of ``PAIR_SCHEMA``."""
    return (split_words(query) for (query,) in iterate_pairs(paths, "query"))


def collect_words(queries: Iterable[list[str]]) -> list[str]:
    """Return the distinct words of queries, ascending."""
    return sorted({word for words in queries for word in words})


def find_pair_words(
    pair: Mapping[str, str], words: WordOptions, options: TrainingOptions
) -> list[str]:
    """Return the words of a pair's code, repeated words kept; empty where nothing is extracted.

    Args:
        pair: ``code``, ``class_name`` and ``comments`` of ``PAIR_SCHEMA``.
        words: options that say which items become words.
        options: options that say whether class name and comments count, and the docstring.
    """
    items = list(zip(*find_snippet_items(pair["code"]), strict=True))
    if options.code_words == "as_indexed":
        comments = _COMMENT.findall(pair["comments"])
        if options.docstring == "taken_out":
            comments = _take_docstring(comments)
        around = [(int(ItemKind.COMMENT), comment) for comment in comments]
        items = [*around, (int(ItemKind.CLASS_NAME), pair["class_name"]), *items]
    kinds = words.kinds()
    cleaned = ItemKind.COMMENT if words.comments == "cleaned" else None
    texts = [
        (read_text(text) if kind == cleaned and is_javadoc(text) else text)
        for kind, text in items
        if kind in kinds
    ]
    return [word for text in texts for word in split_words(text)]


def _take_docstring(comments: list[str]) -> list[str]:
    """Return the comments before a method without the last Javadoc comment, its docstring."""
    last = max((i for i, text in enumerate(comments) if is_javadoc(text)), default=-1)
    return [comment for i, comment in enumerate(comments) if i != last]


def take_lists(lists: TokenLists, rows: NDArray[np.int64]) -> TokenLists:
    """Return the lists at the positions ``rows``, in this order."""
    offsets = np.concatenate([[0], np.cumsum(np.diff(lists.offsets)[rows])])
    return TokenLists(lists.vocabulary, offsets, gather_tokens(lists, rows)[1])


def keep_words(lists: TokenLists, words: NDArray[np.int64]) -> TokenLists:
    """Return the lists with only some words, given as ascending indices into the vocabulary."""
    vocabulary = [lists.vocabulary[row] for row in words.tolist()]
    kept = np.isin(lists.tokens, words)
    offsets = np.concatenate([[0], np.cumsum(kept)])[lists.offsets]
    tokens = np.searchsorted(words, lists.tokens[kept]).astype(np.int32)
    return TokenLists(vocabulary, offsets, tokens)


def group_equal(lists: TokenLists) -> NDArray[np.int64]:
    """Number lists so that lists with the same words, in any order, have the same number.

    Numbers count from 0 in the order of first occurrence; shape (n,).
    """
    seen: dict[str, int] = {}
    keys = (hash_bytes(np.sort(lists[i]).tobytes()) for i in range(len(lists)))
    return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)
