"""Dropout that draws 16 random bits for an element, where PyTorch draws a number on the CPU."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

_STEPS = 1 << 16


def drop_out(values: Tensor, share: float, training: bool) -> Tensor:
    """Set elements to zero in training and make the others larger by as much.

    Args:
        values: any shape.
        share: probability of zero, taken to a multiple of 2^-16.
        training: whether anything is done.
    """
    if not training or share == 0:
        return values
    if values.device.type != "cpu":
        return functional.dropout(values, share)
    dropped = round(share * _STEPS)
    # Of PyTorch's generator, so that its seed decides.
    words = torch.empty(-(-values.numel() // 4), dtype=torch.int64).random_(-(1 << 63), None)
    bits = words.view(torch.int16)[: values.numel()]
    kept = (bits >= dropped - _STEPS // 2).view(values.shape)
    return values * kept.to(values.dtype).mul_(_STEPS / (_STEPS - dropped))
