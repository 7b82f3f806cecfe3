"""Kappa, NDCG, precision and AUC of labels, against figures by hand and formulae written here."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.evaluation.graded_rankings import (
    grade_ranking,
    keep_judged,
    ndcg,
    precision,
    unjudged_as_zero,
)
from ncsbench.label_files.label_file import Label, mean_grades
from ncsbench.labels.agreement import GradeAgreement, compare_labels, compare_within
from ncsbench.labels.judge_agreement import area_under_curve


def graded(grades: list[int], language: str = "Java") -> list[Label]:
    return [Label(language, "q", f"u{number}", grade) for number, grade in enumerate(grades)]


def kappa_as_scikit_has_it(first: list[int], second: list[int], *, quadratic: bool) -> float:
    """``cohen_kappa_score`` of scikit-learn, with ``weights="quadratic"`` or None."""
    confusion = np.zeros((4, 4))
    np.add.at(confusion, (first, second), 1)
    expected = np.outer(confusion.sum(axis=0), confusion.sum(axis=1)) / confusion.sum()
    grades = np.arange(4.0)
    weights = (grades[:, None] - grades) ** 2 if quadratic else 1 - np.eye(4)
    return float(1 - np.sum(weights * confusion) / np.sum(weights * expected.T))


def test_kappa_by_hand() -> None:
    found = compare_labels(graded([0, 0, 1, 3, 3]), graded([0, 1, 1, 3, 2]))
    assert found.pairs == 5
    assert found.observed == pytest.approx(0.6)
    # Chance of the same grade: 2*1 + 1*2 + 0*1 + 2*1 = 6 of 25.
    assert found.kappa == pytest.approx((15 - 6) / (25 - 6))
    # Squares by chance: 0: 2*(0+2*1+4+9)=30; 1: 1*(1+0+1+4)=6; 3: 2*(9+2*4+1+0)=36; 72 of 25.
    # Squares seen: 1 + 1 = 2, times 5 pairs.
    assert found.quadratic_kappa == pytest.approx(1 - 2 / (72 / 5))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40).filter(
        lambda pairs: len({grade for pair in pairs for grade in pair}) > 1
    )
)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    found = compare_labels(graded(first), graded(second))
    for value, quadratic in ((found.kappa, False), (found.quadratic_kappa, True)):
        assert value == pytest.approx(kappa_as_scikit_has_it(first, second, quadratic=quadratic))


def test_kappa_is_undefined_without_pairs_and_where_all_is_one_grade() -> None:
    assert GradeAgreement(np.zeros((4, 4), np.int64)).kappa is None
    found = compare_labels(graded([2, 2]), graded([2, 2, 1]))
    assert (found.kappa, found.quadratic_kappa, len(found.second_alone)) == (None, None, 1)
    assert "Cohen's kappa: undefined" in found.describe()
    assert "by the second only: 1, such as q, u2" in found.describe()


def test_several_labels_for_a_pair_dev_109() -> None:
    labels = [Label("Java", "Q ", "u", grade) for grade in (1, 3, 2)]
    labels += [Label("Java", "q", "v", 0), Label("Python", "q", "u", 0)]
    assert mean_grades(labels, "java") == {"q": {"u": 2.0, "v": 0.0}}
    found = compare_within(labels)  # the first two
    assert (found.pairs, found.counts[1, 3], found.once) == (1, 1, 2)
    assert compare_labels(labels, [Label("java", "q", "u", 0)]).counts[1, 0] == 1  # the first


def test_ndcg_by_hand_dev_109() -> None:
    grades = {"a": 3.0, "b": 1.0, "c": 0.0, "d": 2.0}
    ranking = grade_ranking(["x", "b", "y", "a"], grades)
    assert ranking == [None, 1.0, None, 3.0]
    ideal = 7 + 3 / math.log2(3) + 1 / 2
    judged = ndcg(keep_judged(ranking), grades.values())
    assert judged == pytest.approx((1 + 7 / math.log2(3)) / ideal)
    everything = ndcg(unjudged_as_zero(ranking), grades.values())
    assert everything == pytest.approx((1 / math.log2(3) + 7 / math.log2(5)) / ideal)
    linear = ndcg(unjudged_as_zero(ranking), grades.values(), gain="linear")
    assert linear == pytest.approx(
        (1 / math.log2(3) + 3 / math.log2(5)) / (3 + 2 / math.log2(3) + 1 / 2)
    )
    assert ndcg([1.0], [0.0]) is None
    assert ndcg([], grades.values()) == 0.0
    assert ndcg([0.0] * 10 + [3.0], [3.0]) == 0.0  # cut at ten
    assert ndcg([0.0] * 10 + [3.0], [3.0], cut=None) == pytest.approx(1 / math.log2(12))


def test_relevant_is_a_mean_grade_of_two_dev_109() -> None:
    assert precision([2.0, 1.5, 3.0]) == pytest.approx(0.2)
    assert precision([0.0] * 10 + [3.0]) == 0.0


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30))
def test_the_area_counts_pairs_dev_110(pairs: list[tuple[int, bool]]) -> None:
    right = [value for value, relevant in pairs if relevant]
    wrong = [value for value, relevant in pairs if not relevant]
    found = area_under_curve(
        np.array([value for value, _ in pairs], np.float64),
        np.array([relevant for _, relevant in pairs], np.bool_),
    )
    if not right or not wrong:
        assert found is None
        return
    wins = sum((a > b) + (a == b) / 2 for a in right for b in wrong)
    assert found == pytest.approx(wins / len(right) / len(wrong))
