"""Query expansion: from words of titles to the names that answers call (NCS paper, section 5.1).

A pair of a title and a snippet has the lemmas of its title, and of the names before "(" in its
snippet those with the highest TF-IDF. With N pairs, tf(c, p) places of the name c in pair p and
df(c) pairs that have it::

    weight(c, p) = (1 + ln tf(c, p)) * ln( N / df(c) )
    count(w, c)  = number of pairs with the lemma w that keep the name c
    value(w, c)  = count(w, c) / SUM over c' of count(w, c')

A word of a query brings the name with the highest value in the row of its lemma, if that value is
high enough. What the paper leaves open: DEV-56 to DEV-59.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.corpus.documents import TokenLists
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.languages.call_names import NameKind, find_names
from ncsbench.languages.lemmas import lemmatise
from ncsbench.languages.words import split_words
from ncsbench.models.options import parse_options, require_at_least
from ncsbench.models.term_counts import count_terms
from ncsbench.records import EXPANSION_SCHEMA

_ORDER = [("query_word", "ascending"), ("value", "descending"), ("code_word", "ascending")]


@dataclass(frozen=True)
class ExpansionOptions:
    """Options of the table; those of ``expansion`` in a model file, without its ``pairs``.

    Attributes:
        kept_share: share of a snippet's distinct names that is kept, rounded up (DEV-57).
        creations: whether ``X`` of ``new X(`` is a name (DEV-56).
        declarations: whether the name of a declared method is one (DEV-56).
        minimum_titles: a lemma of fewer distinct titles has no row (DEV-58).
        stop_words: words, lower-case, that have no row.
    """

    kept_share: float = 0.5
    creations: bool = True
    declarations: bool = True
    minimum_titles: int = 1
    stop_words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_at_least(1, minimum_titles=self.minimum_titles)
        if not 0 < self.kept_share <= 1:
            raise ConfigurationError(
                f"option 'kept_share' must be above 0 and at most 1, not {self.kept_share}"
            )


class Expansion:
    """The best name for every lemma.

    Attributes:
        table: these rows of the whole table, one for each lemma; ``EXPANSION_SCHEMA``.
    """

    def __init__(self, table: pa.Table) -> None:
        """Take the best rows of a whole table, or of one that has only these."""
        ordered = table.sort_by(_ORDER)
        words = ordered["query_word"].to_pylist()
        first = [i for i, word in enumerate(words) if i == 0 or word != words[i - 1]]
        self.table: pa.Table = ordered.take(pa.array(first, pa.int64()))
        names, values = (self.table[key].to_pylist() for key in ("code_word", "value"))
        self._best = {words[i]: best for i, *best in zip(first, names, values, strict=True)}

    def look_up(self, word: str) -> tuple[str, float] | None:
        """The name with the highest value for a word of a query, and that value."""
        best = self._best.get(lemmatise(word))
        return None if best is None else (best[0], best[1])

    def find_additions(self, words: Iterable[str], *, minimum_value: float) -> list[str]:
        """Names that the words of a query bring, in the order of the words, each once (DEV-59)."""
        found = [best for word in words if (best := self.look_up(word)) is not None]
        return list(dict.fromkeys(name for name, value in found if value >= minimum_value))


def build_expansion(pairs: Iterable[pa.Table], options: Mapping[str, Any]) -> pa.Table:
    """Count which names stand in the answers to titles with a lemma.

    The result does not depend on the order of the pairs or on their division into tables.

    Args:
        pairs: tables with the columns ``query`` (a title) and ``code`` of ``PAIR_SCHEMA``.
        options: values of ``ExpansionOptions`` by name.

    Returns:
        The whole table, ``EXPANSION_SCHEMA``.

    Raises:
        ConfigurationError: for a wrong option.
        DataError: where no pair has both a lemma and a name.
    """
    parsed = parse_options(ExpansionOptions, options, where="expansion")
    titles, snippets, distinct = _read_pairs(pairs, parsed)
    lemmas, kept = count_terms(titles), _keep_heaviest(count_terms(snippets), parsed.kept_share)
    lemmas.data[:] = 1
    in_titles = np.bincount(lemmas[distinct].indices, minlength=lemmas.shape[1])
    counts = (lemmas.T.tocsr() @ kept).tocoo()
    table = _list_counts(counts, titles.vocabulary, snippets.vocabulary)
    table = table.filter(in_titles[np.sort(counts.row)] >= parsed.minimum_titles)
    if not len(table):
        raise DataError(
            f"expansion: none of {len(titles)} pairs has both a word in its title and a called "
            "method in its code; give pairs of titles and Java, or lower 'minimum_titles'"
        )
    return table


def split_query(text: str, stop_words: AbstractSet[str]) -> list[str]:
    """Words of a query or title without its stop words, in order, not lemmatised."""
    return [word for word in split_words(text) if word not in stop_words]


class _ListBuilder:
    """Lists of terms, with four bytes for each term."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._tokens = array("i")
        self._offsets = array("q", [0])

    def append(self, terms: Iterable[str]) -> None:
        self._tokens.extend(self._ids.setdefault(term, len(self._ids)) for term in terms)
        self._offsets.append(len(self._tokens))

    def finish(self) -> TokenLists:
        """The lists with a sorted vocabulary, whatever order the terms came in."""
        vocabulary = sorted(self._ids)
        places = np.zeros(len(vocabulary), dtype=np.int32)
        places[[self._ids[term] for term in vocabulary]] = np.arange(len(vocabulary))
        tokens = places[np.array(self._tokens, dtype=np.int64)]
        return TokenLists(vocabulary, np.array(self._offsets, dtype=np.int64), tokens)


def _read_pairs(
    pairs: Iterable[pa.Table], options: ExpansionOptions
) -> tuple[TokenLists, TokenLists, list[int]]:
    """Lemmas and names of each pair, and the places of pairs with all distinct titles."""
    kinds: set[NameKind] = {"call"}
    if options.creations:
        kinds.add("creation")
    if options.declarations:
        kinds.add("declaration")
    stop_words = frozenset(options.stop_words)
    titles, snippets = _ListBuilder(), _ListBuilder()
    places: dict[str, int] = {}
    number = 0
    for table in pairs:
        columns = (table[name].to_pylist() for name in ("query", "code"))
        for query, code in zip(*columns, strict=True):
            places.setdefault(query, number)
            number += 1
            titles.append(lemmatise(word) for word in split_query(query, stop_words))
            snippets.append(name for name, kind in find_names(code) if kind in kinds)
    return titles.finish(), snippets.finish(), list(places.values())


def _keep_heaviest(frequencies: Any, share: float) -> Any:
    """1 for the names of each row with the highest TF-IDF, ties by name; int32 (pairs, names)."""
    pairs, names = frequencies.shape
    lengths = np.diff(frequencies.indptr)
    rows = np.repeat(np.arange(pairs), lengths)
    inverse = _logarithms(pairs / np.maximum(np.bincount(frequencies.indices, minlength=names), 1))
    weights = (1 + _logarithms(frequencies.data)) * inverse[frequencies.indices]
    order = np.lexsort((frequencies.indices, -weights, rows))
    # Half of one name is one: rounded up, and 0.07 * 100 is 7 although floats say a little more.
    limits = np.maximum(np.ceil(share * lengths - 1e-9), 1)
    ranks = np.arange(len(rows)) - np.repeat(frequencies.indptr[:-1], lengths)
    kept = frequencies.copy()
    kept.data[order] = ranks < np.repeat(limits, lengths)
    kept.eliminate_zeros()
    return kept


def _logarithms(values: NDArray[Any]) -> NDArray[np.float64]:
    """Natural logarithms; equal values give equal ones, wherever they stand."""
    distinct, places = np.unique(values, return_inverse=True)
    return np.array([math.log(value) for value in distinct.tolist()], dtype=np.float64)[places]


def _list_counts(counts: Any, query_words: list[str], code_words: list[str]) -> pa.Table:
    """The entries of a matrix (lemmas, names) as rows, the values of a lemma summing to 1."""
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
