"""The four networks of CodeSearchNet, which turn lists of tokens into vectors (section 4.1).

Sizes are those of the released code. Lists are not padded to the largest length allowed: they are
sorted by length and go through a network in groups, each as long as its longest list (``margin``
says how much padding behind a list changes its vectors). The result is the same up to rounding.

A convolution is a product of spectra: with blocks of n positions and real Fourier transforms as
matrices A, B and E, it is ``E ((A x) * (B w))``, where ``*`` is a product of channels for each row.
A complex product takes three real products instead of four (Gauss). With a width of 16 positions
this is an eighth of the multiplications of the plain form; the result is the same up to rounding.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import lru_cache
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ncsbench.base.networks.id_lists import IdLists
from ncsbench.base.networks.layers import drop_out, pad_lists, turn
from ncsbench.learning.encoders.encoder_options import EncoderOptions, Pooling

_BLOCK = 56  # Largest number of positions of a result that are computed at once.


def convolve(values: Tensor, weight: Tensor) -> Tensor:
    """Return the sum over k of weight[:, :, k] times the values k positions later.

    Args:
        values: shape (positions, n, channels); at least as many positions as ``weight`` has.
        weight: weight as in ``torch.nn.Conv1d``, shape (other channels, channels, width).

    Returns:
        Shape (positions - width + 1, n, other channels).
    """
    others, channels, width = weight.shape
    positions, count = len(values) - width + 1, values.shape[1]
    blocks = -(-positions // _BLOCK)
    step = -(-positions // blocks)
    step += (step + width - 1) % 2  # A block reads an even number of positions.
    values = functional.pad(values, (0, 0, 0, 0, 0, blocks * step + width - 1 - len(values)))
    parts = [values[start : start + step + width - 1] for start in range(0, blocks * step, step)]
    into, of_weight, back = _find_matrices(step, width)
    into, of_weight, back = (own.to(values) for own in (into, of_weight, back))
    spectra = into @ torch.stack(parts, dim=1).flatten(1)
    weights = of_weight @ weight.permute(2, 1, 0).flatten(1)
    products = torch.bmm(
        spectra.view(len(into), blocks * count, channels), weights.view(-1, channels, others)
    )
    found = (back @ products.flatten(1)).view(step, blocks, count, others)
    return found.transpose(0, 1).flatten(0, 1)[:positions]


@lru_cache(maxsize=64)
def _find_matrices(step: int, width: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return A, B and E of blocks of ``step`` results; (r, n), (r, width) and (step, r)."""
    size = step + width - 1
    angles = 2 * np.pi * np.outer(np.arange(size // 2 + 1), np.arange(size)) / size
    cosine, sine = np.cos(angles), np.sin(angles)
    ends, inner = [0, size // 2], slice(1, size // 2)
    own_cosine, own_sine = cosine[inner, :width], sine[inner, :width]
    into = [cosine[ends], cosine[inner] - sine[inner], cosine[inner], -sine[inner]]
    of_weight = [cosine[ends, :width], own_cosine, own_sine - own_cosine, own_cosine + own_sine]
    cosine, sine = cosine[:, :step], sine[:, :step]
    back = [cosine[ends] / 2, cosine[inner] - sine[inner], -sine[inner], -cosine[inner]]
    # The matrices are kept for all calls: if they were made in inference mode, by a trained encoder
    # that is only read, no training could use them.
    with torch.inference_mode(False):
        return (
            torch.from_numpy(np.concatenate(into)),
            torch.from_numpy(np.concatenate(of_weight)),
            torch.from_numpy(2 / size * np.concatenate(back).T),
        )


_LEAST = 1e-8  # Added to the sum of weights.
_MATRIX_DROPOUT = 0.1
_LAYERS, _WIDTH, _CNN_DROPOUT = 3, 16, 0.1
_BEFORE, _BEHIND = (_WIDTH - 1) // 2, _WIDTH // 2  # Padding "same" for an even width.
_RNN_DROPOUT = 0.2
_HEADS, _INNER, _BERT_DROPOUT, _BERT_EPSILON = 8, 4, 0.1, 1e-12
_DEVIATION = 0.02  # Of first values that are drawn from a normal distribution.


class TokenNetwork(nn.Module):
    """A table of token vectors, and a network that makes one vector of the tokens of a list.

    Args:
        tokens: size of the vocabulary.
        length: largest number of ids of a list.
        options: options with sizes and pooling.
    """

    matrix_dropout: ClassVar[float] = _MATRIX_DROPOUT
    room: ClassVar[int] = 8192
    """Number of tokens, with padding, that go through the network at once: they fit into a core's
    cache."""
    margin: ClassVar[int] = 0
    """Number of positions of padding behind a list that its vectors depend on."""

    def __init__(self, tokens: int, length: int, options: EncoderOptions) -> None:
        super().__init__()
        self.length, self.pooling = length, options.pooling
        self.table = nn.Parameter(torch.empty(tokens, options.dimension))
        nn.init.xavier_uniform_(self.table)
        if self.pooling == "weighted_mean":
            self.attention = nn.Parameter(torch.empty(options.dimension, 1))
            nn.init.xavier_uniform_(self.attention)

    def forward(self, lists: IdLists) -> Tensor:
        """Return the vectors of n lists, shape (n, dimension); zeros for a list without ids."""
        lengths = lists.lengths
        order = np.argsort(-lengths, kind="stable")
        groups: list[NDArray[np.int64]] = []
        padded: list[NDArray[np.int64]] = []
        room = self.room if self.table.is_cpu else 64 * self.room
        start = 0
        while start < len(order):
            longest = max(1, min(int(lengths[order[start]]) + self.margin, self.length))
            groups.append(order[start : start + max(1, room // longest)])
            padded.append(pad_lists(lists.take(groups[-1]), longest))
            start += len(groups[-1])
        vectors = self._read_table(np.concatenate([ids.ravel() for ids in padded] or [_NO_IDS]))
        parts: list[Tensor] = []
        split = torch.split(vectors, [ids.size for ids in padded])
        for rows, ids, part in zip(groups, padded, split, strict=True):
            own = torch.from_numpy(lengths[rows]).to(vectors.device)
            encoded = self.encode(part.view(*ids.shape, part.shape[1]), own)
            parts.append(pool(encoded, own, self.pooling, getattr(self, "attention", None)))
        if not parts:
            return vectors[:0]
        back = torch.from_numpy(np.argsort(order, kind="stable")).to(vectors.device)
        return torch.cat(parts)[back]

    @abstractmethod
    def encode(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return the vectors of tokens, computed from them and their neighbours.

        Args:
            vectors: vectors of padded lists, shape (n, l, dimension).
            lengths: lengths of the lists without padding, shape (n,).

        Returns:
            Shape (n, l', dimension); l' is at least the longest of ``lengths``.
        """

    def _read_table(self, ids: NDArray[np.int64]) -> Tensor:
        rows, numbers = self._drop_out_rows(ids)
        return functional.embedding(numbers, rows)

    def _drop_out_rows(self, ids: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
        """Return the rows of ids, with dropout in training, and the ids as positions in these rows.

        The released code drops elements of the whole table, once a step; elements of rows that no
        id names have no effect.
        """
        there = np.zeros(len(self.table), bool)
        there[ids] = True
        used = np.flatnonzero(there)
        numbers = np.cumsum(there)[ids] - 1
        rows = self.table.index_select(0, torch.from_numpy(used).to(self.table.device))
        rows = drop_out(rows, self.matrix_dropout, self.training)
        return rows, torch.from_numpy(numbers).to(rows.device)


_NO_IDS = np.zeros(0, np.int64)


def pool(
    vectors: Tensor, lengths: Tensor, pooling: Pooling, attention: Tensor | None = None
) -> Tensor:
    """Pool the vectors of the tokens of each list into one; zeros where there is no token.

    Args:
        vectors: vectors of padded lists, shape (n, l, dimension).
        lengths: number of tokens of each list, shape (n,).
        pooling: kind of pooling; ``weighted_mean`` has the weights sigmoid(vector . attention).
        attention: the attention vector for ``weighted_mean``, shape (dimension, 1).
    """
    places = torch.arange(vectors.shape[1], device=lengths.device)
    inside = places < lengths[:, None]
    if pooling == "max":
        highest = vectors.masked_fill(~inside[:, :, None], -torch.inf).amax(dim=1)
        return highest.masked_fill((lengths == 0)[:, None], 0)
    weights = inside.to(vectors.dtype)
    if attention is not None and pooling == "weighted_mean":
        weights = weights * torch.sigmoid(vectors @ attention).squeeze(2)
    sums = (weights[:, None] @ vectors).squeeze(1)
    return sums / (weights.sum(dim=1, keepdim=True) + _LEAST)


class BagOfWords(TokenNetwork):
    """``nbow``: the vectors of the tokens, pooled.

    The order of tokens has no effect, so that lists need no padding.
    """

    def forward(self, lists: IdLists) -> Tensor:
        """Return the vectors of n lists, shape (n, dimension); zeros for a list without ids."""
        rows, numbers = self._drop_out_rows(lists.ids.astype(np.int64))
        starts = torch.from_numpy(lists.offsets[:-1]).to(rows.device)
        if self.pooling == "max":
            return functional.embedding_bag(numbers, rows, starts, mode="max")
        weights = torch.ones(len(rows), 1, device=rows.device)
        if self.pooling == "weighted_mean":
            # A weight depends on its token alone: it is computed for each row, not for each place.
            weights = torch.sigmoid(rows @ self.attention)
        weighted = torch.cat([rows * weights, weights], dim=1)
        sums = functional.embedding_bag(numbers, weighted, starts, mode="sum")
        return sums[:, :-1] / (sums[:, -1:] + _LEAST)

    def encode(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return the vectors as they are."""
        return vectors


class Convolutions(TokenNetwork):
    """``cnn``: learnt positions are added, then three convolutions over 16 tokens each.

    Nothing is masked before the pooling, as in the released code: the padding has vectors, too, and
    those of the last tokens depend on it.
    """

    margin = _LAYERS * _BEHIND

    def __init__(self, tokens: int, length: int, options: EncoderOptions) -> None:
        super().__init__(tokens, length, options)
        size = options.dimension
        self.positions = nn.Parameter(torch.empty(length, size))
        _draw_normal(self.positions)
        self.kernels = nn.ParameterList(torch.empty(size, size, _WIDTH) for _ in range(_LAYERS))
        self.biases = nn.ParameterList(torch.zeros(size) for _ in range(_LAYERS))
        for kernel in self.kernels:
            nn.init.xavier_uniform_(kernel)

    def encode(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Apply three layers: tanh(convolution), then twice tanh(convolution + input)."""
        # Positions first, as the convolution wants them.
        current = (vectors + self.positions[: vectors.shape[1]]).transpose(0, 1)
        longest = int(lengths.max())
        for number, (kernel, bias) in enumerate(zip(self.kernels, self.biases, strict=True)):
            # Positions that no later layer reads are not computed.
            reach = (_LAYERS - 1 - number) * _BEHIND
            width = max(1, min(longest + reach, len(current)))
            there = current[: width + _BEHIND]
            behind = width + _BEHIND - len(there)
            padded = functional.pad(there, (0, 0, 0, 0, _BEFORE, behind))
            found = convolve(padded, kernel) + bias
            if number:
                found = found + current[:width]
            current = drop_out(torch.tanh(found), _CNN_DROPOUT, self.training)
        return current.transpose(0, 1)


class Recurrence(TokenNetwork):
    """``rnn``: two layers of cells from left to right, two others from right to left.

    The directions are joined at the end only, as in TensorFlow; with PyTorch's ``bidirectional``
    the second layer would read the outputs of both directions of the first one.
    """

    room = 4096

    def __init__(self, tokens: int, length: int, options: EncoderOptions) -> None:
        super().__init__(tokens, length, options)
        kind = nn.LSTM if options.cell == "lstm" else nn.GRU
        size, inner = options.dimension, options.dimension // 2
        self.directions = nn.ModuleList(
            kind(size, inner, 2, batch_first=True, dropout=_RNN_DROPOUT) for _ in range(2)
        )
        for stack in self.directions:
            _start_cells(stack, inner)

    def encode(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return the outputs of both directions for each token, one after the other."""
        turned = turn(vectors, lengths)
        ahead, _ = self.directions[0](vectors)
        back, _ = self.directions[1](turned)
        found = torch.cat([ahead, turn(back, lengths)], dim=2)
        return drop_out(found, _RNN_DROPOUT, self.training)


def _start_cells(stack: nn.Module, inner: int) -> None:
    """Set first values as in TensorFlow's cells, with one bias for each gate.

    TensorFlow's kernel is one matrix for a cell's input and state; PyTorch has two matrices and a
    second bias, which holds TensorFlow's constant for the forget gate and is not trained (DEV-145).
    """
    for name, values in stack.named_parameters():
        if name.startswith("weight"):
            inputs = dict(stack.named_parameters())[name.replace("_hh_", "_ih_")].shape[1]
            border = math.sqrt(6 / (inputs + inner + len(values)))
            nn.init.uniform_(values, -border, border)
        else:
            nn.init.zeros_(values)
        if name.startswith("bias_hh") and isinstance(stack, nn.LSTM):
            values.requires_grad_(False)
            values[inner : 2 * inner] = 1
        if name.startswith("bias_ih") and isinstance(stack, nn.GRU):
            nn.init.ones_(values.data[: 2 * inner])


class SelfAttention(TokenNetwork):
    """``self_attention``: three layers of BERT, 8 heads, four times as wide inside."""

    matrix_dropout = 0.0  # BERT has dropout in other places.
    room = 1024

    def __init__(self, tokens: int, length: int, options: EncoderOptions) -> None:
        super().__init__(tokens, length, options)
        size = options.dimension
        _draw_normal(self.table)
        # Vectors of positions, and of the one token type that all tokens have.
        self.positions = nn.Parameter(torch.empty(length, size))
        self.kind = nn.Parameter(torch.empty(size))
        _draw_normal(self.positions)
        _draw_normal(self.kind)
        self.norm = nn.LayerNorm(size, eps=_BERT_EPSILON)
        self.layers = nn.ModuleList(_BertLayer(size) for _ in range(_LAYERS))

    def encode(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return the vectors of tokens after the last layer."""
        places = torch.arange(vectors.shape[1], device=lengths.device)
        # Attention needs at least one visible position, also where there is no token.
        inside = places < lengths.clamp(min=1)[:, None]
        hidden = torch.zeros_like(inside, dtype=vectors.dtype).masked_fill_(~inside, -torch.inf)
        current: Tensor = self.norm(vectors + self.positions[: vectors.shape[1]] + self.kind)
        current = drop_out(current, _BERT_DROPOUT, self.training)
        for layer in self.layers:
            current = layer(current, hidden[:, None, None])
        return current


class _BertLayer(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.mixing, self.mixed = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.wide, self.narrow = nn.Linear(size, _INNER * size), nn.Linear(_INNER * size, size)
        self.norms = nn.ModuleList(nn.LayerNorm(size, eps=_BERT_EPSILON) for _ in range(2))
        for part in (self.mixing, self.mixed, self.wide, self.narrow):
            _draw_normal(part.weight)
            nn.init.zeros_(part.bias)

    def forward(self, current: Tensor, hidden: Tensor) -> Tensor:
        number, longest, size = current.shape
        three = self.mixing(current).view(number, longest, 3, _HEADS, size // _HEADS)
        query, key, value = three.permute(2, 0, 3, 1, 4)
        if self.training:
            scores = (query * (size // _HEADS) ** -0.5) @ key.transpose(2, 3)
            shares = (scores + hidden).softmax(dim=3)
            seen = drop_out(shares, _BERT_DROPOUT, self.training) @ value
        else:  # The same result in less memory.
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=hidden)
        seen = self.mixed(seen.transpose(1, 2).reshape(current.shape))
        current = self.norms[0](current + drop_out(seen, _BERT_DROPOUT, self.training))
        found = self.narrow(functional.gelu(self.wide(current)))
        found = drop_out(found, _BERT_DROPOUT, self.training)
        after: Tensor = self.norms[1](current + found)
        return after


def _draw_normal(values: Tensor) -> None:
    nn.init.trunc_normal_(values, std=_DEVIATION, a=-2 * _DEVIATION, b=2 * _DEVIATION)


NETWORKS: dict[str, type[TokenNetwork]] = {
    "nbow": BagOfWords,
    "cnn": Convolutions,
    "rnn": Recurrence,
    "self_attention": SelfAttention,
}
