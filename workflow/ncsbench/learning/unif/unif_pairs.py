"""The training pairs of UNIF: the split into training and held-out pairs (DEV-65), and batches.

A pair is held out by its query, so that all answers to a question are on one side. The split
depends on the words of the queries alone: neither on a seed nor on the share that is trained on.
A held-out query without any word of the query table (DEV-91) has the vector zero, and is not found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.errors import DataError
from ncsbench.learning.training.pair_sampling import (
    balance_sets,
    draw_balanced,
    find_hard_negatives,
)
from ncsbench.learning.training.pair_words import PairWords, group_equal, take_lists
from ncsbench.learning.training.training_options import TrainingOptions
from ncsbench.learning.unif.unif_network import Bags, UnifNetwork, hinge_loss, softmax_loss


class TooFewPairsError(DataError):
    """An error for pairs that are too few to train on or to hold out."""


@dataclass(frozen=True)
class Split:
    """Indices of the pairs on each side of the split, ascending.

    Attributes:
        training: pairs to train on; no query has the words of a held-out query, and no code those
            of held-out code.
        held_out: pairs to measure on.
        dropped: number of pairs of a held-out query whose code is also trained on.
        query_groups: numbers that pairs with the same words in their query share; shape (pairs,).
        code_groups: numbers that pairs with the same words in their code share; shape (pairs,).
    """

    training: NDArray[np.int64]
    held_out: NDArray[np.int64]
    dropped: int
    query_groups: NDArray[np.int64]
    code_groups: NDArray[np.int64]


def split_pairs(pairs: PairWords, options: TrainingOptions, *, seed: int) -> Split:
    """Hold out the queries with the smallest hashes; the seed orders queries only for ``share``.

    The share is taken of distinct queries, with all their pairs: where questions have many answers,
    half of the pairs would still have nearly all questions.

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


Loss = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Batch:
    """The pairs of one step.

    Attributes:
        queries: queries of the pairs and, for the hinge loss, wrong queries behind them, as rows of
            the query table.
        codes: code of the pairs and hard negatives behind it, as rows of the code table.
        count: number of pairs.
        loss: function of the unit vectors of queries and code that gives the mean loss.
        device: device that the batch is moved to.
    """

    queries: TokenLists
    codes: TokenLists
    count: int
    loss: Loss
    device: torch.device

    def __len__(self) -> int:
        """Return the number of pairs."""
        return self.count

    def measure(self, network: UnifNetwork) -> Tensor:
        """Return the mean loss of the pairs."""
        queries, codes = (
            Bags.from_lists(lists, self.device) for lists in (self.queries, self.codes)
        )
        return self.loss(network.embed_queries(queries), network.embed_codes(codes))


