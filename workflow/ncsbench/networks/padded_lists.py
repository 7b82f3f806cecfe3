"""Lists of ids as rows of one length, and their vectors."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ncsbench.networks.id_lists import IdLists


def pad_lists(lists: IdLists, width: int) -> NDArray[np.int64]:
    """Lists as rows, padded on the right with id 0; shape (n, width)."""
    inside = np.arange(width) < lists.lengths[:, None]
    padded = np.zeros(inside.shape, np.int64)
    padded[inside] = lists.ids
    return padded


def turn(vectors: Tensor, lengths: Tensor) -> Tensor:
    """The tokens of each list from last to first, the padding where it is."""
    count, longest = vectors.shape[:2]
    places = torch.arange(longest, device=lengths.device)
    mirrored = lengths[:, None] - 1 - places
    order = torch.where(mirrored < 0, places, mirrored)
    # As rows of all lists, whose slopes are added up faster than those of single elements.
    rows = order + longest * torch.arange(count, device=lengths.device)[:, None]
    return vectors.flatten(0, 1).index_select(0, rows.ravel()).view_as(vectors)
