"""The co-attention of CARLCS (Shuai et al., 2020, equations 6 to 11).

C and D are the columns of code and of a description, and F = tanh(C U D^T). The weights of the
columns of C are the softmax of their maxima in F over those of D, and the other way round; compared
are the weighted sums, by their cosine. As tanh rises, the maxima are found before it.

Columns that begin at words are those of all lists one after the other. Lists go through in groups
of like length; what is short is filled with its own first column, which changes no maximum, and
gets no weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

_ROOM = 2048  # Columns of code, with filling, of a group.


@dataclass(frozen=True)
class ColumnRows:
    """Which columns belong to each of n lists.

    Attributes:
        rows: their numbers, int64, shape (n, longest).
        lengths: how many of them count, at least one; shape (n,).
    """

    rows: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def gather(cls, parts: Sequence[NDArray[np.int64]]) -> ColumnRows:
        """Of lists whose parts lie in tables that stand one after the other.

        Args:
            parts: columns of each list in each table, of shape (n,).
        """
        lengths: NDArray[np.int64] = np.sum(parts, axis=0)
        rows = np.zeros((len(lengths), int(lengths.max(initial=1))), np.int64)
        before, base = np.zeros(len(lengths), np.int64), 0
        for own in parts:
            numbers = np.arange(own.sum())
            lists = np.repeat(np.arange(len(own)), own)
            starts = np.cumsum(own) - own
            rows[lists, numbers + np.repeat(before - starts, own)] = base + numbers
            before, base = before + own, base + len(numbers)
        filled = np.arange(rows.shape[1]) < lengths[:, None]
        return cls(np.where(filled, rows, rows[:, :1]), lengths)

    def take(self, some: NDArray[np.int64]) -> ColumnRows:
        """Those of some lists, as wide as the longest of them."""
        lengths = self.lengths[some]
        return ColumnRows(self.rows[some, : int(lengths.max(initial=1))], lengths)

    def hide(self) -> Tensor:
        """What is filling, bool, shape (n, longest)."""
        return torch.from_numpy(np.arange(self.rows.shape[1]) >= self.lengths[:, None])


def attend_words(
    columns: Tensor,
    code: ColumnRows,
    asked_columns: Tensor,
    sides: tuple[ColumnRows, ColumnRows],
    weights: Tensor,
) -> Tensor:
    """Cosines of each piece of code with two descriptions, shape (n, 2).

    Args:
        columns: of code, shape (any, d).
        code: which of them each piece has.
        asked_columns: of descriptions, shape (any, d).
        sides: which of them the first and the second description of each piece have.
        weights: U, shape (d, d).
    """
    order = np.argsort(-code.lengths, kind="stable")
    groups, start = [], 0
    while start < len(order):
        some = order[start : start + max(1, _ROOM // int(code.lengths[order[start]]))]
        groups.append((code.take(some), *(side.take(some) for side in sides)))
        start += len(some)
    # All at once: the slopes of a table are added up once.
    codes = _read(columns, [group[:1] for group in groups])
    asked = _read(asked_columns, [group[1:] for group in groups])
    wanted = _read(asked_columns @ weights.T, [group[1:] for group in groups])
    found = [
        _attend_both(one, both, turned, *(own.hide() for own in group))
        for one, both, turned, group in zip(codes, asked, wanted, groups, strict=True)
    ]
    return torch.cat(found)[torch.from_numpy(np.argsort(order, kind="stable"))]


def _read(table: Tensor, groups: Sequence[Sequence[ColumnRows]]) -> list[Tensor]:
    """The columns of the lists of each group, those of several kinds side by side."""
    rows = [np.concatenate([own.rows for own in group], axis=1) for group in groups]
    every = torch.from_numpy(np.concatenate([own.ravel() for own in rows]))
    parts = torch.split(functional.embedding(every, table), [own.size for own in rows])
    return [part.view(*own.shape, -1) for part, own in zip(parts, rows, strict=True)]


def attend_padded(code: Tensor, asked: Tensor, weights: Tensor) -> Tensor:
    """The same where every column counts, shape (n, 2).

    Args:
        code: shape (n, p, d).
        asked: of two descriptions, those of the second behind those of the first; (n, 2 * q, d).
        weights: U, shape (d, d).
    """
    size = max(1, _ROOM // code.shape[1])
    filling = torch.zeros(1, code.shape[1], dtype=torch.bool)
    side = torch.zeros(1, asked.shape[1] // 2, dtype=torch.bool)
    parts = (torch.split(table, size) for table in (code, asked, asked @ weights.T))
    found = [
        _attend_both(one, both, turned, filling, side, side)
        for one, both, turned in zip(*parts, strict=True)
    ]
    return torch.cat(found)


def attend_one(code: Tensor, filling: Tensor, asked: Tensor, wanted: Tensor) -> Tensor:
    """Cosines of all pieces of code with one description, shape (n,).

    Args:
        code: shape (n, p, d).
        filling: which of its columns are filling, bool, shape (n, p).
        asked: columns of the description, shape (q, d).
        wanted: the same times U.
    """
    # This way round the product and both maxima take half the time.
    scores = (wanted @ code.flatten(0, 1).T).view(-1, *code.shape[:2])
    of_code = scores.amax(dim=0).tanh().masked_fill(filling, -torch.inf).softmax(dim=1)
    of_asked = scores.amax(dim=2).tanh().softmax(dim=0).T @ asked
    return functional.cosine_similarity((of_code[:, None] @ code)[:, 0], of_asked)


def _attend_both(
    code: Tensor,
    asked: Tensor,
    wanted: Tensor,
    filling: Tensor,
    first: Tensor,
    second: Tensor,
) -> Tensor:
    """The same of a group, with what is filling: of the code and of each side."""
    scores = code @ wanted.transpose(1, 2)
    split = first.shape[1]
    of_code = torch.stack([scores[:, :, :split].amax(2), scores[:, :, split:].amax(2)], dim=1)
    of_code = of_code.tanh().masked_fill(filling[:, None], -torch.inf).softmax(dim=2)
    hidden = torch.stack(
        [
            torch.cat([first, torch.ones_like(second)], dim=1),
            torch.cat([torch.ones_like(first), second], dim=1),
        ],
        dim=1,
    )
    of_asked = scores.amax(dim=1).tanh()[:, None].masked_fill(hidden, -torch.inf).softmax(dim=2)
    return functional.cosine_similarity(of_code @ code, of_asked @ asked, dim=2)
