"""The cut between losses of comments (``ncsbench.pairs.comment_filter.cut``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.mixture import GaussianMixture

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter.cut import Component, Cut, find_crossing, find_cut
from ncsbench.pairs.comment_filter.filter_fitting import draw_cut
from ncsbench.pairs.comment_filter.filter_options import CutOptions


def options(**values: Any) -> CutOptions:
    return CutOptions.parse(values, where="cut")


def two_groups(low: int = 700, high: int = 300) -> NDArray[np.float64]:
    generator = np.random.default_rng(1)
    return np.concatenate([generator.normal(4, 0.6, low), generator.normal(8, 0.9, high)])


def test_a_mixture_is_cut_where_the_higher_distribution_becomes_more_probable_dev_177() -> None:
    losses = two_groups()
    cut = find_cut(losses, options(), seed=1)
    low, high = cut.components
    assert (low.mean, high.mean) == pytest.approx((4, 8), abs=0.2)
    assert low.weight == pytest.approx(0.7, abs=0.02)
    assert cut.threshold == cut.crossing_point
    around = np.array([cut.threshold - 0.01, cut.threshold + 0.01])
    assert (low.log_density(around) > high.log_density(around)).tolist() == [True, False]
    assert cut.keeps(losses).mean() == cut.share_kept == pytest.approx(0.7, abs=0.02)
    assert cut.keeps(np.array([-1e6, 1e6, np.nan])).tolist() == [True, False, False]


def test_as_released_the_wide_component_may_own_both_ends_dev_177() -> None:
    generator = np.random.default_rng(1)
    losses = np.concatenate([generator.normal(5, 2, 500), generator.normal(8, 0.3, 500)])
    cut = find_cut(losses, options(mixture="as_released"), seed=1)
    assert cut.threshold is None
    assert cut.keeps(np.array([2.0, 8.0, 11.0])).tolist() == [True, False, True]
    released = GaussianMixture(2, max_iter=1000, random_state=1).fit(np.sort(losses)[:, None])
    labels = released.predict(losses[:, None])
    assert (cut.keeps(losses) == (labels == labels[losses.argmin()])).all()
    threshold = find_cut(losses, options(), seed=1)
    assert threshold.keeps(np.array([2.0, 8.0, 11.0])).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("low", "high"),
    [((0.5, 4, 1), (0.5, 8, 1)), ((0.7, 4, 0.2), (0.3, 8, 3)), ((0.2, 4, 3), (0.8, 8, 0.2))],
)
def test_the_crossing_point_solves_the_equation(low: Any, high: Any) -> None:
    first, second = (
        Component(weight=w, mean=float(m), variance=float(v)) for w, m, v in (low, high)
    )
    crossing = find_crossing(first, second)
    assert crossing is not None and 4 < crossing < 8
    near = np.array([crossing - 1e-6, crossing + 1e-6])
    assert (first.log_density(near) > second.log_density(near)).tolist() == [True, False]


def test_two_distributions_of_which_one_is_always_above_have_no_crossing_point() -> None:
    one = Component(weight=0.9, mean=4.0, variance=1.0)
    assert find_crossing(one, Component(weight=0.1, mean=4.0, variance=1.0)) is None
    assert find_crossing(one, Component(weight=1e-9, mean=4.1, variance=0.9)) is None


def test_k_means_percentile_and_a_given_loss() -> None:
    losses = two_groups()
    assert find_cut(losses, options(method="k_means"), seed=1).threshold == pytest.approx(
        6, abs=0.2
    )
    quarter = find_cut(losses, options(method="percentile", share=0.25), seed=1)
    assert quarter.keeps(losses).sum() == 250
    assert quarter.share_kept == 0.25
    given = find_cut(losses, options(method="loss", highest=4.0), seed=1)
    assert given.share_kept == (losses <= 4).mean()


def test_neither_order_nor_a_second_run_changes_a_bit() -> None:
    losses = two_groups()
    for method in ("gaussian_mixture", "k_means"):
        one = find_cut(losses, options(method=method), seed=3)
        assert find_cut(losses[::-1].copy(), options(method=method), seed=3) == one


def test_a_cut_survives_json() -> None:
    losses = two_groups()
    for chosen in ({}, {"mixture": "as_released"}, {"method": "percentile", "share": 0.5}):
        cut = find_cut(losses, options(**chosen), seed=1)
        again = Cut.parse(json.loads(json.dumps(cut.as_json())), where="cut.json")
        assert again == cut
        assert (again.keeps(losses) == cut.keeps(losses)).all()
    with pytest.raises(ConfigurationError, match=r"filter/cut.json: needs either 'threshold'"):
        Cut.parse({"method": "loss", "losses": 1, "share_kept": 1}, where="filter/cut.json")


@pytest.mark.parametrize(
    ("losses", "chosen", "message"),
    [
        ([], {}, "there is no loss"),
        ([1.0, np.nan], {}, "not a finite number"),
        ([1.0, np.inf], {"method": "loss", "highest": 1}, "not a finite number"),
        ([2.0] * 50, {}, "all 50 losses are equal"),
        ([1.0, 2.0, 3.0], {"method": "k_means"}, "k_means needs 10 losses, and 3 are there"),
        ([1.0, 2.0, 3.0], {"method": "percentile", "share": 0.1}, "keeps none of 3 comments"),
    ],
)
def test_losses_that_cannot_be_cut_end_in_one_line(
    losses: list[float], chosen: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError, match=message) as caught:
        find_cut(np.array(losses), options(**chosen), seed=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"method": "percentile"}, "'percentile' needs 'share'"),
        ({"highest": 2.0}, "'gaussian_mixture' takes no 'highest'"),
        ({"method": "k_means", "mixture": "as_released"}, "'k_means' takes no 'mixture'"),
        ({"method": "percentile", "share": 0}, "share: 0"),
    ],
)
def test_options_that_do_not_fit_each_other(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        options(**chosen)


@pytest.mark.parametrize(
    "chosen", [{}, {"mixture": "as_released"}, {"method": "percentile", "share": 0.5}]
)
def test_the_figure_has_the_same_bytes_each_time(chosen: dict[str, Any], tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    losses = np.concatenate([generator.normal(5, 2, 500), generator.normal(8, 0.3, 500)])
    cut = find_cut(losses, CutOptions.parse(chosen, where="cut"), seed=1)
    for name in ("one.svg", "other.svg"):
        draw_cut(losses, cut, tmp_path / name)
    one = (tmp_path / "one.svg").read_bytes()
    assert one == (tmp_path / "other.svg").read_bytes()
    assert one.rstrip().endswith(b"</svg>")
    with pytest.raises(DataError, match="no finite loss"):
        draw_cut(np.array([np.nan]), cut, tmp_path / "none.svg")
