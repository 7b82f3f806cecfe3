"""Convolution over many positions with fewer multiplications.

A convolution is a product of spectra: with blocks of n positions and real Fourier transforms as
matrices A, B and E, it is ``E ((A x) * (B w))``, where ``*`` is a product of channels for each row.
Of the four real products of a complex one three are enough (Gauss). At 16 positions this takes an
eighth of the multiplications of the plain form; the result is the same up to rounding.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

_BLOCK = 56  # Positions of a result that are computed together, at most.


def convolve(values: Tensor, weight: Tensor) -> Tensor:
    """The sum over k of weight[:, :, k] times the values k positions on.

    Args:
        values: shape (positions, n, channels); at least as many positions as ``weight`` has.
        weight: as ``torch.nn.Conv1d`` has it, shape (other channels, channels, width).

    Returns:
        Shape (positions - width + 1, n, other channels).
    """
    others, channels, width = weight.shape
    positions, count = len(values) - width + 1, values.shape[1]
    blocks = -(-positions // _BLOCK)
    step = -(-positions // blocks)
    step += (step + width - 1) % 2  # an even number of positions goes into a block
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
    """A, B and E of blocks of ``step`` results; shapes (r, n), (r, width) and (step, r)."""
    size = step + width - 1
    angles = 2 * np.pi * np.outer(np.arange(size // 2 + 1), np.arange(size)) / size
    cosine, sine = np.cos(angles), np.sin(angles)
    ends, inner = [0, size // 2], slice(1, size // 2)
    own_cosine, own_sine = cosine[inner, :width], sine[inner, :width]
    into = [cosine[ends], cosine[inner] - sine[inner], cosine[inner], -sine[inner]]
    of_weight = [cosine[ends, :width], own_cosine, own_sine - own_cosine, own_cosine + own_sine]
    cosine, sine = cosine[:, :step], sine[:, :step]
    back = [cosine[ends] / 2, cosine[inner] - sine[inner], -sine[inner], -cosine[inner]]
    # They are kept: made while a trained encoder is only read, no training could use them.
    with torch.inference_mode(False):
        return (
            torch.from_numpy(np.concatenate(into)),
            torch.from_numpy(np.concatenate(of_weight)),
            torch.from_numpy(2 / size * np.concatenate(back).T),
        )
