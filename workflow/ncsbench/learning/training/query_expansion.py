"""Query expansion: words of titles mapped to code words of answers (NCS paper, section 5.1).

The code words of a snippet are the words of its names before "(", split like the words of the
corpus, or these names as they are (DEV-86). A pair of a title and a snippet has the lemmas of the
title, and the code words of the snippet with the highest TF-IDF. There are N pairs; the code word c
occurs tf(c, p) times in pair p, and df(c) pairs contain it::

    weight(c, p) = (1 + ln tf(c, p)) * ln( N / df(c) )
    count(w, c)  = number of pairs with the lemma w that keep the code word c
    value(w, c)  = count(w, c) / SUM over c' of count(w, c')

A word of a query adds the code word with the highest value in the row of its lemma, if that value
is high enough. DEV-56 to DEV-59 and DEV-86 say what the paper leaves open.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables, read_table, write_table
from ncsbench.base.text.lemmas import lemmatise
from ncsbench.base.text.words import split_words
from ncsbench.code.java.search_fields import NameKind, find_names
from ncsbench.corpus.indexes.term_counts import WordListBuilder, count_terms
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.errors import DataError
from ncsbench.learning.training.training_options import ExpansionSettings
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA

EXPANSION_SCHEMA = pa.schema(
    [
        pa.field("query_word", pa.string(), nullable=False),
        pa.field("code_word", pa.string(), nullable=False),
        pa.field("count", pa.int64(), nullable=False),
        pa.field("value", pa.float64(), nullable=False),
    ]
)
"""Columns: a lemma of titles, a code word, the number of pairs that have both, and this number as a
share of the lemma's row (NCS paper, section 5.1); by (query_word, descending value, code_word)."""


_ORDER = [("query_word", "ascending"), ("value", "descending"), ("code_word", "ascending")]


class Expansion:
    """The best code word for every lemma.

    Attributes:
        table: the row of the best code word of each lemma; ``EXPANSION_SCHEMA``.
    """

    def __init__(self, table: pa.Table) -> None:
        """Take the best row of each lemma, from a whole table or from one with only these rows."""
        ordered = table.sort_by(_ORDER)
        words = ordered["query_word"].to_pylist()
        first = [i for i, word in enumerate(words) if i == 0 or word != words[i - 1]]
        self.table: pa.Table = ordered.take(pa.array(first, pa.int64()))
        code, values = (self.table[key].to_pylist() for key in ("code_word", "value"))
        self._best = {words[i]: best for i, *best in zip(first, code, values, strict=True)}

    def look_up(self, word: str) -> tuple[str, float] | None:
        """Return the code word with the highest value for a word of a query, and the value."""
        best = self._best.get(lemmatise(word))
        return None if best is None else (best[0], best[1])

    def find_additions(self, words: Iterable[str], *, minimum_value: float) -> list[str]:
        """Return the code words to add to a query, in the order of its words, once (DEV-59)."""
        found = [best for word in words if (best := self.look_up(word)) is not None]
        return list(dict.fromkeys(best for best, value in found if value >= minimum_value))


def load_expansion(path: Path) -> Expansion:
    """Read a table of ``EXPANSION_SCHEMA``; ``DataError`` where it is missing or damaged."""
    return Expansion(read_table(path, EXPANSION_SCHEMA))


def brings_nothing(code_word: str, words: Collection[str], stop_words: AbstractSet[str]) -> bool:
    """Say whether each word of a code word is a stop word or a word of the query (DEV-86)."""
    return all(word in stop_words or word in words for word in split_words(code_word))


def make_expansion(settings: ExpansionSettings, pairs: Path, output: Path) -> None:
    """Make the expansion table: count code words in the answers to titles with a lemma.

    Args:
        settings: options that say what is counted.
        pairs: file of training pairs.
        output: file to write, ``EXPANSION_SCHEMA``.
    """
    tables = iterate_tables(pairs, PAIR_SCHEMA, ["query", "code"])
    write_table(output, build_expansion(tables, settings), EXPANSION_SCHEMA)


