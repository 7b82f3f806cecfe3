"""Kappa of grades against scikit-learn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from ncsbench.apps.labels.agreement import compare_grades
from ncsbench.apps.labels.label_sheet import RELEVANCE


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40).filter(
        lambda pairs: len({grade for pair in pairs for grade in pair}) > 1
    )
)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    found = compare_grades(
        {("q", str(at)): grade for at, grade in enumerate(first)},
        {("q", str(at)): grade for at, grade in enumerate(second)},
        RELEVANCE,
    )
    assert found.kappa == pytest.approx(cohen_kappa_score(first, second))
    quadratic = cohen_kappa_score(first, second, weights="quadratic", labels=RELEVANCE)
    assert found.quadratic_kappa == pytest.approx(quadratic)
