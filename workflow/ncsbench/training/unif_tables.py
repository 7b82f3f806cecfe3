"""The tables of UNIF in training: the rows of words of pairs, moved by the steps that read them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ncsbench.artifacts.training_checkpoints import Tensors
from ncsbench.corpus.documents import TokenLists
from ncsbench.training.pair_words import PairWords, keep_words
from ncsbench.training.row_adam import EpochSteps, TrainedTable
from ncsbench.training.unif_network import UnifNetwork
from ncsbench.training.unif_pairs import PairBatches
from ncsbench.training.unif_weights import UnifWeights
from ncsbench.training.word_vectors import Embedding

_ATTENTION = 1  # Stream of random numbers; unif_training, unif_pairs and query_vectors have others.
_NAMES = ("query_table", "code_table", "attention")


@dataclass(frozen=True)
class UsedRows:
    """The rows of both tables that training touches, ascending.

    The row of a word of no pair never has a gradient, and Adam leaves it alone: training the rows
    of the words that occur gives what training whole tables would, up to the rounding of the last
    bit.

    Attributes:
        queries: in queries of any pair.
        codes: in code of any pair.
    """

    queries: NDArray[np.int64]
    codes: NDArray[np.int64]

    @classmethod
    def compact(cls, pairs: PairWords) -> tuple[UsedRows, PairWords]:
        """The rows, and the pairs with words numbered within them."""
        rows = cls(_used(pairs.queries), _used(pairs.codes))
        queries, codes = (
            keep_words(pairs.queries, rows.queries),
            keep_words(pairs.codes, rows.codes),
        )
        return rows, replace(pairs, queries=queries, codes=codes)

    def create_network(self, asked: Embedding, embedding: Embedding, *, seed: int) -> UnifNetwork:
        """Tables of these rows and an attention vector from ±1/sqrt(dimension) (DEV-63)."""
        dimension = embedding.vectors.shape[1]
        draws = np.random.default_rng([seed, _ATTENTION]).random((dimension,), dtype=np.float32)
        attention = (2 * draws - 1) / np.float32(math.sqrt(dimension))
        tables = (asked.vectors[self.queries], embedding.vectors[self.codes], attention)
        return UnifNetwork(*(torch.from_numpy(table) for table in tables))

    def spread(
        self, asked: Embedding, embedding: Embedding, trained: Tensors, about: Mapping[str, Any]
    ) -> UnifWeights:
        """Whole tables with the trained rows; all others keep their vectors (DEV-62)."""
        query_table, code_table = asked.vectors.copy(), embedding.vectors.copy()
        query_table[self.queries] = trained["query_table"]
        code_table[self.codes] = trained["code_table"]
        attention = trained["attention"]
        return UnifWeights(
            asked.vocabulary, embedding.vocabulary, query_table, code_table, attention, about
        )


class TrainedNetwork:
    """A network whose steps read and move only the rows of the words of their batch (DEV-107).

    Args:
        start: what training starts from; it is changed.
        device: where it is trained.
        learning_rate: of Adam.
    """

    def __init__(self, start: UnifNetwork, device: torch.device, *, learning_rate: float) -> None:
        tables = (start.query_table, start.code_table, start.attention[None])
        self._tables = {
            name: TrainedTable(table.to(device), learning_rate=learning_rate)
            for name, table in zip(_NAMES, tables, strict=True)
        }

    @property
    def network(self) -> UnifNetwork:
        """The network between two epochs."""
        queries, codes, attention = (table.values for table in self._tables.values())
        return UnifNetwork(queries, codes, attention[0])

    def train_epoch(
        self, pairs: PairBatches, generator: np.random.Generator, *, epochs: int
    ) -> Iterator[tuple[float, int]]:
        """Loss and number of pairs of each batch of an epoch after ``epochs`` others."""
        count = pairs.count_batches()
        steps = EpochSteps(epochs * count, count)
        tables = tuple(self._tables.values())
        for step, batch in enumerate(pairs.iterate_batches(generator), 1):
            asked, queries = _renumber(batch.queries)
            found, codes = _renumber(batch.codes)
            rows = (asked, found, np.zeros(1, np.int64))
            parts: list[Tensor] = [
                table.read(own, steps, step) for table, own in zip(tables, rows, strict=True)
            ]
            part = UnifNetwork(parts[0], parts[1], parts[2][0])
            loss = replace(batch, queries=queries, codes=codes).measure(part)
            loss.backward()  # type: ignore[no-untyped-call]
            for table, moved in zip(tables, parts, strict=True):
                table.move(moved, steps, step)
            yield float(loss.detach()), len(batch)
        for table in tables:
            table.end_epoch(steps, count)

    def save(self) -> tuple[Tensors, Tensors]:
        """Copies of the parameters and of the moments, by name."""
        moments = {}
        for name, table in self._tables.items():
            moments[f"{name}.first"] = _copy(table.first)
            moments[f"{name}.second"] = _copy(table.second)
        parameters = {name: _copy(table.values) for name, table in self._tables.items()}
        return parameters | {"attention": parameters["attention"][0]}, moments

    def restore(self, parameters: Tensors, moments: Tensors) -> None:
        """Take what ``save`` gave; ``KeyError`` where something is missing."""
        for name, table in self._tables.items():
            table.values.copy_(torch.from_numpy(parameters[name]))
            table.first.copy_(torch.from_numpy(moments[f"{name}.first"]))
            table.second.copy_(torch.from_numpy(moments[f"{name}.second"]))


def _renumber(lists: TokenLists) -> tuple[NDArray[np.int64], TokenLists]:
    """The words of some lists, ascending, and the lists with words numbered among them."""
    words, numbers = np.unique(lists.tokens, return_inverse=True)
    return words.astype(np.int64), TokenLists([], lists.offsets, numbers.astype(np.int32))


def _used(lists: TokenLists) -> NDArray[np.int64]:
    return np.unique(lists.tokens).astype(np.int64)


def _copy(tensor: Tensor) -> NDArray[np.float32]:
    return tensor.detach().cpu().numpy().copy()
