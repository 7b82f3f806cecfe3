"""Randomisation tests, Holm's correction and their table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.evaluation.measures.rank_figures import build_significance
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.significance import (
    adjust_by_holm,
    draw_signs,
    run_randomisation_test,
)

P_VALUES = st.lists(st.floats(1e-6, 1.0), max_size=12)


def signs_for(questions: int, samples: int = 500) -> NDArray[np.int8]:
    return draw_signs(questions, np.random.default_rng(3), samples=samples)


def test_signs_are_seeded_and_fair() -> None:
    signs = signs_for(200, samples=2000)
    assert signs.dtype == np.int8 and set(np.unique(signs).tolist()) == {-1, 1}
    assert np.array_equal(signs, signs_for(200, samples=2000))
    assert abs(signs.mean()) < 0.005


def test_p_of_all_sign_flips_by_hand() -> None:
    # The 8 sums are 1.75, 1.25, 0.75 and 0.25 with either sign.
    assert run_randomisation_test(np.array([1.0, 0.5, 0.25]), signs_for(3)).p == 0.25
    assert run_randomisation_test(np.array([-1.0, 0.5, -0.25]), signs_for(3)).p == 0.75
    assert run_randomisation_test(np.array([0.0, 0.0]), signs_for(2)).p == 1.0
    assert run_randomisation_test(np.zeros(0), signs_for(0)).p == 1.0


def test_answered_differences_follow_the_binomial_distribution() -> None:
    # 7 of 8 questions gained: 2 * (1 + 8) / 256, whatever the number of samples.
    differences = np.array([1.0] * 7 + [-1.0] + [0.0] * 5)
    found = run_randomisation_test(differences, signs_for(13, samples=1))
    assert (found.p, found.exact) == (pytest.approx(18 / 256, abs=1e-15), True)


def test_a_sampled_p_is_never_0_dev_75() -> None:
    """DEV-75: (c + 1) / (n + 1), so that 99 samples can say no less than 0.01."""
    differences = np.linspace(0.1, 0.9, 60)
    found = run_randomisation_test(differences, signs_for(60, samples=99))
    assert (found.p, found.exact) == (0.01, False)


def test_sums_that_differ_by_rounding_are_as_extreme() -> None:
    # 0.1 + 0.2 - 0.3 is 0 but for rounding, and every sum is at least as far from 0.
    assert run_randomisation_test(np.array([0.1, 0.2, -0.3]), signs_for(3)).p == 1.0
    thirds = np.array([1 / 3] * 10 + [-1 / 2, 1 / 6, 1 / 3 + 1e-17])
    one = run_randomisation_test(thirds, signs_for(13, samples=2000)).p
    other = run_randomisation_test(thirds[::-1], signs_for(13, samples=2000)[:, ::-1]).p
    assert one == other


def test_blocks_do_not_change_p(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(1).normal(size=100)
    whole = run_randomisation_test(differences, signs_for(100))
    monkeypatch.setattr("ncsbench.evaluation.statistics.significance._BLOCK", 700)
    assert run_randomisation_test(differences, signs_for(100)) == whole


def test_signs_must_fit_the_questions() -> None:
    with pytest.raises(ValueError, match="signs for 4 questions"):
        run_randomisation_test(np.zeros(5), signs_for(4))


def test_holm_by_hand() -> None:
    # Ascending .01 .02 .03 .04: 4 * .01, 3 * .02, 2 * .03, then 1 * .04 raised to .06.
    assert adjust_by_holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert adjust_by_holm([0.6, 0.5]) == [1.0, 1.0]
    assert adjust_by_holm([]) == []


@given(P_VALUES)
def test_holm_keeps_the_order_and_lowers_nothing(p_values: list[float]) -> None:
    adjusted = adjust_by_holm(p_values)
    assert all(
        p <= q <= min(1.0, len(p_values) * p) for p, q in zip(p_values, adjusted, strict=True)
    )
    ordered = [q for _, q in sorted(zip(p_values, adjusted, strict=True))]
    assert ordered == sorted(ordered)
    assert adjust_by_holm(p_values[::-1]) == adjusted[::-1]


RANKS = {
    "ncs": np.array([1, 0, 3, 12, 0, 1], dtype=np.int32),
    "bm25": np.array([0, 0, 4, 2, 0, 7], dtype=np.int32),
    "random": np.array([0, 0, 0, 0, 51, 0], dtype=np.int32),
}
JUDGES = (Judge("jaccard", 0.25), Judge("dice", 0.5))
SETTINGS = {"dataset": "tiny", "sampling": Sampling(7, 200), "samples": 100}


def build(models: tuple[str, ...] = ("ncs", "bm25", "random")) -> list[dict[str, str]]:
    ranks = {model: RANKS[model] for model in models}
    return build_significance(first_ranks=dict.fromkeys(JUDGES, ranks), baseline="bm25", **SETTINGS)


def test_the_table_has_a_row_per_judge_metric_and_model() -> None:
    rows = build()
    assert [(row["judge"], row["measure"], row["model"]) for row in rows] == [
        (judge.similarity, metric, model)
        for judge in JUDGES
        for metric in METRICS
        for model in ("ncs", "random")
    ]
    row = rows[0]
    assert (row["value"], row["baseline_value"], row["difference"]) == ("2", "0", "2")
    assert (row["wins"], row["ties"], row["losses"]) == ("2", "4", "0")
    assert (row["p"], row["p_exact"], row["p_holm"]) == ("0.5", "yes", "1")


def test_only_the_correction_depends_on_the_other_models_dev_76() -> None:
    """DEV-76: a family is all models under one judge and measure."""
    alone = build(("ncs", "bm25"))
    among = [row for row in build() if row["model"] == "ncs"]
    assert [{**row, "p_holm": ""} for row in alone] == [{**row, "p_holm": ""} for row in among]
    assert all(row["p"] == row["p_holm"] for row in alone)


@pytest.mark.parametrize("baseline", ["", "lucene"])
def test_a_baseline_that_is_no_model_is_refused_in_one_line(baseline: str) -> None:
    with pytest.raises(ConfigurationError, match="set it to one of ncs, bm25, random"):
        build_significance(first_ranks={JUDGES[0]: RANKS}, baseline=baseline, **SETTINGS)
