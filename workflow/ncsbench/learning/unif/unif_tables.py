"""The tables of UNIF in training: rows of words, changed only in the steps that read them.

Adam also moves a row in steps in which the row has no gradient, by its decaying moments. Here a row
catches up with all such steps at once, when it is next read (DEV-107). With the moments m and v
after step t and no gradient in the steps t+1 to u, these steps together move the row by::

    rate * SUM over s: b1^(s-t) / (1 - b1^s) * m / (d_s sqrt(v) + eps),
    d_s = b2^((s-t)/2) / sqrt(1 - b2^s)

That is rate * A * m / sqrt(v) where eps is negligible beside d_s sqrt(v), and rate * B * m / eps
where d_s sqrt(v) is negligible beside eps; A and B depend on t and u alone. The formula used,
``rate * m / (sqrt(v)/A + eps/B)``, is exact in both limits and an approximation between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ncsbench.base.files.training_checkpoints import Tensors
from ncsbench.base.networks.network_files import copy_tensor
from ncsbench.corpus.layout.documents import TokenLists
from ncsbench.learning.training.pair_words import PairWords, keep_words
from ncsbench.learning.training.word_vectors import Embedding
from ncsbench.learning.unif.unif_network import UnifNetwork
from ncsbench.learning.unif.unif_pairs import PairBatches
from ncsbench.learning.unif.unif_weights import UnifWeights

_FIRST, _SECOND, _EPSILON = 0.9, 0.999, 1e-8  # b1, b2 and eps of the paper
_RATIO = _FIRST / math.sqrt(_SECOND)


class EpochSteps:
    """Step sizes of an epoch, whose steps are counted from 1; float64.

    Args:
        before: number of steps of earlier epochs.
        count: number of steps of this epoch.
    """

    def __init__(self, before: int, count: int) -> None:
        numbers = np.arange(before, before + count + 1, dtype=np.float64)
        first, second = 1 - _FIRST**numbers, np.sqrt(1 - _SECOND**numbers)
        self._corrections = list(zip(first.tolist(), second.tolist(), strict=True))
        # A and B from a step to the end of the epoch; to an earlier step they are differences.
        self._large, self._small = np.zeros(count + 1), np.zeros(count + 1)
        for step in range(count, 0, -1):
            one, root = self._corrections[step]
            self._large[step - 1] = _RATIO * (root / one + self._large[step])
            self._small[step - 1] = _FIRST * (1 / one + self._small[step])

    def correct(self, step: int) -> tuple[float, float]:
        """Return 1 - b1^s and sqrt(1 - b2^s) of a step."""
        return self._corrections[step]

    def catch_up(self, since: NDArray[np.int64], step: int) -> NDArray[np.float64]:
        """Return the factors by which rows catch up with missed steps.

        Args:
            since: the step in which each row was moved last, shape (rows,).
            step: the step in which the rows are moved next.

        Returns:
            A, A/B (1 where no step was missed), and the factors of m and of v; shape (4, rows).
        """
        missed = step - 1 - since
        large = self._large[since] - _RATIO**missed * self._large[step - 1]
        small = self._small[since] - _FIRST**missed * self._small[step - 1]
        ratio = np.divide(large, small, out=np.ones_like(large), where=missed > 0)
        large[missed == 0] = 0
        return np.stack([large, ratio, _FIRST**missed, _SECOND**missed])


class TrainedTable:
    """A table and its moments, all float tensors of one shape (rows, dimension).

    Attributes:
        values: the table; all rows are up to date between epochs.
        first: the moments m.
        second: the moments v.
    """

    def __init__(self, values: Tensor, *, learning_rate: float) -> None:
        self.values = values
        self.first, self.second = torch.zeros_like(values), torch.zeros_like(values)
        self._rate = learning_rate
        self._since = np.zeros(len(values), np.int64)

    def read(self, rows: NDArray[np.int64], steps: EpochSteps, step: int) -> Tensor:
        """Return distinct rows as they are when ``step`` begins, a leaf to be given to ``move``."""
        self._rows = torch.from_numpy(rows).to(self.values.device)
        self._since_rows = rows
        part, self._m, self._v = (
            table.index_select(0, self._rows) for table in (self.values, self.first, self.second)
        )
        missed = torch.from_numpy(steps.catch_up(self._since[rows], step))
        large, ratio, first, second = missed.to(part)[:, :, None]
        part -= self._m * (self._rate * large) / (self._v.sqrt() + _EPSILON * ratio)
        self._m *= first
        self._v *= second
        return part.requires_grad_()

    def move(self, part: Tensor, steps: EpochSteps, step: int) -> None:
        """Make a step of Adam for the rows that ``read`` gave last, by their gradients."""
        if part.grad is not None:
            one, root = steps.correct(step)
            self._m.lerp_(part.grad, 1 - _FIRST)
            self._v.mul_(_SECOND).addcmul_(part.grad, part.grad, value=1 - _SECOND)
            lengths = self._v.sqrt().mul_(one / root).add_(one * _EPSILON)
            part.detach().addcdiv_(self._m, lengths, value=-self._rate)
        self._write(part.detach(), step)

    def end_epoch(self, steps: EpochSteps, count: int) -> None:
        """Bring all rows up to date after the last step of an epoch."""
        part = self.read(np.arange(len(self.values)), steps, count + 1)
        self._write(part.detach(), 0)

    def _write(self, part: Tensor, step: int) -> None:
        for table, own in ((self.values, part), (self.first, self._m), (self.second, self._v)):
            table.index_copy_(0, self._rows, own)
        self._since[self._since_rows] = step


_ATTENTION = 1  # Stream of random numbers; unif_training, unif_pairs and query_vectors have others.
_NAMES = ("query_table", "code_table", "attention")


@dataclass(frozen=True)
class UsedRows:
    """The rows of both tables that training changes, ascending.

    The row of a word that no pair has never has a gradient, and Adam leaves it alone: training only
    the rows of the words that occur has the same result as training whole tables, up to the
    rounding of the last bit.

    Attributes:
        queries: rows of words in the query of any pair.
        codes: rows of words in the code of any pair.
    """

    queries: NDArray[np.int64]
    codes: NDArray[np.int64]

    @classmethod
    def compact(cls, pairs: PairWords) -> tuple[UsedRows, PairWords]:
        """Return the rows that pairs use, and the pairs with words as positions in these rows."""
        rows = cls(_used(pairs.queries), _used(pairs.codes))
        queries, codes = (
            keep_words(pairs.queries, rows.queries),
            keep_words(pairs.codes, rows.codes),
        )
        return rows, replace(pairs, queries=queries, codes=codes)

    def create_network(self, asked: Embedding, embedding: Embedding, *, seed: int) -> UnifNetwork:
        """Make a network of these rows; attention is drawn from ±1/sqrt(dimension) (DEV-63)."""
        dimension = embedding.vectors.shape[1]
        draws = np.random.default_rng([seed, _ATTENTION]).random((dimension,), dtype=np.float32)
        attention = (2 * draws - 1) / np.float32(math.sqrt(dimension))
        tables = (asked.vectors[self.queries], embedding.vectors[self.codes], attention)
        return UnifNetwork(*(torch.from_numpy(table) for table in tables))

    def spread(
        self, asked: Embedding, embedding: Embedding, trained: Tensors, about: Mapping[str, Any]
    ) -> UnifWeights:
        """Return whole tables with the trained rows; other rows keep their vectors (DEV-62)."""
        query_table, code_table = asked.vectors.copy(), embedding.vectors.copy()
        query_table[self.queries] = trained["query_table"]
        code_table[self.codes] = trained["code_table"]
        attention = trained["attention"]
        return UnifWeights(
            asked.vocabulary, embedding.vocabulary, query_table, code_table, attention, about
        )


class TrainedNetwork:
    """A network in training, whose steps change only the rows of the batch's words (DEV-107).

    Args:
        start: network that training starts from; it is changed.
        device: device of the training.
        learning_rate: learning rate of Adam.
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
        """Train an epoch after ``epochs`` others; yield loss and number of pairs of each batch."""
        count = len(pairs.starts)
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
        """Return copies of the parameters and of the moments, by name."""
        moments = {}
        for name, table in self._tables.items():
            moments[f"{name}.first"] = copy_tensor(table.first)
            moments[f"{name}.second"] = copy_tensor(table.second)
        parameters = {name: copy_tensor(table.values) for name, table in self._tables.items()}
        return parameters | {"attention": parameters["attention"][0]}, moments

    def restore(self, parameters: Tensors, moments: Tensors) -> None:
        """Take the copies that ``save`` returned; ``KeyError`` where an array is missing."""
        for name, table in self._tables.items():
            table.values.copy_(torch.from_numpy(parameters[name]))
            table.first.copy_(torch.from_numpy(moments[f"{name}.first"]))
            table.second.copy_(torch.from_numpy(moments[f"{name}.second"]))


def _renumber(lists: TokenLists) -> tuple[NDArray[np.int64], TokenLists]:
    """Return the words of some lists, ascending, and the lists with words as positions in these."""
    words, numbers = np.unique(lists.tokens, return_inverse=True)
    return words.astype(np.int64), TokenLists([], lists.offsets, numbers.astype(np.int32))


def _used(lists: TokenLists) -> NDArray[np.int64]:
    return np.unique(lists.tokens).astype(np.int64)
