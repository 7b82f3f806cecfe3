"""Convolutions over lists of words without padding, as products of matrices.

A row of four words from each word on, what stands behind a list being padding, is all that the
convolutions over 2, 3 and 4 words look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional

from ncsbench.networks.id_lists import IdLists

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
