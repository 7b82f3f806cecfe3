"""The parts of DeepCS and CARLCS that read one field: tables of vectors, LSTMs, convolutions.

Where padding is read as published, all lists have the largest length allowed, and the padding has a
vector (id 0). Where padding is masked, lists go through the network in groups, each as long as its
longest list.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional

from ncsbench.base.networks.id_lists import IdLists
from ncsbench.base.networks.layers import drop_out, pad_lists, turn
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions

WIDTHS = (2, 3, 4)
"""Numbers of neighbouring words that the convolutions of CARLCS look at."""

_ROOM = 1024  # Number of words, with padding, that go through a network at once.
_TABLE_BORDER, _TORCH_BORDER = 0.05, 0.1


def make_table(size: int, options: FieldEncoderOptions) -> nn.Parameter:
    """Make a table of word vectors with first values (DEV-188), shape (size, embedding)."""
    pytorch = options.initial_values == "pytorch"
    table = nn.Parameter(torch.empty(size, options.embedding))
    border = _TORCH_BORDER if pytorch else _TABLE_BORDER
    nn.init.uniform_(table, -border, border)
    if pytorch:
        nn.init.zeros_(table.data[0])
    return table


def make_dense(inputs: int, outputs: int, options: FieldEncoderOptions) -> nn.Linear:
    """Make a dense layer with first values (DEV-188)."""
    dense = nn.Linear(inputs, outputs)
    if options.initial_values == "pytorch":
        nn.init.uniform_(dense.weight, -_TORCH_BORDER, _TORCH_BORDER)
    else:
        nn.init.xavier_uniform_(dense.weight)
    nn.init.zeros_(dense.bias)
    return dense


def run_in_groups(lists: IdLists, run: Callable[[IdLists, int], Tensor]) -> Tensor:
    """Call ``run`` with groups of lists and their longest length; results in the order of lists."""
    order = np.argsort(-lists.lengths, kind="stable")
    groups, start = [], 0
    while start < len(order):
        longest = max(1, int(lists.lengths[order[start]]))
        groups.append(order[start : start + max(1, _ROOM // longest)])
        start += len(groups[-1])
    parts = [run(lists.take(rows), max(1, int(lists.lengths[rows[0]]))) for rows in groups]
    return torch.cat(parts)[torch.from_numpy(np.argsort(order, kind="stable"))]


class WordBag(nn.Module):
    """The maximum over the vectors of a field's words, before any tanh."""

    def __init__(self, size: int, length: int, options: FieldEncoderOptions) -> None:
        super().__init__()
        self._length, self._options = length, options
        self.table = make_table(size, options)

    def forward(self, lists: IdLists) -> Tensor:
        """Return shape (n, embedding); zeros for a list without words where padding is masked."""
        if self._options.padding == "as_published":
            return self._pool(lists, self._length)
        return run_in_groups(lists, self._pool)

    def _pool(self, lists: IdLists, width: int) -> Tensor:
        vectors = functional.embedding(torch.from_numpy(pad_lists(lists, width)), self.table)
        vectors = drop_out(vectors, self._options.dropout, self.training)
        if self._options.padding == "masked":
            vectors = mask(vectors, lists, -torch.inf)
        found = vectors.amax(dim=1)
        return found.masked_fill(found == -torch.inf, 0)


