"""Translation of words of queries and of code: IBM Model 1 (Brown et al. 1993, section 4.2).

A pair has the distinct words of its query and the distinct words of its code. One side is taken as
a translation made from the other, given side: each word f of the made side comes from one word e of
the given side or from the null word, all with the same probability. The given side of a pair has n
words; E is these words and the null word::

    P(pair)  =  PRODUCT over f of the made side:  1/(n + 1) * SUM over e in E: t(f|e)
    count(f, e)  =  SUM over pairs with both:  t(f|e) / SUM over e' in E: t(f|e')
    t(f|e)   =  count(f, e) / SUM over f' of count(f', e)

Starting from equal probabilities, the last two lines are repeated; P never decreases. This is done
in both directions: t(query word | code word) and t(code word | query word).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.corpus.indexes.term_counts import WordListBuilder
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.errors import DataError
from ncsbench.learning.training.pair_words import JavaPairs, WordPairs
from ncsbench.learning.training.training_options import TrainingOptions, TranslationSettings
from ncsbench.learning.training.translation_tables import (
    TRANSLATION_SCHEMA,
    Translation,
    remember_pairs,
    save_translation,
)

_CELLS = 1 << 21
"""Number of meetings of two words in a block of pairs."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Meetings:
    """The meetings of query words and code words in pairs, block by block.

    Two words meet where a pair has one in its query and the other in its code.

    Attributes:
        queries: the words of queries.
        codes: the words of code.
        keys: int64, shape (k,), ascending: query word * number of code words + code word, for every
            two words that meet in any pair.
        blocks: the meetings of some pairs each, pair by pair and query word by query word.
    """

    queries: TokenLists
    codes: TokenLists
    keys: Integers
    blocks: list[Block]

    @property
    def query_words(self) -> Integers:
        """The query word of each key."""
        return self.keys // max(len(self.codes.vocabulary), 1)

    @property
    def code_words(self) -> Integers:
        """The code word of each key."""
        return self.keys % max(len(self.codes.vocabulary), 1)


@dataclass(frozen=True)
class Block:
    """The meetings of some pairs.

    Attributes:
        start: the first pair.
        stop: the pair after the last.
        keys: int64, the distinct keys of the meetings as positions in ``Meetings.keys``.
        cells: int32, shape (meetings,), positions in ``keys``.
    """

    start: int
    stop: int
    keys: Integers
    cells: NDArray[np.int32]


def make_translation(settings: TranslationSettings, pairs: Sequence[Path], output: Path) -> None:
    """Learn the translation table, and write the pairs that are remembered beside it.

    Args:
        settings: options of learning.
        pairs: a file of ``PAIR_SCHEMA`` for each set that the settings name.
        output: folder to write (``save_translation``).
    """
    # Pairs are read as UNIF reads them by default: like documents of the index, without docstring.
    reading = TrainingOptions(pairs=settings.translation.pairs)
    made = build_translation(JavaPairs(pairs, settings.words, reading), settings)
    named = dict(zip(settings.translation.pairs, pairs, strict=True))
    remembered = [named[name] for name in settings.translation.memory or ()]
    memory = remember_pairs(remembered, stop_words=settings.stop_words) if remembered else None
    save_translation(made, output, memory)


def build_translation(pairs: WordPairs, settings: TranslationSettings) -> Translation:
    """Learn the table from pairs.

    The order of the pairs changes nothing but the rounding of sums.

    Raises:
        DataError: where nothing can be learnt from the pairs, or the number of sets is not that of
            the settings.
    """
    options = settings.translation
    queries, codes = read_word_sets(pairs, settings)
    meetings = find_meetings(queries, codes)
    if not len(meetings.keys):
        raise DataError(
            f"translation: none of {len(queries)} pairs has a word in its query and one in its "
            f"code that {options.minimum_count} pairs have; give more pairs or lower "
            "'minimum_count'"
        )
    query_given_code, _ = estimate(meetings, made="queries", iterations=options.iterations)
    code_given_query, _ = estimate(meetings, made="codes", iterations=options.iterations)
    columns = (query_given_code, code_given_query)
    kept = np.zeros(len(meetings.keys), dtype=np.bool_)
    for values in columns:
        kept |= _find_best(meetings, values, options.kept) & (values >= options.minimum)
    arrays = [
        pa.array(queries.vocabulary, pa.string()).take(pa.array(meetings.query_words[kept])),
        pa.array(codes.vocabulary, pa.string()).take(pa.array(meetings.code_words[kept])),
        *(pa.array(values[kept]) for values in columns),
    ]
    return Translation(pa.table(arrays, schema=TRANSLATION_SCHEMA))