def build_expansion(pairs: Iterable[pa.Table], options: ExpansionSettings) -> pa.Table:
    """Count the code words in the answers to titles with a lemma.

    The result does not depend on the order of the pairs or on their division into tables.

    Args:
        pairs: tables with the columns ``query`` (a title) and ``code`` of ``PAIR_SCHEMA``.
        options: options that say what is counted.

    Returns:
        The whole table, ``EXPANSION_SCHEMA``.

    Raises:
        DataError: where no pair has both a lemma and a code word.
    """
    titles, snippets, distinct = _read_pairs(pairs, options)
    lemmas, kept = count_terms(titles), _keep_heaviest(count_terms(snippets), options.kept_share)
    lemmas.data[:] = 1
    in_titles = np.bincount(lemmas[distinct].indices, minlength=lemmas.shape[1])
    counts = (lemmas.T.tocsr() @ kept).tocoo()
    table = _list_counts(counts, titles.vocabulary, snippets.vocabulary)
    table = table.filter(in_titles[np.sort(counts.row)] >= options.minimum_titles)
    if not len(table):
        raise DataError(
            f"expansion: none of {len(titles)} pairs has both a word in its title and a called "
            "method in its code; give pairs of titles and Java, or lower 'minimum_titles'"
        )
    return table


def split_query(text: str, stop_words: AbstractSet[str]) -> list[str]:
    """Return the words of a query or title without stop words, in order, not lemmatised."""
    return [word for word in split_words(text) if word not in stop_words]


def _read_pairs(
    pairs: Iterable[pa.Table], options: ExpansionSettings
) -> tuple[TokenLists, TokenLists, list[int]]:
    """Read lemmas and code words of each pair, and the index of a pair for each distinct title."""
    kinds: set[NameKind] = {"call"}
    if options.creations:
        kinds.add("creation")
    if options.declarations:
        kinds.add("declaration")
    stop_words = frozenset(options.stop_words)
    titles, snippets = WordListBuilder(), WordListBuilder()
    firsts: dict[str, int] = {}
    number = 0
    for table in pairs:
        columns = (table[name].to_pylist() for name in ("query", "code"))
        for query, code in zip(*columns, strict=True):
            firsts.setdefault(query, number)
            number += 1
            titles.append(lemmatise(word) for word in split_query(query, stop_words))
            names = (name for name, kind in find_names(code) if kind in kinds)
            if options.words == "split":
                names = (word for name in names for word in split_words(name))
            snippets.append(names)
    return titles.finish(), snippets.finish(), list(firsts.values())


def _keep_heaviest(frequencies: Any, share: float) -> Any:
    """Mark with 1 the words of highest TF-IDF in each row, ties by word; int32 (pairs, words)."""
    pairs, words = frequencies.shape
    lengths = np.diff(frequencies.indptr)
    rows = np.repeat(np.arange(pairs), lengths)
    inverse = _logarithms(pairs / np.maximum(np.bincount(frequencies.indices, minlength=words), 1))
    weights = (1 + _logarithms(frequencies.data)) * inverse[frequencies.indices]
    order = np.lexsort((frequencies.indices, -weights, rows))
    # Rounded up, so that half of one word is one word. 1e-9 makes up for the error of floats, in
    # which 0.07 * 100 is a little above 7.
    limits = np.maximum(np.ceil(share * lengths - 1e-9), 1)
    ranks = np.arange(len(rows)) - np.repeat(frequencies.indptr[:-1], lengths)
    kept = frequencies.copy()
    kept.data[order] = ranks < np.repeat(limits, lengths)
    kept.eliminate_zeros()
    return kept


def _logarithms(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return natural logarithms; equal values give equal results at every position."""
    distinct, inverse = np.unique(values, return_inverse=True)
    return np.array([math.log(value) for value in distinct.tolist()], dtype=np.float64)[inverse]


def _list_counts(counts: Any, query_words: list[str], code_words: list[str]) -> pa.Table:
    """Return the entries of a matrix (lemmas, code words) as rows; values of a lemma sum to 1."""
    order = np.lexsort((counts.col, -counts.data, counts.row))
    rows, columns, data = counts.row[order], counts.col[order], counts.data[order]
    totals = np.bincount(rows, weights=data, minlength=counts.shape[0])
    arrays = [
        pa.array(query_words, pa.string()).take(pa.array(rows)),
        pa.array(code_words, pa.string()).take(pa.array(columns)),
        pa.array(data, pa.int64()),
        pa.array(data / totals[rows], pa.float64()),
    ]
    return pa.table(arrays, schema=EXPANSION_SCHEMA)
