"""Chance with several positives, and medians over trainings with groups resampled."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ncsbench.cleaning.random_order import expect_random, first_rank_chances
from ncsbench.evaluation.grouped_intervals import draw_groups, resample_median
from ncsbench.evaluation.resampled_figures import ResampledFigure, tell_order


@pytest.mark.parametrize(("positives", "candidates"), [(1, 1), (1, 4), (3, 3), (2, 5), (4, 9)])
def test_chances_of_first_ranks_are_those_of_all_orders(positives: int, candidates: int) -> None:
    places = [min(one) for one in combinations(range(candidates), positives)]
    counts = np.bincount(places, minlength=candidates) / len(places)
    chances = first_rank_chances(positives, candidates)
    np.testing.assert_allclose(chances, counts, atol=1e-12)


@pytest.mark.parametrize(("positives", "candidates"), [(0, 5), (6, 5)])
def test_a_query_needs_a_positive_among_its_candidates(positives: int, candidates: int) -> None:
    with pytest.raises(ValueError, match="positives among"):
        first_rank_chances(positives, candidates)


@pytest.mark.parametrize(
    ("positives", "queries", "answered", "mrr", "mrr_10"),
    [
        (1, 434, (0.4, 2.2, 4.3), 0.0075, 0.0029),
        (3, 287, (0.9, 4.3, 8.5), 0.018, 0.009),
        (10, 52, (0.5, 2.5, 5.0), 0.047, 0.028),
    ],
)
def test_chance_at_the_published_sizes(
    positives: int, queries: int, answered: tuple[float, ...], mrr: float, mrr_10: float
) -> None:
    expected = expect_random([(positives, positives + 999)] * queries, (1, 5, 10))
    assert tuple(round(one, 1) for one in expected.answered.values()) == answered
    digits = len(str(mrr)) - 2
    assert round(expected.mrr, digits) == mrr
    assert round(expected.mrr_10, len(str(mrr_10)) - 2) == mrr_10


COSBENCH = {
    **{1: 1, 2: 4, 3: 2, 5: 2, 7: 2, 9: 3, 11: 5, 13: 3, 15: 4, 17: 2, 18: 6, 23: 2},
    **{28: 2, 29: 2, 30: 2, 33: 2, 42: 6, 47: 2},
}
"""Queries by number of answers, as ``query2answer.json`` has them."""


def test_chance_on_cosbench_has_its_own_numbers_of_answers() -> None:
    sizes = [(count, count + 999) for count, queries in COSBENCH.items() for _ in range(queries)]
    assert (len(sizes), sum(count for count, _ in sizes)) == (52, 994)
    expected = expect_random(sizes, (1, 5, 10))
    assert [round(one, 1) for one in expected.answered.values()] == [1.0, 4.6, 8.6]
    assert (round(expected.mrr, 3), round(expected.mrr_10, 3)) == (0.072, 0.051)


def test_queries_of_other_sizes_are_averaged() -> None:
    expected = expect_random([(1, 2), (1, 1)], (1,))
    assert expected.answered == {1: 1.5}
    assert expected.mrr == expected.mrr_10 == pytest.approx((0.75 + 1) / 2)


def figure(trainings: list[list[list[float]]], groups: str, seed: int = 1, **sizes: int):  # type: ignore[no-untyped-def]
    drawn = draw_groups(
        list(groups), seed=seed, resamples=2000, **{"seeds": len(trainings), "draws": 3} | sizes
    )
    arrays = [[np.array(one, float) for one in of_seed] for of_seed in trainings]
    return resample_median(arrays, drawn)


def test_the_figure_is_the_median_over_trainings() -> None:
    trainings = [[[1, 0]], [[0, 0]], [[1, 1]]]
    assert figure(trainings, "ab").value == 0.5
    assert figure([[[1, 1], [0, 0]], [[1, 0]]], "ab").value == 0.5
    assert figure([[[1, 1], [0, 0]]], "ab").value == 0.5


def test_a_group_is_drawn_as_a_whole_dev_196() -> None:
    """Twenty queries of one text tell as much as one, not as twenty."""
    alternating = [[[0.0, 1.0] * 10]]
    apart = figure(alternating, "abcdefghijklmnopqrst").interval
    together = figure(alternating, "ab" * 10).interval
    assert (together.low, together.high) == (0, 1)
    assert apart.low > 0.2
    assert apart.high < 0.8
    # One group has nothing to be resampled, and one seed neither.
    of_one = figure([[[0.0, 1.0]]], "aa")
    assert set(of_one.resampled) == {0.5}


def test_groups_of_other_sizes_keep_the_mean_over_queries() -> None:
    found = figure([[[1.0, 1.0, 1.0, 0.0]]], "aaab")
    assert found.value == 0.75
    assert set(np.round(found.resampled, 9)) == {0.0, 0.75, 1.0}


def test_seeds_and_draws_are_resampled_too_dev_196() -> None:
    of_seeds = figure([[[0.0, 0.0]], [[1.0, 1.0]], [[1.0, 1.0]]], "ab")
    assert set(of_seeds.resampled) == {0.0, 1.0}
    share = float(of_seeds.resampled.mean())  # at least two of three draws are of the last two
    assert share == pytest.approx(20 / 27, abs=0.03)
    of_draws = figure([[[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]], "ab")
    assert float(of_draws.resampled.mean()) == pytest.approx(20 / 27, abs=0.03)


def test_differences_are_paired_by_group_dev_196() -> None:
    """One is ahead of the other by the same on each query, however hard the queries are."""
    generator = np.random.default_rng(3)
    hard = generator.random(50)
    groups = [str(number) for number in range(50)]
    drawn = draw_groups(groups, seed=1, seeds=1, draws=1, resamples=500)
    low, high = (resample_median([[hard + more]], drawn) for more in (0.0, 0.1))
    ahead = high - low
    assert ahead.value == pytest.approx(0.1)
    assert ahead.interval.high - ahead.interval.low < 1e-9
    assert low.interval.high - low.interval.low > 0.1
    assert ahead.p == pytest.approx(2 / 501)
    assert (low - high).p == ahead.p
    assert (low - low).p == 1.0


def test_the_same_ranks_in_another_order_of_a_group_do_not_differ() -> None:
    """Their sums do, by what floating point leaves behind the last digit."""
    drawn = draw_groups("aaa", seed=1, seeds=1, draws=1, resamples=500)
    one, other = (
        resample_median([[1 / np.array(ranks)]], drawn) for ranks in ([1, 2, 6], [2, 6, 1])
    )
    assert (one.resampled > other.resampled).all()
    assert (one - other).p == 1.0


@pytest.mark.parametrize(
    ("low", "high", "side"),
    [(1e-3, 1.0, 1), (-1.0, -1e-3, -1), (-1.0, 1.0, 0), (1e-5, 1.0, 0), (-1.0, -1e-5, 0)],
)
def test_what_is_shown_as_0_lies_on_neither_side(low: float, high: float, side: int) -> None:
    found = ResampledFigure(0.0, np.repeat([low, high], 50))
    assert found.side(4) == side
    assert [tell_order(side, printed) for printed in (0.1, -0.1, 0.0)] == {
        1: ["as published", "reversed", ""],
        -1: ["reversed", "as published", ""],
        0: ["open", "open", ""],
    }[side]


def test_the_same_seed_gives_the_same_draws_of_groups() -> None:
    one = draw_groups(["a", "b", "a"], seed=1, seeds=1, draws=1, resamples=9)
    other = draw_groups(["a", "b", "a"], seed=1, seeds=5, draws=3, resamples=9)
    np.testing.assert_array_equal(one.groups, other.groups)
    assert one.of_questions.tolist() == [0, 1, 0]