@dataclass(frozen=True)
class PairBatches:
    """The pairs of one side of a split, in batches.

    Attributes:
        queries: queries of the pairs, as rows of the query table; n lists.
        codes: code of the pairs, as rows of the code table; n lists.
        query_groups: numbers that equal queries share; shape (n,).
        code_groups: numbers that equal code shares; shape (n,).
        options: batch size, loss and options of the loss.
        device: device that batches are moved to.
        sets: number of the set of each pair, shape (n,), where an epoch balances the sets; None
            where an epoch has each pair once.
        hard: for each pair the pairs whose code is its hard negatives, filled up with the pair
            itself; shape (n, negatives).
    """

    queries: TokenLists
    codes: TokenLists
    query_groups: NDArray[np.int64]
    code_groups: NDArray[np.int64]
    options: TrainingOptions
    device: torch.device
    sets: NDArray[np.int64] | None
    hard: NDArray[np.int64]

    @classmethod
    def choose(
        cls,
        pairs: PairWords,
        split: Split,
        rows: NDArray[np.int64],
        options: TrainingOptions,
        device: torch.device,
        *,
        training: bool,
    ) -> PairBatches:
        """Return the batches of the pairs in ``rows``.

        For training, sets are balanced and hard negatives found where the options ask for it.
        Otherwise an epoch has each pair once, without hard negatives.
        """
        queries, codes = take_lists(pairs.queries, rows), take_lists(pairs.codes, rows)
        groups = split.query_groups[rows], split.code_groups[rows]
        balanced = training and options.sampling == "square_root"
        hard = np.zeros((len(rows), 0), np.int64)
        if training and options.hard_negatives:
            hard = find_hard_negatives(queries, codes, *groups, count=options.hard_negatives)
        sets = pairs.sets[rows] if balanced else None
        return cls(queries, codes, *groups, options, device, sets, hard)

    def __len__(self) -> int:
        """Return the number of pairs of an epoch."""
        return len(self.queries) if self.sets is None else int(balance_sets(self.sets).sum())

    def iterate_batches(self, generator: np.random.Generator) -> Iterator[Batch]:
        """Yield the batches of an epoch, in an order drawn for it."""
        order = generator.permutation(len(self))
        if self.sets is not None:
            order = draw_balanced(self.sets, generator)[order]
        wrong = np.zeros((len(self.queries), 0), np.int64)
        if self.options.loss == "hinge":
            wrong = draw_other_queries(self.query_groups, self.options.negatives, generator)
        for start, stop in zip(self.starts, [*self.starts[1:], len(self)], strict=True):
            rows = order[start:stop]
            asked = np.concatenate([rows, wrong[rows].ravel()])
            loss = self._softmax(rows) if self.options.loss == "softmax" else self._hinge
            found = np.concatenate([rows, self.hard[rows].ravel()])
            queries, codes = take_lists(self.queries, asked), take_lists(self.codes, found)
            yield Batch(queries, codes, len(rows), loss, self.device)

    def mean_loss(self, network: UnifNetwork, generator: np.random.Generator) -> float:
        """Return the mean loss over the pairs of an epoch, without training."""
        with torch.no_grad():
            losses = [
                float(batch.measure(network)) * len(batch)
                for batch in self.iterate_batches(generator)
            ]
        return sum(losses) / len(self)

    def mean_reciprocal_rank(self, network: UnifNetwork) -> float:
        """Return the MRR of the distinct queries over the distinct code."""
        _, first_query, query = np.unique(self.query_groups, return_index=True, return_inverse=True)
        _, first_code, code = np.unique(self.code_groups, return_index=True, return_inverse=True)
        with torch.no_grad():
            queries = network.embed_queries(self._bags(self.queries, first_query))
            codes = network.embed_codes(self._bags(self.codes, first_code))
            similarities = (queries @ codes.T).cpu().numpy()
        right = np.zeros(similarities.shape, dtype=np.bool_)
        right[query, code] = True
        return mean_reciprocal_rank(similarities, query, code, right)

    def _bags(self, lists: TokenLists, rows: NDArray[np.int64]) -> Bags:
        return Bags.from_lists(take_lists(lists, rows), self.device)

    @cached_property
    def starts(self) -> list[int]:
        """The first position of each batch of an epoch."""
        starts = list(range(0, len(self), self.options.batch_size))
        if len(starts) > 1 and len(self) - starts[-1] < 2:
            starts.pop()  # A single pair has no negatives: it joins the last batch.
        return starts

    def _hinge(self, queries: Tensor, codes: Tensor) -> Tensor:
        others = queries[len(codes) :].view(len(codes), self.options.negatives, -1)
        return hinge_loss(queries[: len(codes)], codes, others, self.options.margin)

    def _softmax(self, rows: NDArray[np.int64]) -> Loss:
        same = np.equal.outer(self.query_groups[rows], self.query_groups[rows])
        same |= np.equal.outer(self.code_groups[rows], self.code_groups[rows])
        np.fill_diagonal(same, False)
        absent = None
        if self.hard.shape[1]:
            absent = torch.from_numpy(self.hard[rows] == rows[:, None]).to(self.device)
        return partial(
            softmax_loss,
            same=torch.from_numpy(same).to(self.device),
            absent=absent,
            scale=self.options.scale,
            both=self.options.directions == "both",
        )


def draw_other_queries(
    groups: NDArray[np.int64], count: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Draw ``count`` random pairs with another query for each pair, shape (n, count).

    Every pair with another query is equally likely. There must be two different queries.
    """
    order = np.argsort(groups, kind="stable")
    _, starts, positions, sizes = np.unique(
        groups[order], return_index=True, return_inverse=True, return_counts=True
    )
    first, size = np.empty_like(groups), np.empty_like(groups)
    first[order], size[order] = starts[positions], sizes[positions]
    # The number of a pair outside the own group: numbers from the group's first on are moved behind
    # the group.
    drawn = generator.integers(0, (len(groups) - size)[:, None], size=(len(groups), count))
    drawn += np.where(drawn >= first[:, None], size[:, None], 0)
    chosen: NDArray[np.int64] = order[drawn]
    return chosen


def mean_reciprocal_rank(
    similarities: NDArray[np.float32],
    queries: NDArray[np.int64],
    codes: NDArray[np.int64],
    right: NDArray[np.bool_],
) -> float:
    """Return the MRR; each query counts once, with the mean over its pairs; ties count as lost.

    The rank of a pair's code is counted among wrong code alone: other right code of the query is
    left out.

    Args:
        similarities: similarities of q distinct queries with c distinct snippets, shape (q, c).
        queries: row of each pair, shape (n,); every row occurs.
        codes: column of each pair, shape (n,).
        right: True where a query and a code are a pair, bool, shape (q, c).
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
