"""Does a similarity give the published examples of a question in the order of their slots?

The files list three examples a question. Of each two of them the earlier one should be the more
similar one under the measure that ordered them; two that are equally similar decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class SlotOrder:
    """Pairs of examples of each question, int64, shape (questions,).

    Attributes:
        agreeing: pairs whose earlier example is the more similar one.
        opposed: pairs whose later example is.
    """

    agreeing: NDArray[np.int64]
    opposed: NDArray[np.int64]


def order_slots(values: NDArray[np.float64]) -> SlotOrder:
    """Count the pairs of slots.

    Args:
        values: what should descend, shape (questions, slots); NaN where a slot has no value.
    """
    agreeing = np.zeros(len(values), np.int64)
    opposed = np.zeros(len(values), np.int64)
    for first, second in combinations(range(values.shape[1]), 2):
        agreeing += values[:, first] > values[:, second]
        opposed += values[:, first] < values[:, second]
    return SlotOrder(agreeing, opposed)
