"""What DeepCS and CARLCS read one field with: tables of vectors, LSTMs, convolutions.

Where padding is read as published, all lists are as long as the longest that is allowed, and the
padding has a vector (id 0). Where it is masked, lists go through the network in groups, each as
long as its longest list.

Convolutions over words without padding are products of matrices: a row of four words from each word
on, what stands behind a list being padding, is all that those over 2, 3 and 4 words look at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.autograd import Function
from torch.func import functional_call
from torch.nn import functional

from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.networks.id_lists import IdLists
from ncsbench.networks.layers import drop_out, pad_lists, turn

WIDTHS = (2, 3, 4)
"""Words that the convolutions of CARLCS look at."""
_LAST = WIDTHS[-1]


def lay_out(lists: IdLists) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lists one after the other with padding behind each, and where each word stands there.

    Returns:
        Ids, shape (m,), and places of the words among them, shape (n,), ascending.
    """
    words = len(lists.ids)
    places = np.arange(words) + (_LAST - 1) * np.repeat(np.arange(len(lists)), lists.lengths)
    ids = np.zeros(words + (_LAST - 1) * len(lists), np.int64)
    ids[places] = lists.ids
    return ids, places


def convolve_words(
    vectors: Tensor,
    places: NDArray[np.int64],
    kernels: Sequence[Tensor],
    biases: Sequence[Tensor],
) -> Tensor:
    """The columns that begin at each word, those of ``WIDTHS`` one after the other.

    Args:
        vectors: of what ``lay_out`` gave, shape (m, embedding).
        places: likewise, shape (n,).
        kernels: of ``WIDTHS``, each as ``torch.nn.Conv1d`` has it.
        biases: likewise.

    Returns:
        Shape (n, 3, filters), after ReLU.
    """
    found: Tensor = _WordWindows.apply(vectors, places, *kernels, *biases)  # type: ignore[no-untyped-call]
    return found


