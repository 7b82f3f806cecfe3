"""When a training ends before all its epochs are done."""

from __future__ import annotations

import math

import pytest

from ncsbench.base.files.training_checkpoints import Epoch, Progress


def is_over(mrr: list[float], loss: list[float], patience: int = 2) -> bool:
    rows = zip(mrr, loss, strict=True)
    history = [
        Epoch(number, held_out_loss=lost, held_out_mrr=found)
        for number, (found, lost) in enumerate(rows)
    ]
    return Progress(history).is_over(epochs=10, patience=patience)


@pytest.mark.parametrize(
    ("mrr", "loss", "over"),
    [
        ([0.1, 0.2, 0.15], [5, 4, 3], False),
        ([0.1, 0.2, 0.15, 0.2], [5, 4, 3, 2], True),  # the MRR decides, and the first of equal ones
        ([0.1, 0.09, 0.08], [5, 4, 3], False),  # none is better than the first values yet
        ([0.1, 0.09, 0.08, 0.08], [5, 4, 4, 4], True),
        ([0.1, 0.09, 0.08], [5, 6, 7], True),
        ([math.nan] * 3, [math.nan] * 3, True),
        ([0.1] * 11, list(range(11, 0, -1)), True),  # all epochs are done
    ],
)
def test_a_training_ends_when_nothing_gets_better(
    mrr: list[float], loss: list[float], over: bool
) -> None:
    assert is_over(mrr, loss) is over
    assert not is_over(mrr[:2], loss[:2], patience=0)
