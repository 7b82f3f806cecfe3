"""Chance with several positives, and medians over trainings with groups resampled."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from ncsbench.evaluation.statistics.figure_text import find_side, tell_order
from ncsbench.evaluation.statistics.figures import Figures, summarise
from ncsbench.evaluation.statistics.resampling import MedianOfTrainings, Sampling
from ncsbench.studies.icse_2022.cell_results import expect_random, first_rank_chances


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
    assert expected.answered == {1: pytest.approx(1.5)}
    assert expected.mrr == expected.mrr_10 == pytest.approx((0.75 + 1) / 2)


def figure(trainings: list[list[list[float]]], groups: str) -> Figures:
    """The figure of trainings, by seed and draw, on queries of some groups."""
    return figures({"filtered": trainings}, groups)


def figures(sets: dict[str, list[list[list[float]]]], groups: str) -> Figures:
    """Figures of several training sets on the same queries."""
    units = [
        (name, query, (seed, draw), group, value)
        for name, trainings in sets.items()
        for seed, of_seed in enumerate(trainings)
        for draw, values in enumerate(of_seed)
        for query, (group, value) in enumerate(zip(groups, values, strict=True))
    ]
    seeds = max(map(len, sets.values()))
    return summarise(
        pd.DataFrame(units, columns=["set", "unit", "seed", "cluster", "value"]),
        ["set"],
        Sampling(1, 2000),
        MedianOfTrainings(1, seeds=seeds, draws=3, resamples=2000),
    )


def test_the_figure_is_the_median_over_trainings() -> None:
    for trainings in (
        [[[1, 0]], [[0, 0]], [[1, 1]]],
        [[[1, 1], [0, 0]], [[1, 0]]],
        [[[1, 1], [0, 0]]],
    ):
        assert figure(trainings, "ab").frame.loc[0, "value"] == 0.5


def test_a_group_is_drawn_as_a_whole_dev_196() -> None:
    """Twenty queries of one text tell as much as one, not as twenty."""
    alternating = [[[0.0, 1.0] * 10]]
    apart = figure(alternating, "abcdefghijklmnopqrst").frame.loc[0]
    together = figure(alternating, "ab" * 10).frame.loc[0]
    assert (together["low"], together["high"]) == (0, 1)
    assert apart["low"] > 0.2
    assert apart["high"] < 0.8
    # One group has nothing to be resampled, and one seed neither.
    of_one = figure([[[0.0, 1.0]]], "aa")
    assert set(of_one.resampled[0]) == {0.5}


def test_groups_of_other_sizes_keep_the_mean_over_queries() -> None:
    found = figure([[[1.0, 1.0, 1.0, 0.0]]], "aaab")
    assert found.frame.loc[0, "value"] == 0.75
    assert set(np.round(found.resampled[0], 9)) == {0.0, 0.75, 1.0}


def test_seeds_and_draws_are_resampled_too_dev_196() -> None:
    of_seeds = figure([[[0.0, 0.0]], [[1.0, 1.0]], [[1.0, 1.0]]], "ab")
    assert set(of_seeds.resampled[0]) == {0.0, 1.0}
    share = float(of_seeds.resampled.mean())  # at least two of three draws are of the last two
    assert share == pytest.approx(20 / 27, abs=0.03)
    of_draws = figure([[[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]], "ab")
    assert float(of_draws.resampled.mean()) == pytest.approx(20 / 27, abs=0.03)


def test_differences_are_paired_by_group_dev_196() -> None:
    """One is ahead of the other by the same on each query, however hard the queries are."""
    hard = np.random.default_rng(3).random(26)
    found = figures(
        {"low": [[list(hard)]], "high": [[list(hard + 0.1)]]}, "abcdefghijklmnopqrstuvwxyz"
    )
    assert found.frame.loc[0, "high"] - found.frame.loc[0, "low"] > 0.1
    ahead = found.against("set", [("low", "high"), ("high", "low")])
    assert ahead.frame["value"].tolist() == pytest.approx([-0.1, 0.1])
    assert ahead.frame.loc[1, "high"] - ahead.frame.loc[1, "low"] < 1e-9
    assert ahead.find_p().tolist() == pytest.approx([2 / 2001, 2 / 2001])
    assert found.against("set", [("low", "low")]).find_p().tolist() == [1.0]


def test_the_same_ranks_in_another_order_of_a_group_do_not_differ() -> None:
    """Their sums do, by what floating point leaves behind the last digit."""
    ranks = {"one": [1, 2, 6], "other": [2, 6, 1]}
    found = figures({name: [[[1 / rank for rank in some]]] for name, some in ranks.items()}, "aaa")
    assert (found.resampled[0] > found.resampled[1]).all()
    assert found.against("set", [("one", "other")]).find_p().tolist() == [1.0]


@pytest.mark.parametrize(
    ("low", "high", "side"),
    [(1e-3, 1.0, 1), (-1.0, -1e-3, -1), (-1.0, 1.0, 0), (1e-5, 1.0, 0), (-1.0, -1e-5, 0)],
)
def test_what_is_shown_as_0_lies_on_neither_side(low: float, high: float, side: int) -> None:
    assert find_side(low, high, 4) == side
    assert [tell_order(side, printed) for printed in (0.1, -0.1, 0.0)] == {
        1: ["as published", "reversed", ""],
        -1: ["reversed", "as published", ""],
        0: ["open", "open", ""],
    }[side]


def test_clusters_are_numbered_as_they_come() -> None:
    drawn = Sampling(1, 9).draw(3, ["a", "b", "a"])
    assert drawn.clusters.shape == (9, 2) and drawn.of_units is not None
    assert drawn.of_units.tolist() == [0, 1, 0]
