from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from ncsbench.base.files.csv_tables import Row
from ncsbench.evaluation.measures.metrics import mean_reciprocal_rank
from ncsbench.evaluation.measures.rank_figures import (
    DIFFERENCE_FIGURES,
    compare_shares,
    metric_interval,
    share_ranks,
)
from ncsbench.evaluation.statistics.figure_text import to_rows
from ncsbench.evaluation.statistics.intervals import (
    draw_resamples,
    independent_share_difference,
    interval_of_sum,
    wilson_interval,
)
from ncsbench.evaluation.statistics.resampling import Sampling


def draws_for(questions: int, seed: int = 1, resamples: int = 4000) -> np.ndarray:
    return draw_resamples(questions, np.random.default_rng(seed), resamples=resamples)


SAMPLING = Sampling(1, 4000)
RANKS = np.random.default_rng(5).integers(0, 30, 287).astype(np.int32)
BETTER = np.where(RANKS > 1, RANKS - 1, RANKS).astype(np.int32)


def compare(ranks: dict[str, np.ndarray], pairs: list[tuple[str, str]]) -> list[Row]:
    named = {(name,): found for name, found in ranks.items()}
    columns = ["measure", "model", "baseline", *DIFFERENCE_FIGURES]
    return to_rows(compare_shares(share_ranks(named), ["model"], pairs, SAMPLING), columns)


def test_blocks_do_not_change_the_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    values, draws = 1.0 / (1.0 + RANKS), draws_for(287, resamples=500)
    whole = interval_of_sum(values, draws)
    monkeypatch.setattr("ncsbench.evaluation.statistics.intervals._BLOCK", 1000)
    assert interval_of_sum(values, draws) == whole


def test_a_number_of_questions_has_wilsons_interval_also_where_all_are_answered_dev_32() -> None:
    """Every resample of such questions is the same: the bootstrap would claim to be certain."""
    expected = binomtest(20, 20).proportion_ci(method="wilson")
    found = metric_interval(np.ones(20, dtype=np.int32), "answered_1", draws_for(20))
    assert (found.low, found.high) == pytest.approx((20 * expected.low, 20 * expected.high))
    same = interval_of_sum(np.ones(20), draws_for(20))
    assert (same.low, same.high) == (20.0, 20.0)
    # An MRR is no proportion.
    certain = metric_interval(np.ones(20, dtype=np.int32), "mrr", draws_for(20))
    assert (certain.low, certain.high) == pytest.approx((1.0, 1.0))


def test_no_questions() -> None:
    nothing = np.zeros(0, dtype=np.int32)
    rows = compare({"a": nothing, "b": nothing}, [("a", "b")])
    assert [row["difference"] for row in rows] == ["0", "0", "0", "0.000000"]
    assert compare({"a": nothing}, []) == []


def test_paired_differences_use_the_pairing() -> None:
    rows = compare({"a": BETTER, "b": RANKS}, [("a", "b")])
    row = {name: float(rows[-1][name]) for name in DIFFERENCE_FIGURES}
    expected = mean_reciprocal_rank(BETTER) - mean_reciprocal_rank(RANKS)
    assert row["difference"] == pytest.approx(expected, abs=1e-6)
    assert row["value"] == pytest.approx(mean_reciprocal_rank(BETTER), abs=1e-6)
    assert 0 < row["difference_low"] < row["difference"] < row["difference_high"]
    unpaired = metric_interval(BETTER, "mrr", draws_for(287))
    assert row["difference_high"] - row["difference_low"] < unpaired.high - unpaired.low


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="draws for 286 questions"):
        metric_interval(RANKS, "mrr", draws_for(286))
    with pytest.raises(ValueError, match="cannot be paired"):
        compare({"a": RANKS, "b": RANKS[1:]}, [("a", "b")])


@pytest.mark.parametrize(("found", "asked"), [(0, 10), (10, 10), (1, 3), (689, 1000), (5, 10000)])
def test_wilson_is_scipys(found: int, asked: int) -> None:
    expected = binomtest(found, asked).proportion_ci(method="wilson")
    interval = wilson_interval(found, asked)
    np.testing.assert_allclose([interval.low, interval.high], expected, atol=1e-12)


def test_nothing_asked_says_nothing() -> None:
    interval = wilson_interval(0, 0)
    assert (interval.low, interval.high) == (0.0, 1.0)


def test_a_difference_by_a_published_example() -> None:
    # Newcombe 1998 (Statistics in Medicine 17, 873), table II: 56/70 - 48/80, method 10.
    found = independent_share_difference((56, 48), (70, 80))
    assert found.value == pytest.approx(0.2)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_no_questions_have_no_difference() -> None:
    with pytest.raises(ValueError, match="no questions"):
        independent_share_difference((0, 1), (0, 5))


@given(st.tuples(st.integers(1, 300), st.integers(1, 300)), st.data())
def test_a_difference_lies_in_its_interval_and_has_a_mirror(
    asked: tuple[int, int], data: st.DataObject
) -> None:
    found = (data.draw(st.integers(0, asked[0])), data.draw(st.integers(0, asked[1])))
    there = independent_share_difference(found, asked)
    back = independent_share_difference(found[::-1], asked[::-1])
    assert -1 - 1e-9 <= there.interval.low <= there.value + 1e-9
    assert there.value - 1e-9 <= there.interval.high <= 1 + 1e-9
    assert there.interval.low == pytest.approx(-back.interval.high)
