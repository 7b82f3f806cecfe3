"""The order of the published examples of a question."""

from __future__ import annotations

import numpy as np

from ncsbench.judge_study.slot_order import order_slots


def test_equal_and_absent_examples_decide_nothing() -> None:
    values = np.array([[0.9, 0.5, 0.7], [0.5, 0.5, np.nan], [np.nan, 0.1, 0.2]])
    order = order_slots(values)
    assert order.agreeing.tolist() == [2, 0, 0]
    assert order.opposed.tolist() == [1, 0, 1]