class TwoWays(nn.Module):
    """An LSTM from left to right and one from right to left, each with a state for each word.

    Args:
        size: size of the vocabulary.
        length: largest number of words of a list.
        cells: number of cells of each direction.
        options: options of the network.
        skips_padding: True where padding is skipped even if other fields read it as published, as
            by Keras's ``mask_zero`` for descriptions.
    """

    def __init__(
        self,
        size: int,
        length: int,
        cells: int,
        options: FieldEncoderOptions,
        *,
        skips_padding: bool = False,
    ) -> None:
        super().__init__()
        self._length, self._options, self._cells = length, options, cells
        last = options.network == "deepcs" and options.pooling == "last"
        # The released PyTorch code packs its sequences: last states have never seen padding.
        self._reads_padding = options.padding == "as_published" and not (skips_padding or last)
        self.table = make_table(size, options)
        self.ahead, self.back = (
            nn.LSTM(options.embedding, cells, batch_first=True) for _ in range(2)
        )
        for own in (self.ahead, self.back):
            _start_cells(own, options)

    def forward(self, lists: IdLists) -> Tensor:
        """Return the pooled states of both directions, before any tanh; shape (n, 2 * cells)."""
        if self._reads_padding:
            return self.states(lists, self._length).amax(dim=1)
        return run_in_groups(lists, self._pool)

    def states(self, lists: IdLists, width: int) -> Tensor:
        """Return the states of both directions for each word, after that word was read.

        Shape (n, width, 2 * cells).
        """
        vectors = functional.embedding(torch.from_numpy(pad_lists(lists, width)), self.table)
        vectors = drop_out(vectors, self._options.dropout, self.training)
        lengths = torch.from_numpy(lists.lengths)
        if self._reads_padding:
            lengths = torch.full_like(lengths, width)
        turned = turn(vectors, lengths)
        found = torch.cat([self._run(self.ahead, vectors), self._run(self.back, turned)], dim=2)
        return drop_out(found, self._options.dropout, self.training)

    def _pool(self, lists: IdLists, width: int) -> Tensor:
        states = self.states(lists, width)
        if self._options.pooling == "last":
            rows = torch.arange(len(states))
            last = torch.from_numpy(np.maximum(lists.lengths, 1) - 1)
            return states[rows, last].masked_fill(torch.from_numpy(lists.lengths == 0)[:, None], 0)
        found = mask(states, lists, -torch.inf).amax(dim=1)
        found = found.masked_fill(found == -torch.inf, 0)
        if self._options.padding == "masked":
            return found
        # Keras's second direction begins with the padding, where its state is zero.
        short = torch.from_numpy(lists.lengths < self._length)[:, None]
        back = found[:, self._cells :]
        return torch.cat([found[:, : self._cells], torch.where(short, back.relu(), back)], dim=1)

    def _run(self, lstm: nn.Module, vectors: Tensor) -> Tensor:
        share = self._options.recurrent_dropout
        weights: dict[str, Tensor] = dict(lstm.named_parameters())
        if self.training and share:
            # Drawn once for a batch (DEV-189): a column of zeros drops an element of the state.
            kept = drop_out(torch.ones(self._cells), share, True)
            weights["weight_hh_l0"] = weights["weight_hh_l0"] * kept
        states: Tensor = functional_call(lstm, weights, (vectors,))[0]
        return states


def mask(vectors: Tensor, lists: IdLists, value: float) -> Tensor:
    """Set vectors to a value where there is no word; shape (n, l, d)."""
    inside = torch.arange(vectors.shape[1]) < torch.from_numpy(lists.lengths)[:, None]
    return vectors.masked_fill(~inside[:, :, None], value)


def _start_cells(lstm: nn.LSTM, options: FieldEncoderOptions) -> None:
    for name, values in lstm.named_parameters():
        if options.initial_values == "pytorch":
            nn.init.uniform_(values, -_TORCH_BORDER, _TORCH_BORDER)
        elif name.startswith("weight_ih"):
            border = math.sqrt(6 / sum(values.shape))
            nn.init.uniform_(values, -border, border)
        elif name.startswith("weight_hh"):
            nn.init.orthogonal_(values)
        else:
            # Keras has one bias, which is 1 for forget gates at first.
            nn.init.zeros_(values)
            if name.startswith("bias_hh"):
                values.requires_grad_(False)
            else:
                nn.init.ones_(values.data[lstm.hidden_size : 2 * lstm.hidden_size])


class Convolutions(nn.Module):
    """Three convolutions over the word vectors of a field, their results one after the other."""

    def __init__(self, size: int, length: int, options: FieldEncoderOptions) -> None:
        super().__init__()
        self.length, self._options = length, options
        self.table = make_table(size, options)
        self.kernels = nn.ParameterList(
            torch.empty(options.filters, options.embedding, width) for width in WIDTHS
        )
        self.biases = nn.ParameterList(torch.zeros(options.filters) for _ in WIDTHS)
        for kernel in self.kernels:
            nn.init.xavier_uniform_(kernel)

    def columns(self, lists: IdLists, width: int) -> Tensor:
        """Return the columns of lists that are padded to ``width``, four or more.

        Returns:
            Shape (n, 3 * width - 6, filters): the columns of widths 2, 3 and 4, in this order.
        """
        vectors = functional.embedding(torch.from_numpy(pad_lists(lists, width)), self.table)
        vectors = drop_out(vectors, self._options.dropout, self.training).transpose(1, 2)
        parts = [
            functional.conv1d(vectors, kernel, bias).transpose(1, 2)
            for kernel, bias in zip(self.kernels, self.biases, strict=True)
        ]
        found = torch.cat(parts, dim=1).relu()
        return drop_out(found, self._options.dropout, self.training)


def find_places(lists: IdLists, width: int) -> Tensor:
    """Mark the columns of ``Convolutions.columns`` that look at a word; (n, 3 * width - 6)."""
    lengths = torch.from_numpy(lists.lengths)[:, None]
    return torch.cat([torch.arange(width - own + 1) < lengths for own in WIDTHS], dim=1)
