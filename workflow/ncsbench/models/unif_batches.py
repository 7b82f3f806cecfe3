"""Training and held-out pairs of UNIF as batches, drawn anew for every epoch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ncsbench.corpus.documents import TokenLists
from ncsbench.models.pair_words import PairWords, take_lists
from ncsbench.models.unif_held_out import Split, mean_reciprocal_rank
from ncsbench.models.unif_network import Bags, UnifNetwork, hinge_loss, softmax_loss
from ncsbench.models.unif_options import TrainingOptions


@dataclass(frozen=True)
class PairBatches:
    """Pairs of one side of a split.

    Attributes:
        queries: their queries, as rows of the query table; n lists.
        codes: their code, as rows of the code table; n lists.
        query_groups: equal queries share a number; shape (n,).
        code_groups: equal code shares a number; shape (n,).
        options: batch size, loss and what belongs to it.
        device: where the batches go.
    """

    queries: TokenLists
    codes: TokenLists
    query_groups: NDArray[np.int64]
    code_groups: NDArray[np.int64]
    options: TrainingOptions
    device: torch.device

    @classmethod
    def choose(
        cls,
        pairs: PairWords,
        split: Split,
        rows: NDArray[np.int64],
        options: TrainingOptions,
        device: torch.device,
    ) -> PairBatches:
        """Batches of the pairs in ``rows``."""
        return cls(
            take_lists(pairs.queries, rows),
            take_lists(pairs.codes, rows),
            split.query_groups[rows],
            split.code_groups[rows],
            options,
            device,
        )

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.queries)

    def iterate_losses(
        self, network: UnifNetwork, generator: np.random.Generator
    ) -> Iterator[tuple[Tensor, int]]:
        """Mean loss and number of pairs of each batch of an epoch, in an order drawn for it."""
        order = generator.permutation(len(self))
        wrong = np.zeros((len(self), 0), np.int64)
        if self.options.loss == "hinge":
            wrong = draw_other_queries(self.query_groups, self.options.negatives, generator)
        starts = list(range(0, len(self), self.options.batch_size))
        if len(starts) > 1 and len(self) - starts[-1] < 2:
            starts.pop()  # One pair has no other to be told from: it joins the last batch.
        for start, stop in zip(starts, [*starts[1:], len(self)], strict=True):
            rows = order[start:stop]
            loss = self._softmax if self.options.loss == "softmax" else self._hinge
            yield loss(network, rows, wrong), len(rows)

    def mean_loss(self, network: UnifNetwork, generator: np.random.Generator) -> float:
        """Mean loss over the pairs of an epoch, without training."""
        with torch.no_grad():
            losses = [(float(loss), n) for loss, n in self.iterate_losses(network, generator)]
        return sum(loss * n for loss, n in losses) / len(self)

    def mean_reciprocal_rank(self, network: UnifNetwork) -> float:
        """MRR of the distinct queries over the distinct code (``unif_held_out``)."""
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

    def _hinge(
        self, network: UnifNetwork, rows: NDArray[np.int64], wrong: NDArray[np.int64]
    ) -> Tensor:
        asked = np.concatenate([rows, wrong[rows].ravel()])
        queries = network.embed_queries(self._bags(self.queries, asked))
        codes = network.embed_codes(self._bags(self.codes, rows))
        others = queries[len(rows) :].view(len(rows), self.options.negatives, -1)
        return hinge_loss(queries[: len(rows)], codes, others, self.options.margin)

    def _softmax(
        self, network: UnifNetwork, rows: NDArray[np.int64], _: NDArray[np.int64]
    ) -> Tensor:
        queries = network.embed_queries(self._bags(self.queries, rows))
        codes = network.embed_codes(self._bags(self.codes, rows))
        same = np.equal.outer(self.query_groups[rows], self.query_groups[rows])
        same |= np.equal.outer(self.code_groups[rows], self.code_groups[rows])
        np.fill_diagonal(same, False)
        return softmax_loss(
            queries,
            codes,
            torch.from_numpy(same).to(self.device),
            scale=self.options.scale,
            both=self.options.directions == "both",
        )


def draw_other_queries(
    groups: NDArray[np.int64], count: int, generator: np.random.Generator
) -> NDArray[np.int64]:
    """For each pair ``count`` random pairs with another query, shape (n, count).

    Every pair with another query is equally likely. Needs two different queries.
    """
    order = np.argsort(groups, kind="stable")
    _, starts, positions, sizes = np.unique(
        groups[order], return_index=True, return_inverse=True, return_counts=True
    )
    first, size = np.empty_like(groups), np.empty_like(groups)
    first[order], size[order] = starts[positions], sizes[positions]
    # A number among the others, moved behind the pair's own group where it reaches it.
    drawn = generator.integers(0, (len(groups) - size)[:, None], size=(len(groups), count))
    drawn += np.where(drawn >= first[:, None], size[:, None], 0)
    chosen: NDArray[np.int64] = order[drawn]
    return chosen
