"""Losses over a batch of queries and their code (CodeSearchNet paper, section 4; DEV-148).

All others of the batch are the wrong code for a query. Each loss has a similarity of its own, by
which its pairs are also ranked in training.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from ncsbench.encoders.encoder_options import Loss

_LEAST = 1e-10


def measure_similarity(queries: Tensor, codes: Tensor, loss: Loss) -> Tensor:
    """What a loss compares: inner product, cosine, or minus the distance.

    Args:
        queries: shape (n, dimension).
        codes: shape (m, dimension).
        loss: which.

    Returns:
        Of each query (row) with all code; shape (n, m).
    """
    if loss == "cosine":
        unit = [side / (side.norm(dim=1, keepdim=True) + _LEAST) for side in (queries, codes)]
        cosines: Tensor = unit[0] @ unit[1].T
        return cosines
    if loss == "triplet":
        # As squares, which need no (n, m, dimension); their root has no slope at 0.
        squares = (queries**2).sum(dim=1)[:, None] + (codes**2).sum(dim=1) - 2 * queries @ codes.T
        return -squares.clamp(min=_LEAST).sqrt()
    return queries @ codes.T


def measure_loss(similarities: Tensor, loss: Loss, *, margin: float) -> Tensor:
    """The loss of each pair.

    Args:
        similarities: of queries with the code of the same batch, shape (n, n); the right one is on
            the diagonal.
        loss: which.
        margin: of all but ``softmax``.

    Returns:
        Shape (n,).
    """
    if loss == "softmax":
        right = torch.arange(len(similarities), device=similarities.device)
        return functional.cross_entropy(similarities, right, reduction="none")
    own = torch.eye(len(similarities), dtype=torch.bool, device=similarities.device)
    if loss == "triplet":
        wrong = (margin + similarities - similarities.diagonal()[:, None]).clamp(min=0)
        wrong = wrong.masked_fill(own, 0)
        return wrong.sum(dim=1) / ((wrong > 0).sum(dim=1) + _LEAST)
    if loss == "max_margin":
        similarities = similarities.log_softmax(dim=1)
        hardest = similarities.masked_fill(own, -torch.inf).amax(dim=1)
    else:
        # A cosine below 0 is as good as 0.
        hardest = similarities.masked_fill(own, -torch.inf).amax(dim=1).clamp(min=0)
    return (margin - similarities.diagonal() + hardest).clamp(min=0)