class _WordWindows(Function):
    """Without it, slopes of rows that overlap would be added up once for each width."""

    @staticmethod
    def forward(
        context: Any, vectors: Tensor, places: NDArray[np.int64], *parameters: Tensor
    ) -> Tensor:
        kernels, biases = parameters[: len(WIDTHS)], parameters[len(WIDTHS) :]
        windows = torch.from_numpy((places[:, None] + np.arange(_LAST)).ravel())
        rows = vectors.index_select(0, windows).view(len(places), _LAST * vectors.shape[1])
        flat = [own.permute(2, 1, 0).flatten(0, 1) for own in kernels]
        found = vectors.new_empty(len(places), len(WIDTHS), len(biases[0]))
        for number, (weights, bias) in enumerate(zip(flat, biases, strict=True)):
            torch.addmm(bias, rows[:, : len(weights)], weights, out=found[:, number])
        found.relu_()
        context.save_for_backward(rows, found, *flat)
        context.places, context.count = places, len(vectors)
        return found

    @staticmethod
    def backward(context: Any, *slopes: Tensor) -> tuple[Tensor | None, ...]:
        rows, found, *flat = context.saved_tensors
        back = slopes[0] * (found > 0)
        size = rows.shape[1] // _LAST
        # One row of zeros more, for what no window has.
        of_rows = torch.zeros(len(rows) + 1, rows.shape[1])
        kernels = []
        for number, weights in reversed(list(enumerate(flat))):
            own, width = back[:, number], len(weights)
            of_rows[:-1, :width].addmm_(own, weights.T)
            of_kernel = (rows[:, :width].T @ own).view(width // size, size, -1)
            kernels.append(of_kernel.permute(2, 1, 0))
        # A word is the first of its own window, the second of that before it, and so on.
        steps = np.arange(_LAST)
        sources = np.full(context.count + _LAST, _LAST * len(rows))
        sources[context.places + _LAST] = _LAST * np.arange(len(rows))
        behind = sources[np.arange(context.count)[:, None] + _LAST - steps]
        behind = np.where(behind < _LAST * len(rows), behind + steps, behind)
        of_vectors = functional.embedding_bag(
            torch.from_numpy(behind), of_rows.view(-1, size), mode="sum"
        )
        return of_vectors, None, *reversed(kernels), *back.sum(dim=0).unbind()


_ROOM = 1024  # Words, with padding, that go through a network together.
_TABLE_BORDER, _TORCH_BORDER = 0.05, 0.1


def make_table(size: int, options: FieldEncoderOptions) -> nn.Parameter:
    """Vectors of words with first values (DEV-188), shape (size, embedding)."""
    pytorch = options.initial_values == "pytorch"
    table = nn.Parameter(torch.empty(size, options.embedding))
    border = _TORCH_BORDER if pytorch else _TABLE_BORDER
    nn.init.uniform_(table, -border, border)
    if pytorch:
        nn.init.zeros_(table.data[0])
    return table


def make_dense(inputs: int, outputs: int, options: FieldEncoderOptions) -> nn.Linear:
    """A dense layer with first values (DEV-188)."""
    dense = nn.Linear(inputs, outputs)
    if options.initial_values == "pytorch":
        nn.init.uniform_(dense.weight, -_TORCH_BORDER, _TORCH_BORDER)
    else:
        nn.init.xavier_uniform_(dense.weight)
    nn.init.zeros_(dense.bias)
    return dense


def cut_groups(lengths: NDArray[np.int64], room: int) -> tuple[list[NDArray[np.int64]], Tensor]:
    """Lists in groups of like length, the longest first, each of at most so many padded places.

    Returns:
        Rows of each group, and where the groups, one after the other, have each list; shape (n,).
    """
    order = np.argsort(-lengths, kind="stable")
    groups, start = [], 0
    while start < len(order):
        groups.append(order[start : start + max(1, room // max(1, int(lengths[order[start]])))])
        start += len(groups[-1])
    return groups, torch.from_numpy(np.argsort(order, kind="stable"))


def run_in_groups(lists: IdLists, run: Callable[[IdLists, int], Tensor]) -> Tensor:
    """What ``run`` makes of lists and the length of the longest of them, in the order of lists."""
    groups, back = cut_groups(lists.lengths, _ROOM)
    parts = [run(lists.take(rows), max(1, int(lists.lengths[rows[0]]))) for rows in groups]
    return torch.cat(parts)[back]


class WordBag(nn.Module):
    """The maximum over the vectors of a field's words, before any tanh."""

    def __init__(self, size: int, length: int, options: FieldEncoderOptions) -> None:
        super().__init__()
        self._length, self._options = length, options
        self.table = make_table(size, options)

    def forward(self, lists: IdLists) -> Tensor:
        """Shape (n, embedding); zero for a list without words where padding is masked."""
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
        size: of the vocabulary.
        length: words of a list at most.
        cells: of each direction.
        options: of the network.
        skips_padding: whether padding is no word even where it is read as published, as Keras's
            ``mask_zero`` has it for descriptions.
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
        # PyTorch's code packs its sequences: its last states have never seen padding.
        self._reads_padding = options.padding == "as_published" and not (skips_padding or last)
        self.table = make_table(size, options)
        self.ahead, self.back = (
            nn.LSTM(options.embedding, cells, batch_first=True) for _ in range(2)
        )
        for own in (self.ahead, self.back):
            _start_cells(own, options)

    def forward(self, lists: IdLists) -> Tensor:
        """The pooled states of both directions, before any tanh; shape (n, 2 * cells)."""
        if self._reads_padding:
            return self.states(lists, self._length).amax(dim=1)
        return run_in_groups(lists, self._pool)

    def states(self, lists: IdLists, width: int) -> Tensor:
        """The states of both directions, those of the second where it read the word.

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

    def read_words(self, lists: IdLists) -> Tensor:
        """The states of the words of all lists, one after the other; shape (words, 2 * cells)."""
        states = run_in_groups(
            lists,
            lambda own, width: functional.pad(
                self.states(own, width), (0, 0, 0, self._length - width)
            ),
        )
        inside = np.arange(self._length) < lists.lengths[:, None]
        return states.flatten(0, 1).index_select(0, torch.from_numpy(np.flatnonzero(inside)))

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
            # One draw for a batch (DEV-189): a column of zeros forgets an element of the state.
            kept = drop_out(torch.ones(self._cells), share, True)
            weights["weight_hh_l0"] = weights["weight_hh_l0"] * kept
        states: Tensor = functional_call(lstm, weights, (vectors,))[0]
        return states


def mask(vectors: Tensor, lists: IdLists, value: float) -> Tensor:
    """With a value where no word is; shape (n, l, d)."""
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
            # Keras has one bias, whose forget gates begin with 1.
            nn.init.zeros_(values)
            if name.startswith("bias_hh"):
                values.requires_grad_(False)
            else:
                nn.init.ones_(values.data[lstm.hidden_size : 2 * lstm.hidden_size])


class Convolutions(nn.Module):
    """Three convolutions over the vectors of a field's words, their results one after the other."""

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

    def read_words(self, lists: IdLists) -> Tensor:
        """Columns that begin at a word; shape (words of all lists, 3, filters)."""
        ids, places = lay_out(lists)
        vectors = functional.embedding(torch.from_numpy(ids), self.table)
        vectors = drop_out(vectors, self._options.dropout, self.training)
        found = convolve_words(vectors, places, list(self.kernels), list(self.biases))
        return drop_out(found, self._options.dropout, self.training)

    def columns(self, lists: IdLists, width: int) -> Tensor:
        """Columns of lists that are padded to a width of four or more.

        Returns:
            Shape (n, 3 * width - 6, filters): those of width 2, of 3, of 4.
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
    """Which columns of ``Convolutions.columns`` look at a word; shape (n, 3 * width - 6)."""
    lengths = torch.from_numpy(lists.lengths)[:, None]
    return torch.cat([torch.arange(width - own + 1) < lengths for own in WIDTHS], dim=1)
