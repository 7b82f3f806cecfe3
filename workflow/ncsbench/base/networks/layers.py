"""Parts that several kinds of networks share: dropout, and lists of ids as rows of one length."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from ncsbench.base.networks.id_lists import IdLists

_STEPS = 1 << 16


def drop_out(values: Tensor, share: float, training: bool) -> Tensor:
    """Set random elements to zero in training, and scale the others so that the expectation stays.

    Args:
        values: values of any shape.
        share: probability of zero, rounded to a multiple of 2^-16.
        training: True in training; otherwise the values are returned as they are.
    """
    if not training or share == 0:
        return values
    if values.device.type != "cpu":
        return functional.dropout(values, share)
    dropped = round(share * _STEPS)
    # From PyTorch's generator, so that its seed decides the result.
    words = torch.empty(-(-values.numel() // 4), dtype=torch.int64).random_(-(1 << 63), None)
    bits = words.view(torch.int16)[: values.numel()]
    kept = (bits >= dropped - _STEPS // 2).view(values.shape)
    return values * kept.to(values.dtype).mul_(_STEPS / (_STEPS - dropped))


def pad_lists(lists: IdLists, width: int) -> NDArray[np.int64]:
    """Return lists as rows, padded on the right with id 0; shape (n, width)."""
    inside = np.arange(width) < lists.lengths[:, None]
    padded = np.zeros(inside.shape, np.int64)
    padded[inside] = lists.ids
    return padded


def turn(vectors: Tensor, lengths: Tensor) -> Tensor:
    """Reverse the tokens of each list; the padding stays behind them."""
    count, longest = vectors.shape[:2]
    places = torch.arange(longest, device=lengths.device)
    mirrored = lengths[:, None] - 1 - places
    order = torch.where(mirrored < 0, places, mirrored)
    # Indexed by rows of all lists, whose gradients are summed faster than those of elements.
    rows = order + longest * torch.arange(count, device=lengths.device)[:, None]
    return vectors.flatten(0, 1).index_select(0, rows.ravel()).view_as(vectors)
