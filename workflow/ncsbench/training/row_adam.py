"""Adam (Kingma and Ba, 2015) for tables of which a step reads few rows, at the cost of these rows.

Adam also moves a row in steps in which it has no gradient, by what is left of its moments. Here a
row catches up with all such steps at once, when it is next read (DEV-107). With the moments m and v
after step t, no gradient in the steps t+1 to u moves it by::

    rate * SUM over s: b1^(s-t) / (1 - b1^s) * m / (d_s sqrt(v) + eps),
    d_s = b2^((s-t)/2) / sqrt(1 - b2^s)

That is rate * A * m / sqrt(v) where eps is nothing beside d_s sqrt(v), and rate * B * m / eps where
it is all; A and B depend on t and u alone. ``rate * m / (sqrt(v)/A + eps/B)`` is exact at both ends
and taken for what lies between.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

_FIRST, _SECOND, _EPSILON = 0.9, 0.999, 1e-8  # b1, b2 and eps of the paper
_RATIO = _FIRST / math.sqrt(_SECOND)


class EpochSteps:
    """Step sizes of an epoch, whose steps are counted from 1; float64.

    Args:
        before: steps of earlier epochs.
        count: steps of this one.
    """

    def __init__(self, before: int, count: int) -> None:
        numbers = np.arange(before, before + count + 1, dtype=np.float64)
        first, second = 1 - _FIRST**numbers, np.sqrt(1 - _SECOND**numbers)
        self._corrections = list(zip(first.tolist(), second.tolist(), strict=True))
        # A and B from a step to the end of the epoch; those to an earlier step are differences.
        self._large, self._small = np.zeros(count + 1), np.zeros(count + 1)
        for step in range(count, 0, -1):
            one, root = self._corrections[step]
            self._large[step - 1] = _RATIO * (root / one + self._large[step])
            self._small[step - 1] = _FIRST * (1 / one + self._small[step])

    def correct(self, step: int) -> tuple[float, float]:
        """1 - b1^s and sqrt(1 - b2^s) of a step."""
        return self._corrections[step]

    def catch_up(self, since: NDArray[np.int64], step: int) -> NDArray[np.float64]:
        """What rows miss that were moved in the steps ``since`` and are next in ``step``.

        Returns:
            A, A/B (1 where nothing is missed), and what is left of m and of v; shape (4, rows).
        """
        missed = step - 1 - since
        large = self._large[since] - _RATIO**missed * self._large[step - 1]
        small = self._small[since] - _FIRST**missed * self._small[step - 1]
        ratio = np.divide(large, small, out=np.ones_like(large), where=missed > 0)
        large[missed == 0] = 0
        return np.stack([large, ratio, _FIRST**missed, _SECOND**missed])


class TrainedTable:
    """A table and its moments, all float tensors of one shape (rows, dimension).

    Attributes:
        values: the table; all rows are up to date between epochs.
        first: m.
        second: v.
    """

    def __init__(self, values: Tensor, *, learning_rate: float) -> None:
        self.values = values
        self.first, self.second = torch.zeros_like(values), torch.zeros_like(values)
        self._rate = learning_rate
        self._since = np.zeros(len(values), np.int64)

    def read(self, rows: NDArray[np.int64], steps: EpochSteps, step: int) -> Tensor:
        """The rows, distinct, as they are when ``step`` begins; a leaf to be given to ``move``."""
        self._rows = torch.from_numpy(rows).to(self.values.device)
        self._since_rows = rows
        part, self._m, self._v = (
            table.index_select(0, self._rows) for table in (self.values, self.first, self.second)
        )
        missed = torch.from_numpy(steps.catch_up(self._since[rows], step))
        large, ratio, first, second = missed.to(part)[:, :, None]
        part -= self._m * (self._rate * large) / (self._v.sqrt() + _EPSILON * ratio)
        self._m *= first
        self._v *= second
        return part.requires_grad_()

    def move(self, part: Tensor, steps: EpochSteps, step: int) -> None:
        """One step of Adam for what ``read`` gave last, by its gradient."""
        if part.grad is not None:
            one, root = steps.correct(step)
            self._m.lerp_(part.grad, 1 - _FIRST)
            self._v.mul_(_SECOND).addcmul_(part.grad, part.grad, value=1 - _SECOND)
            lengths = self._v.sqrt().mul_(one / root).add_(one * _EPSILON)
            part.detach().addcdiv_(self._m, lengths, value=-self._rate)
        self._write(part.detach(), step)

    def end_epoch(self, steps: EpochSteps, count: int) -> None:
        """Bring all rows up to date after the last step of an epoch."""
        part = self.read(np.arange(len(self.values)), steps, count + 1)
        self._write(part.detach(), 0)

    def _write(self, part: Tensor, step: int) -> None:
        for table, own in ((self.values, part), (self.first, self._m), (self.second, self._v)):
            table.index_copy_(0, self._rows, own)
        self._since[self._since_rows] = step