def read_word_sets(
    pairs: WordPairs, settings: TranslationSettings
) -> tuple[TokenLists, TokenLists]:
    """Read the words that enough pairs have; pairs without such a word on a side are left out.

    Returns:
        Words of the queries, and the first words of the code.

    Raises:
        DataError: where the number of sets is not that of the settings.
    """
    options, stop_words = settings.translation, frozenset(settings.stop_words)
    given = list(pairs.iterate_sets())
    if len(given) != len(options.pairs):
        raise DataError(
            f"translation: {len(given)} files of pairs are given for the sets "
            f"{', '.join(options.pairs)}; give one for each, in this order"
        )
    queries, codes = WordListBuilder(), WordListBuilder()
    for of_set in given:
        for asked, found in of_set:
            query = dict.fromkeys(word for word in asked if word not in stop_words)
            code = list(dict.fromkeys(found))
            if query and code:
                queries.append(query)
                codes.append(code[: options.maximum_code_words])
    return queries.finish(options.minimum_count), codes.finish(options.minimum_count)


def find_meetings(queries: TokenLists, codes: TokenLists, *, cells: int = _CELLS) -> Meetings:
    """Find the meetings of words in pairs, in blocks of about ``cells`` meetings."""
    sizes = np.diff(queries.offsets) * np.diff(codes.offsets)
    ends = np.cumsum(sizes)
    cuts = np.searchsorted(ends, np.arange(cells, (ends[-1] if len(ends) else 0) + cells, cells))
    found = []
    spans = list(pairwise(np.unique([0, *np.minimum(cuts + 1, len(sizes)).tolist()]).tolist()))
    for start, stop in spans:
        of_queries, of_codes = _list_cells(queries, codes, start, stop)
        asked = queries.tokens[of_queries].astype(np.int64)
        keys = asked * len(codes.vocabulary) + codes.tokens[of_codes]
        found.append(np.unique(keys, return_inverse=True))
    joined = np.unique(np.concatenate([np.zeros(0, np.int64), *(keys for keys, _ in found)]))
    blocks = []
    for (start, stop), (keys, inverse) in zip(spans, found, strict=True):
        positions: Integers = np.asarray(np.searchsorted(joined, keys), dtype=np.int64)
        blocks.append(Block(start, stop, positions, inverse.astype(np.int32)))
    return Meetings(queries, codes, joined, blocks)


def estimate(
    meetings: Meetings, *, made: Literal["queries", "codes"], iterations: int
) -> tuple[Floats, list[float]]:
    """Fit one direction.

    Args:
        meetings: meetings of words in the pairs.
        made: ``queries`` for t(query word | code word), ``codes`` for t(code word | query word).
        iterations: number of estimations, the first from equal probabilities.

    Returns:
        The last probabilities, float64, in the order of the keys of ``meetings``, and the logarithm
        of the likelihood of all pairs before each iteration.
    """
    of_queries = made == "queries"
    words = meetings.queries if of_queries else meetings.codes
    given = meetings.code_words if of_queries else meetings.query_words
    others = meetings.codes if of_queries else meetings.queries
    size = len(words.vocabulary)
    alone = np.full(size, 1 / size)  # t(f | null word)
    together = np.full(len(meetings.keys), 1 / size)
    choices = np.diff(others.offsets) + 1
    constant = float((np.diff(words.offsets) * np.log(choices)).sum())
    likelihoods = []
    for _ in range(iterations):
        counts, nulls, likelihood = np.zeros_like(together), np.zeros_like(alone), -constant
        for block in meetings.blocks:
            cells = _list_cells(meetings.queries, meetings.codes, block.start, block.stop)
            first = int(words.offsets[block.start])
            groups = cells[0 if of_queries else 1] - first
            tokens = words.tokens[first : words.offsets[block.stop]]
            shares = together[block.keys][block.cells]
            sums = np.bincount(groups, weights=shares, minlength=len(tokens)) + alone[tokens]
            likelihood += float(np.log(sums).sum())
            shares /= sums[groups]
            counts[block.keys] += np.bincount(block.cells, shares, minlength=len(block.keys))
            nulls += np.bincount(tokens, alone[tokens] / sums, minlength=size)
        totals = np.bincount(given, counts)
        together = counts / np.maximum(totals, np.finfo(np.float64).tiny)[given]
        alone = nulls / nulls.sum()
        likelihoods.append(likelihood)
    return together, likelihoods


def _list_cells(
    queries: TokenLists, codes: TokenLists, start: int, stop: int
) -> tuple[Integers, Integers]:
    """List positions of tokens that meet in the pairs ``start`` to ``stop`` (exclusive)."""
    tokens = np.arange(queries.offsets[start], queries.offsets[stop])
    pairs = np.repeat(np.arange(start, stop), np.diff(queries.offsets[start : stop + 1]))
    lengths = np.diff(codes.offsets)[pairs]
    ends = np.cumsum(lengths)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
    return np.repeat(tokens, lengths), np.repeat(codes.offsets[pairs], lengths) + within


def _find_best(meetings: Meetings, values: Floats, kept: int) -> NDArray[np.bool_]:
    """Mark the keys with the ``kept`` highest values of their query word, ties by code word."""
    words = meetings.query_words
    order = np.lexsort((meetings.keys, -values, words))
    starts = np.searchsorted(words, words, side="left")  # keys are ordered by query word
    best = np.zeros(len(words), dtype=np.bool_)
    best[order] = np.arange(len(words)) - starts < kept
    return best
