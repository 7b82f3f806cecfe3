"""Figures of units: values, intervals, means, differences, and verdicts beside printed ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.evaluation.published.verdict_options import VerdictOptions
from ncsbench.evaluation.published.verdicts import judge_figures
from ncsbench.evaluation.statistics.figure_text import arrange, format_columns, spread, to_rows
from ncsbench.evaluation.statistics.figures import Figures, join_figures, summarise
from ncsbench.evaluation.statistics.intervals import draw_resamples, interval_of_sum
from ncsbench.evaluation.statistics.resampling import Sampling

SAMPLING = Sampling(seed=2019, resamples=400)


def units(values: dict[str, list[list[float]]], first_unit: int = 0) -> pd.DataFrame:
    """Units of some models, each with a list of values for every seed."""
    return pd.DataFrame(
        [
            {"model": model, "unit": first_unit + unit, "seed": seed, "value": value}
            for model, runs in values.items()
            for seed, run in enumerate(runs)
            for unit, value in enumerate(run)
        ]
    )


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_a_figure_of_one_run_is_the_mean_with_the_interval_of_a_sum(values: list[float]) -> None:
    row = summarise(units({"bm25": [values]}), ["model"], SAMPLING).frame.iloc[0]
    draws = draw_resamples(len(values), np.random.default_rng(2019), resamples=400)
    bounds = interval_of_sum(np.array(values) / len(values), draws)
    assert row["value"] == pytest.approx(np.mean(values))
    assert (row["low"], row["high"]) == pytest.approx((bounds.low, bounds.high))
    assert (row["n"], row["runs"]) == (len(values), 1)


def test_a_resample_takes_one_of_several_runs_dev_98() -> None:
    figures = summarise(units({"unif": [[0.0, 0.0], [1.0, 1.0]]}), ["model"], SAMPLING)
    assert figures.frame.loc[0, "value"] == 0.5
    assert set(figures.resampled[0]) == {0.0, 1.0}


def test_differences_are_paired_by_unit() -> None:
    values = {"bm25": [[0.1, 0.9, 0.4]], "ncs": [[0.2, 1.0, 0.5]], "random": [[0.0, 0.0, 0.0]]}
    figures = summarise(units(values), ["model"], SAMPLING)
    found = figures.against("model", [("ncs", "bm25"), ("none", "bm25")])
    assert found.frame[["model", "baseline"]].to_numpy().tolist() == [["ncs", "bm25"]]
    row = found.frame.iloc[0]
    assert (row["value"], row["low"], row["high"]) == pytest.approx((0.1, 0.1, 0.1))
    assert row["baseline_value"] == pytest.approx(1.4 / 3)
    assert found.find_p()[0] == pytest.approx(2 / 401)


def test_rows_of_other_units_are_not_compared() -> None:
    parts = [
        summarise(units({"bm25": [[1.0, 0.0]]}), ["model"], SAMPLING),
        summarise(units({"ncs": [[1.0, 0.0]]}, first_unit=7), ["model"], SAMPLING),
    ]
    with pytest.raises(ValueError, match="other units than 'bm25'"):
        join_figures(parts).against("model", [("ncs", "bm25")])


@pytest.mark.parametrize(
    ("seed", "unit", "message"), [(1, [0, 1, 0, 2], "other units"), (0, [0, 0], "a unit twice")]
)
def test_units_that_do_not_pair_are_refused(seed: int, unit: list[int], message: str) -> None:
    frame = pd.DataFrame({"unit": unit, "value": 0.0, "model": "bm25"})
    frame["seed"] = [place // 2 * seed for place in range(len(unit))]
    with pytest.raises(ValueError, match=message):
        summarise(frame, ["model"], SAMPLING)


def test_a_plain_mean_counts_each_row_once() -> None:
    go = units({"bm25": [[1.0, 1.0, 1.0]]}).assign(language="go")
    java = units({"bm25": [[0.0]]}, first_unit=9).assign(language="java")
    figures = summarise(pd.concat([go, java]), ["model", "language"], SAMPLING)
    row = figures.average("language", "mean").frame.iloc[0]
    assert (row["language"], row["value"], row["n"]) == ("mean", 0.5, 4)


def test_a_table_has_a_row_for_each_combination_and_empty_cells_for_what_is_missing() -> None:
    frame = pd.DataFrame({"model": ["b", "a"], "pool": [10, 50], "value": [0.25, -0.00001]})
    wide = spread(frame, "pool", [10, 50], {"value": "mrr_{}"})
    rows = arrange(wide, {"model": ["a", "b", "c"]})
    text = format_columns(rows, ["mrr_10", "mrr_50"], 3, signed=True)
    assert to_rows(text, ["model", "mrr_10", "mrr_50"]) == [
        {"model": "a", "mrr_10": "", "mrr_50": "0.000"},
        {"model": "b", "mrr_10": "+0.250", "mrr_50": ""},
        {"model": "c", "mrr_10": "", "mrr_50": ""},
    ]


def figures(*means: float, units: int = 1000) -> Figures:
    """Figures of units that are right or not."""
    frame = pd.concat(
        pd.DataFrame(
            {
                **{"row": row, "unit": range(units), "seed": 0},
                "value": [float(unit < mean * units) for unit in range(units)],
            }
        )
        for row, mean in enumerate(means)
    )
    return summarise(frame, ["row"], Sampling(1, 1000))


@pytest.mark.parametrize(
    ("ours", "printed", "verdict"),
    [
        (0.41, 0.4, "equivalent"),
        (0.2, 0.4, "different"),
        (0.34, 0.4, "different"),
        (0.41, None, ""),
        (0.004, 0.004, "not comparable: margin"),  # five of a thousand are more
    ],
)
def test_a_figure_has_a_verdict_beside_a_printed_one_dev_96(
    ours: float, printed: float | None, verdict: str
) -> None:
    assert judge_figures(figures(ours), [printed], [""]) == [verdict]


def test_few_units_cannot_tell_dev_96() -> None:
    assert judge_figures(figures(0.4, units=50), [0.4], [""]) == ["inconclusive"]


def test_the_outcome_without_correction_is_in_brackets_dev_97() -> None:
    many = figures(*[0.4] * 16, units=200)
    assert judge_figures(figures(0.4, units=200), [0.4], [""]) == ["equivalent"]
    assert judge_figures(many, [0.4] * 16, [""] * 16) == ["inconclusive (alone: equivalent)"] * 16
    # A row that is not comparable is in no family.
    reasons = ["not comparable: pairs"] * 15
    assert judge_figures(many, [0.4] * 16, [*reasons, ""]) == [*reasons, "equivalent"]
    alone = VerdictOptions(correction="none")
    assert judge_figures(many, [0.4] * 16, [""] * 16, alone) == ["equivalent"] * 16
