"""Lists of tokens as a sparse matrix, flat arrays or postings, sums over these, lists that grow."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.networks.id_lists import ListBuilder
from ncsbench.corpus.layout.documents import TokenLists

_LONG = 1 << 14  # postings; for shorter lists alone SciPy would not be worth its import
_BLOCK = 1 << 12  # methods that are inverted at a time

Postings = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]
"""``offsets``, ``methods`` and ``frequencies`` as in ``text_field.TextField``."""


def count_terms(lists: TokenLists, *, start: int = 0, stop: int | None = None) -> Any:
    """Count the occurrences of each word in the methods ``start`` to ``stop`` (exclusive).

    Returns:
        ``scipy.sparse.csr_matrix`` of int32, shape (stop - start, vocabulary), with sorted
        indices and no stored zeros.
    """
    from scipy.sparse import csr_matrix

    stop = len(lists) if stop is None else stop
    first, last = lists.offsets[start], lists.offsets[stop]
    # A copy, since summing duplicates works in place.
    tokens = lists.tokens[first:last].copy()
    counts = csr_matrix(
        (np.ones(len(tokens), dtype=np.int32), tokens, lists.offsets[start : stop + 1] - first),
        shape=(stop - start, len(lists.vocabulary)),
    )
    counts.sum_duplicates()
    return counts


def gather_tokens(
    lists: TokenLists, methods: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Gather the tokens of some methods, one list after the other.

    Args:
        lists: tokens of all methods.
        methods: ids, int64, shape (c,), in any order.

    Returns:
        For each token the position of its method in ``methods``, int64, ascending, and the token's
        index in the vocabulary, int32, both of shape (tokens,).
    """
    starts = lists.offsets[methods]
    lengths = lists.offsets[methods + 1] - starts
    rows = np.repeat(np.arange(len(methods)), lengths)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return rows, lists.tokens[np.repeat(starts, lengths) + within]


def invert_terms(lists: TokenLists) -> Postings:
    """Return the postings of each word of the vocabulary."""
    builder = PostingsBuilder()
    for start in range(0, len(lists), _BLOCK):
        ends = lists.offsets[start : start + _BLOCK + 1]
        builder.add(lists.tokens[ends[0] : ends[-1]], np.diff(ends))
    return builder.finish(np.arange(len(lists.vocabulary)))


class PostingsBuilder:
    """Inverts lists of tokens: sorts block by block, then joins the blocks."""

    def __init__(self) -> None:
        self._blocks: list[tuple[NDArray[Any], ...]] = []
        self.methods = 0

    def add(self, tokens: NDArray[np.int32], lengths: NDArray[np.int64]) -> None:
        """Add the next methods: the tokens of all, and how many each has, shape (methods,)."""
        rows = np.repeat(np.arange(len(lengths)) + self.methods, lengths)
        # A token and its method are one number, which sorts faster than pairs of numbers.
        pairs, counts = np.unique(tokens.astype(np.int64) << 32 | rows, return_counts=True)
        words, sizes = np.unique(pairs >> 32, return_counts=True)
        self._blocks.append((words, sizes, pairs.astype(np.int32), counts.astype(np.int32)))
        self.methods += len(lengths)

    def finish(self, numbers: NDArray[np.int64]) -> Postings:
        """Return the postings; the builder is empty afterwards.

        Args:
            numbers: place of each token in the result, shape (vocabulary,).
        """
        lengths = np.zeros(len(numbers), np.int64)
        for words, sizes, *_ in self._blocks:
            lengths[numbers[words]] += sizes
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        methods, frequencies = (np.empty(offsets[-1], np.int32) for _ in range(2))
        begins = offsets[:-1].copy()
        self._blocks.reverse()
        while self._blocks:
            words, sizes, rows, counts = self._blocks.pop()
            words = numbers[words]
            places = np.repeat(begins[words] - (np.cumsum(sizes) - sizes), sizes)
            places += np.arange(len(rows))
            methods[places], frequencies[places] = rows, counts
            begins[words] += sizes
        return offsets, methods, frequencies


def add_postings(
    sums: NDArray[np.float64],
    methods: NDArray[np.int32],
    values: NDArray[np.float64],
    weight: float,
) -> None:
    """Add ``weight * values`` to the sums of the methods of one word.

    Args:
        sums: sum of each method of the corpus, shape (n,), changed in place.
        methods: distinct ids of the methods that have the word, shape (postings,).
        values: value of each posting, shape (postings,).
        weight: factor of all values.
    """
    if len(methods) >= _LONG:
        # The product of a sparse column with a number, added in place: a sixth of NumPy's time.
        # SciPy's public product copies the column and makes new sums.
        with suppress(ModuleNotFoundError):  # the base installation has no SciPy
            from scipy.sparse import _sparsetools

            column = np.array([0, len(methods)], np.int32)
            _sparsetools.csc_matvec(len(sums), 1, column, methods, values, np.array([weight]), sums)
            return
    sums[methods] += weight * values


class WordListBuilder:
    """Grows lists of words, with four bytes for each word."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._lists = ListBuilder("i")

    def append(self, words: Iterable[str]) -> None:
        """Add a list of words."""
        self._lists.add([self._ids.setdefault(word, len(self._ids)) for word in words])

    def finish(self, minimum_count: int = 1) -> TokenLists:
        """Return the lists, each ascending, with words of ``minimum_count`` occurrences in all.

        Neither the vocabulary nor a list depends on the order in which words came.
        """
        starts, tokens = self._lists.finish()
        counts = np.bincount(tokens, minlength=len(self._ids))
        vocabulary = sorted(word for word, i in self._ids.items() if counts[i] >= minimum_count)
        numbers = np.full(len(self._ids), -1, dtype=np.int32)
        numbers[[self._ids[word] for word in vocabulary]] = np.arange(len(vocabulary))
        numbered = numbers[tokens]
        known = numbered >= 0
        offsets = np.concatenate([[0], np.cumsum(known)])[starts]
        rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        numbered = numbered[known]
        return TokenLists(vocabulary, offsets, numbered[np.lexsort((numbered, rows))])
