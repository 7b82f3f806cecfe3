"""Tests of equivalence and difference, their correction, and what questions can tell."""

from __future__ import annotations

import re
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.evaluation.published.verdict_options import VerdictOptions
from ncsbench.evaluation.statistics.significance import (
    LEVEL,
    adjust_by_holm,
    compare_family,
    difference_p,
    equivalence_p,
    find_holm_limits,
    find_smallest_margin,
)

EVEN = np.linspace(-1, 1, 999)
SAMPLES = st.lists(st.integers(-20, 20), min_size=39, max_size=200).map(
    lambda values: np.array(values, float)
)


def test_p_counts_resamples_beyond_the_worse_bound_and_is_never_0_dev_96() -> None:
    assert equivalence_p(np.array([-3.0, 0, 0, 2, 5]), 3) == (1 + 1) / 6
    assert equivalence_p(np.array([-3.0, -4, 0, 2, 5]), 3) == (2 + 1) / 6
    assert equivalence_p(np.zeros(99), 0.1) == 1 / 100
    assert difference_p(np.array([1.0, 2, 3, -1])) == 2 * (1 + 1) / 5
    assert difference_p(np.zeros(9)) == 1


def test_what_lies_on_the_bound_but_for_rounding_is_beyond_it() -> None:
    assert equivalence_p(np.full(9, 0.1 + 0.2 - 0.2), 0.1) == 1
    assert difference_p(np.full(9, 1e-17)) == 1


@given(SAMPLES, st.sampled_from([0.05, 0.03, 0.0011]))
def test_the_smallest_margin_is_where_the_outcome_changes_dev_96(
    resampled: np.ndarray, limit: float
) -> None:
    margin = find_smallest_margin(resampled, limit)
    if margin is None:
        assert equivalence_p(resampled, 1000) > limit
        return
    assert equivalence_p(resampled, margin + 0.5) <= limit
    if margin > 0:
        assert equivalence_p(resampled, margin) > limit


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=8))
def test_limits_are_those_of_holm_with_the_others_as_they_are_dev_97(p_values: list[float]) -> None:
    adjusted = adjust_by_holm(p_values)
    for p, corrected, limit in zip(p_values, adjusted, find_holm_limits(p_values), strict=True):
        assert (corrected <= LEVEL) == (p <= limit) or corrected == pytest.approx(LEVEL)


@given(st.lists(SAMPLES, min_size=1, max_size=5), st.floats(0.5, 15))
def test_equivalent_is_what_has_a_smaller_margin_dev_96(
    family: list[np.ndarray], margin: float
) -> None:
    tests = compare_family(family, [margin] * len(family))
    for test in tests:
        small = test.smallest_margin is not None and test.smallest_margin < margin - 1e-6
        assert (test.outcome == "equivalent") == small
        assert test.equivalence_p <= test.equivalence_p_holm
        assert test.difference_p <= test.difference_p_holm
        if test.smallest_margin is not None and test.smallest_margin_alone is not None:
            assert test.smallest_margin_alone <= test.smallest_margin
    alone = compare_family(family, [margin] * len(family), "none")
    for test in alone:
        assert test.equivalence_p == test.equivalence_p_holm
        assert test.smallest_margin == test.smallest_margin_alone


def test_nothing_is_shown_with_too_few_resamples_for_the_cells_dev_97() -> None:
    (test, _, _) = compare_family([np.zeros(50)] * 3, [1.0] * 3)
    assert (test.outcome, test.smallest_margin) == ("inconclusive", None)
    assert compare_family([], []) == []


def test_three_outcomes_of_one_family_dev_96() -> None:
    near, wide, far = 0.1 * EVEN, 5 * EVEN, 0.5 * EVEN + 3
    tests = compare_family([near, wide, far], [1.0] * 3)
    assert [test.outcome for test in tests] == ["equivalent", "inconclusive", "different"]


def test_the_docs_say_what_287_questions_can_tell_dev_96(root: Path) -> None:
    """DEV-96: every line of the table is the formula's, with the margins of NCS_postrank."""
    text = (root / "docs" / "statistics.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| (@\d+|MRR), ([\d.]+) \| (\.\d+) \|(.*)\|$", text, re.MULTILINE)
    assert len(lines) == 8
    options = VerdictOptions()
    for metric, published, deviation, rest in lines:
        # Per question: a share of them, or an MRR.
        figure = float(published) / (1 if metric == "MRR" else 287)
        margin, spread = options.find_margin(figure, 1 / 287), float(deviation)
        powers = (
            equivalence_power(margin, deviation=spread, questions=287),
            equivalence_power(margin, deviation=spread, questions=287, level=LEVEL / 16),
        )
        needed = (_needed(margin, spread, LEVEL), _needed(margin, spread, LEVEL / 16))
        shown = [f"{p:.2f}".lstrip("0") for p in (margin, *powers)]
        assert [cell.strip() for cell in rest.split("|")] == [*shown, *map(str, needed)]


def equivalence_power(
    margin: float, *, deviation: float, questions: int, level: float = LEVEL
) -> float:
    """Chance that a true difference of 0 is shown to lie within the margin (docs/statistics.md)."""
    normal = NormalDist()
    error = deviation / sqrt(questions)
    return max(0.0, 2 * normal.cdf(margin / error - normal.inv_cdf(1 - level)) - 1)


def _needed(margin: float, deviation: float, level: float) -> int:
    questions = 1
    while equivalence_power(margin, deviation=deviation, questions=questions, level=level) < 0.8:
        questions += 1
    return questions
