"""Which pairs are held out of the training of UNIF, and their mean reciprocal rank (DEV-65).

A pair is held out by its query, so that all answers to a question fall on one side. The split
depends on the words of the queries alone: neither on a seed nor on the share that is trained on.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.errors import DataError
from ncsbench.models.pair_words import PairWords, group_equal
from ncsbench.models.unif_options import TrainingOptions


class TooFewPairsError(DataError):
    """Pairs that leave too few to train on or to hold out."""


@dataclass(frozen=True)
class Split:
    """Rows of pairs, ascending.

    Attributes:
        training: rows to train on; none has the words of a held-out query or of held-out code.
        held_out: rows to measure on.
        dropped: number of pairs of a held-out query whose code is also trained on.
        query_groups: pairs with the same words in their query share a number; shape (pairs,).
        code_groups: the same for code.
    """

    training: NDArray[np.int64]
    held_out: NDArray[np.int64]
    dropped: int
    query_groups: NDArray[np.int64]
    code_groups: NDArray[np.int64]


def split_pairs(pairs: PairWords, options: TrainingOptions, *, seed: int) -> Split:
    """Hold out the queries with the smallest hashes; the seed orders only what ``share`` takes.

    A share is one of distinct queries, with all their pairs: half of the pairs of a set with many
    answers to a question would still have nearly all questions.

    Raises:
        TooFewPairsError: where there are too few queries, naming the sets and the numbers.
    """
    names = ", ".join(options.pairs) or "the given pairs"
    queries, codes = group_equal(pairs.queries), group_equal(pairs.codes)
    distinct, first = np.unique(queries, return_index=True)
    wanted = round(options.held_out * len(distinct))
    wanted = min(max(wanted, options.minimum_held_out), options.maximum_held_out)
    if len(distinct) < 2 * wanted:
        raise TooFewPairsError(
            f"training on {names}: has {len(distinct)} distinct queries in {len(pairs)} pairs with "
            f"known words, of which {wanted} would be held out, more than half; give more pairs "
            "or hold out fewer"
        )
    keys = [_hash_words(pairs, row) for row in first.tolist()]
    chosen = distinct[sorted(range(len(distinct)), key=keys.__getitem__)[:wanted]]
    asked = np.isin(queries, chosen)
    trained = np.flatnonzero(~asked)
    seen = asked & np.isin(codes, codes[trained])
    held_out = np.flatnonzero(asked & ~seen)
    order = np.random.default_rng([seed, 0]).permutation(np.unique(queries[trained]))
    kept = order[: max(1, round(options.share * len(order)))]
    training = trained[np.isin(queries[trained], kept)]
    left = {
        "queries to train on": queries[training],
        "held-out queries": queries[held_out],
        "pieces of held-out code that is not trained on": codes[held_out],
    }
    for what, groups in left.items():
        if len(np.unique(groups)) < 2:
            raise TooFewPairsError(
                f"training on {names}: leaves fewer than two {what}; give more pairs"
            )
    return Split(training, held_out, int(seen.sum()), queries, codes)


def mean_reciprocal_rank(
    similarities: NDArray[np.float32],
    queries: NDArray[np.int64],
    codes: NDArray[np.int64],
    right: NDArray[np.bool_],
) -> float:
    """Each query counts once, with the mean over its pairs; ties count as lost.

    Other right code of the same query is no competitor of a pair.

    Args:
        similarities: of q distinct queries with c distinct pieces of code, shape (q, c).
        queries: row of each pair, shape (n,); every row occurs.
        codes: column of each pair, shape (n,).
        right: which code belongs to which query, shape (q, c).
    """
    wrong = np.sort(np.where(right, -np.inf, similarities), axis=1)
    own = similarities[queries, codes]
    better = [
        wrong.shape[1] - np.searchsorted(wrong[query], value)
        for query, value in zip(queries.tolist(), own, strict=True)
    ]
    sums = np.bincount(queries, 1 / (1 + np.array(better)))
    return float((sums / np.bincount(queries)).mean())


def _hash_words(pairs: PairWords, row: int) -> bytes:
    words = sorted(pairs.queries.vocabulary[i] for i in pairs.queries[row].tolist())
    return hashlib.blake2b(" ".join(words).encode(), digest_size=16).digest()
