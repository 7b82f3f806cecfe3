"""The measures without pruning."""

from __future__ import annotations

import numpy as np
import pytest

from ncsbench.judge.similarity import UNPRUNED, Overlap
from ncsbench.records import MEASURES


def overlap(*, answer: int, method: int, common: int, distinct: tuple[int, int, int]) -> Overlap:
    return Overlap(
        answer=np.array([answer]),
        method=method,
        common=np.array([common]),
        answer_distinct=np.array([distinct[0]]),
        method_distinct=distinct[1],
        common_distinct=np.array([distinct[2]]),
    )


def test_formulas() -> None:
    sizes = overlap(answer=10, method=30, common=8, distinct=(4, 9, 3))
    values = {name: measure(sizes)[0] for name, measure in UNPRUNED.items()}
    assert values == {
        "containment": pytest.approx(0.8),
        "set_containment": pytest.approx(0.75),
        "jaccard": pytest.approx(0.25),
        "dice": pytest.approx(0.4),
        "set_cosine": pytest.approx(0.5),
    }


@pytest.mark.parametrize(("answer", "method"), [(0, 0), (0, 5), (5, 0)])
def test_an_empty_side_gives_zero(answer: int, method: int) -> None:
    sizes = overlap(
        answer=answer, method=method, common=0, distinct=(min(answer, 1), min(method, 1), 0)
    )
    assert all(measure(sizes)[0] == 0.0 for measure in UNPRUNED.values())


def test_every_other_measure_prunes() -> None:
    assert set(MEASURES) - set(UNPRUNED) == {"pruned_jaccard_leaf", "pruned_jaccard_refeaturised"}
