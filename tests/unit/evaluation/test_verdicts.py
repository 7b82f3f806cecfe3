"""Ours beside the published figures: differences, verdicts, and the reasons that may be named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.metrics import METRICS, Metric
from ncsbench.evaluation.measures.results import Replicate
from ncsbench.evaluation.published.ablations import (
    ABLATION_COLUMNS,
    Ablation,
    Directions,
    count_directions,
    find_reasons,
    judge_cells_anew,
    measure_effects,
    set_beside,
    write_ablations,
)
from ncsbench.evaluation.published.systems import PublishedTable
from ncsbench.evaluation.published.verdict_options import VerdictOptions
from ncsbench.evaluation.published.verdicts import (
    MIN_QUESTIONS,
    Cell,
    compare_cells,
    decide_verdict,
    read_reasons,
)
from ncsbench.evaluation.statistics.intervals import Difference, Interval
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.significance import FamilyTest, Outcome
from tests.published_results import model, system


def compare(
    ours: list[int],
    theirs: list[int],
    *,
    joined: list[int] | None = None,
    options: VerdictOptions | None = None,
) -> dict[str, Cell]:
    places = range(len(ours)) if joined is None else joined
    published = PublishedTable((system("NCS", theirs),), np.array(places, np.int64))
    cells = compare_cells([model("ncs", ours, "NCS")], published, Sampling(1, 500), options=options)
    return {cell.metric: cell for cell in cells}


def cell(
    value: float, low: float, high: float, metric: Metric = "mrr", *, outcome: Outcome | None = None
) -> Cell:
    """A cell with this outcome, by default that which a single test of difference would have."""
    shown = outcome or ("inconclusive" if low <= 0 <= high else "different")
    test = FamilyTest(0.1, 0.5, 0.5, 0.5, 0.5, 0.3, 0.2, shown, shown)
    difference = Difference(value, Interval(low, high))
    return Cell("ncs", metric, 0.2, difference, MIN_QUESTIONS, 0.1, test)


EFFECT_COLUMNS = (
    *("reason", "model", "runs", "judge", "measure"),
    *("value", "baseline_value", "effect", "effect_low", "effect_high", "questions"),
)
Step = tuple[str | float, ...]


def beside(steps: Sequence[Step], cells: Sequence[Cell]) -> pd.DataFrame:
    return set_beside(pd.DataFrame(steps, columns=EFFECT_COLUMNS), cells)


def explain(
    steps: list[Step], cells: list[Cell], anew: dict[str, list[Cell]] | None = None
) -> dict[tuple[str, Metric], list[str]]:
    effects = beside(steps, cells)
    found = find_reasons(effects, cells, count_directions(effects, cells, anew or {}))
    return {key: list(reasons) for key, reasons in found.items()}


def count(
    steps: list[Step], cells: list[Cell], anew: dict[str, list[Cell]] | None = None
) -> dict[str, Directions]:
    return count_directions(beside(steps, cells), cells, anew or {})


def effect(low: float, high: float, reason: str = "fewer_pairs", metric: Metric = "mrr") -> Step:
    return (reason, "ncs", "ncs-half", "dice", metric, 0.2, 0.1, (low + high) / 2, low, high, 1)


def outcomes(cells: dict[str, Cell]) -> set[str]:
    return {decide_verdict(each, {}) for each in cells.values()}


def test_equal_figures_prove_nothing_where_few_questions_have_them_dev_96() -> None:
    """DEV-96: the same numbers of other questions are equivalent only with enough questions."""
    assert outcomes(compare([1, 0] * 10, [0, 1] * 10)) == {"inconclusive"}
    assert outcomes(compare([1, 0] * 1000, [0, 1] * 1000)) == {"equivalent"}


def test_a_verdict_can_come_out_in_three_ways_dev_96() -> None:
    half, other = [1, 0] * 100, [1, 0] * 100
    other[:8:2] = [0] * 4
    assert outcomes(compare(half, other)) == {"equivalent"}
    assert outcomes(compare([0] * 200, half)) == {"different: unexplained"}
    assert outcomes(compare([1] * 60 + [0] * 140, [0] * 50 + [1] * 40 + [0] * 110)) == {
        "inconclusive"
    }


def test_a_difference_within_the_margin_is_equivalent_also_where_it_is_sure_dev_96() -> None:
    found = compare([1] * 1100 + [0] * 900, [1] * 1000 + [0] * 1000)
    assert all(each.test and each.test.difference_p_holm < 0.05 for each in found.values())
    assert outcomes(found) == {"equivalent"}


def test_margins_are_a_share_of_the_published_figure_dev_96() -> None:
    """At least some questions: of an MRR as much as they make from not found to first."""
    few, many = [1] * 10 + [0] * 90, [1] * 50 + [0] * 50
    for theirs, answered in ((few, 5.0), (many, 10.0)):
        found = compare(theirs, theirs)
        margins = {metric: each.margin for metric, each in found.items()}
        assert margins == {**dict.fromkeys(METRICS, answered), "mrr": answered / 100}
        assert outcomes(found) == {"equivalent"}
    options = VerdictOptions(margin=0.5, margin_questions=30)
    assert compare(few, few, options=options)["mrr"].margin == 0.3


def test_a_margin_that_0_would_pass_is_no_margin_dev_96() -> None:
    """Five published questions: none at all would be within five of them."""
    found = compare([1] * 10 + [0] * 90, [1] * 5 + [0] * 95)
    assert outcomes(found) == {"not comparable: margin"}
    # Cells that cannot be compared leave the family, so that no other one is corrected for them.
    some = [1] * 60 + [0] * 40
    published = PublishedTable(
        (system("few", [1] * 5 + [0] * 95), system("some", some)), np.arange(100)
    )
    cells = compare_cells(
        [model("a", some, "few"), model("b", some, "some")], published, Sampling(1, 500)
    )
    assert [bool(one.test) for one in cells] == [False] * 4 + [True] * 4
    alone = compare(some, some)
    assert cells[4].test == alone["answered_1"].test


def test_a_verdict_has_an_outcome_without_the_correction_dev_97() -> None:
    found = compare([1] * 57 + [0] * 143, [1] * 50 + [0] * 150)["answered_1"].test
    assert found is not None and found.difference_p < 0.05
    assert found.outcome_alone == ("equivalent" if found.equivalence_p < 0.05 else "different")


def test_every_model_counts_in_the_correction_dev_97() -> None:
    theirs = [1, 0] * 100
    close = [1] * 5 + theirs[5:]
    far = [0] * 200
    published = PublishedTable((system("NCS", theirs),), np.arange(200))
    alone, among = (
        compare_cells(
            [model(str(n), ranks, "NCS") for n, ranks in enumerate(models)],
            published, Sampling(1, 500),
        )[0].test
        for models in ([close], [close, far, far])
    )  # fmt: skip
    assert alone is not None and among is not None
    assert among.equivalence_p == alone.equivalence_p
    assert among.equivalence_p_holm > alone.equivalence_p_holm
    assert among.smallest_margin_alone == alone.smallest_margin_alone


def test_a_seed_is_drawn_with_the_questions_dev_98() -> None:
    """DEV-98: what training alone moves is in the interval; the difference is of the mean."""
    ours, other, theirs = [1] * 120 + [0] * 80, [1] * 80 + [0] * 120, [1] * 100 + [0] * 100
    published = PublishedTable((system("NCS", theirs),), np.arange(200))
    one = model("ncs", ours, "NCS")
    second = Replicate("ncs-seed2", {"lenient": np.array(other, np.int32)})
    alone, same, both = (
        compare_cells([each], published, Sampling(1, 2000))[0]
        for each in (
            one,
            replace(one, replicates=(replace(second, ranks=one.ranks),)),
            replace(one, replicates=(second,)),
        )
    )
    assert alone == same
    assert (alone.difference.value, both.difference.value) == (20, 0)
    # Each resample has one run: some are near 20 and some near -20, none is their mean alone.
    assert both.difference.interval.low < -20
    assert both.difference.interval.high > 20
    assert alone.test and both.test
    assert both.test.smallest_margin and alone.test.smallest_margin
    assert both.test.outcome == "inconclusive"


@pytest.mark.parametrize("value", [0, -0.1, 1.5])
def test_a_margin_must_be_one_dev_96(value: float) -> None:
    with pytest.raises(ConfigurationError) as caught:
        VerdictOptions.parse({"margin": value}, where="config.yaml", within="verdicts")
    text = str(caught.value)
    assert text.startswith(f"config.yaml: verdicts.margin: {value:g} is no margin")
    assert text.endswith("give a number above 0 and at most 1")


def test_a_verdict_names_every_reason_with_its_share_in_the_given_order_dev_80() -> None:
    differing = cell(-0.2, -0.3, -0.1)
    verdict = decide_verdict(differing, {"fewer_pairs": 0.124, "measure_dice": 1.1})
    assert verdict == "different: fewer_pairs (12 %)+measure_dice (110 %)"
    assert read_reasons(verdict) == ["fewer_pairs", "measure_dice"]
    assert read_reasons(decide_verdict(differing, {})) == ["unexplained"]
    for outcome in ("equivalent", "inconclusive"):
        other = cell(-0.2, -0.3, -0.1, outcome=outcome)
        assert decide_verdict(other, {"fewer_pairs": 0.1}) == outcome
        assert read_reasons(outcome) == []


def test_a_share_is_of_the_difference_per_question_dev_80() -> None:
    named = ("fewer_pairs", "ncs", "half", "dice")

    def share(metric: Metric, towards: float, cell: Cell) -> float:
        step = (*named, metric, 30, 26, towards, towards - 3, towards + 3, 40)
        return float(beside([step], [cell])["share"][0])

    lower = cell(-10, -15, -5, "answered_1")  # of 20 questions, the step of 40
    assert share("answered_1", 4, lower) == pytest.approx((4 / 40) / (10 / 20))
    higher = replace(lower, difference=Difference(10, Interval(5, 15)))
    assert share("answered_1", 4, higher) == pytest.approx(-0.2)
    assert share("mrr", 0.1, cell(-0.4, -0.5, -0.3)) == pytest.approx(0.25)


def test_a_reason_explains_only_with_a_sure_effect_of_the_right_sign_dev_80() -> None:
    ours_is_low, ours_is_high = cell(-0.2, -0.3, -0.1), cell(0.2, 0.1, 0.3)
    assert explains(effect(0.01, 0.1), ours_is_low) == (True, False)
    assert explains(effect(0.01, 0.1), ours_is_high) == (False, True)
    assert explains(effect(-0.1, -0.01), ours_is_high) == (True, False)
    for unsure in (effect(0.0, 0.1), effect(-0.1, 0.1), effect(-0.1, 0.0)):
        for one in (ours_is_low, ours_is_high):
            assert explains(unsure, one) == (False, False)


def explains(step: Step, seen: Cell) -> tuple[bool, bool]:
    """Whether a step explains a cell, and whether it contradicts it."""
    (row,) = beside([step], [seen]).itertuples()
    return row.explains, row.contradicts


@given(*[st.floats(-1, 1)] * 5, st.sampled_from([None, "equivalent", "inconclusive"]))
def test_no_reason_of_the_wrong_sign_ever_explains_dev_80(
    value: float, one: float, other: float, first: float, second: float, outcome: Outcome | None
) -> None:
    seen = cell(value, min(one, other), max(one, other), outcome=outcome)
    low, high = min(first, second), max(first, second)
    explained, contradicted = explains(effect(low, high), seen)
    if explained:
        assert seen.differs
        assert not contradicted
        assert (low + high) / 2 * -value >= 0
        assert not low <= 0 <= high


@settings(max_examples=40)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=20), st.data())
def test_better_ranks_never_lower_a_difference(ours: list[int], data: st.DataObject) -> None:
    theirs = data.draw(st.lists(st.integers(0, 60), min_size=len(ours), max_size=len(ours)))
    better = [data.draw(st.integers(1, rank)) if rank else 0 for rank in ours]
    worse, improved = compare(ours, theirs), compare(better, theirs)
    for metric in METRICS:
        assert improved[metric].difference.value >= worse[metric].difference.value - 1e-12
        assert improved[metric].difference.interval.low >= (
            worse[metric].difference.interval.low - 1e-12
        )


def test_only_questions_of_the_sheet_count_dev_80() -> None:
    cells = compare([1, 1, 0, 7], [0, 2], joined=[0, 3])
    assert cells["answered_10"].published == 1
    assert cells["answered_10"].difference.value == 1
    assert cells["mrr"].difference.value == pytest.approx((1 + 1 / 7 - 1 / 2) / 2)
    assert compare([1, 1], [], joined=[]) == {}


def test_effects_go_towards_the_published_setting_dev_80(tmp_path: Path) -> None:
    whole, half = np.array([1] * 20, np.int32), np.array([0] * 20, np.int32)
    listed = [
        Ablation("measure_dice", "ncs", ("ncs",), "dice", whole[None], half[None]),
        Ablation(
            *("fewer_pairs", "ncs", ("1", "2"), "jaccard"),
            first_ranks=whole[None],
            ablated_ranks=np.stack([half, whole]),
        ),
    ]
    effects = measure_effects(listed, [], Sampling(0, 200))
    first = effects[effects["measure"] == "answered_1"]
    assert first["reason"].tolist() == ["fewer_pairs", "measure_dice"]
    # Runs count alike: one half has lost all, the other nothing.
    assert first["effect"].tolist() == [10, -20]
    assert first[["value", "baseline_value"]].to_numpy().tolist() == [[20, 10], [20, 0]]
    rows = write(tmp_path, effects, {})
    assert {row["share"] for row in rows} == {""}
    assert [row["runs"] for row in rows[::4]] == ["1 2", "ncs"]


def write(
    folder: Path, effects: pd.DataFrame, reasons: dict[tuple[str, Metric], dict[str, float]]
) -> list[Row]:
    write_ablations(folder / "ablations.csv", "tiny", effects, reasons)
    return read_rows(folder / "ablations.csv", ABLATION_COLUMNS)


def test_every_effect_has_a_line_also_where_it_explains_nothing_dev_80(tmp_path: Path) -> None:
    effects = [
        effect(*bounds, metric=m) for bounds, m in product([(0.1, 0.2), (-0.2, 0.1)], METRICS)
    ]
    seen = [cell(-0.2, -0.3, -0.1)]
    shown = beside(effects, seen)
    reasons = find_reasons(shown, seen, count(effects, seen))
    rows = write(tmp_path, shown, reasons)
    assert len(rows) == 8
    assert [row["measure"] for row in rows if row["explains"] == "yes"] == ["mrr"] * 2
    assert explain(effects, seen) == {("ncs", "mrr"): ["fewer_pairs"]}
    assert count(effects, seen) == {"fewer_pairs": Directions(towards=1)}
    assert {row["explains"] for row in write(tmp_path, shown, {})} == {"no"}
    assert {row["measure"] for row in rows if row["share"]} == {"mrr"}


def test_a_measure_that_points_the_wrong_way_anywhere_explains_nothing_dev_80() -> None:
    higher, lower = cell(0.2, 0.1, 0.3), cell(-4.0, -6.0, -2.0, "answered_1")
    effects = [
        effect(-0.2, -0.1, "measure_dice"),
        effect(-3.0, -1.0, "measure_dice", "answered_1"),
        effect(-3.0, -1.0, "fewer_pairs", "answered_1"),
        effect(-0.2, -0.1, "fewer_pairs"),
    ]
    assert count(effects, [higher, lower]) == dict.fromkeys(
        ("measure_dice", "fewer_pairs"), Directions(towards=1, away=1)
    )
    # More pairs may help one figure and harm another; the judge was one and the same.
    assert explain(effects, [higher, lower]) == {
        ("ncs", "mrr"): ["fewer_pairs"], ("ncs", "answered_1"): []
    }  # fmt: skip
    alone = {("ncs", "mrr"): ["measure_dice", "fewer_pairs"]}
    assert explain(effects, [higher]) == alone


@pytest.mark.parametrize(
    "agreeing",
    [cell(0, -1, 1, "answered_1"), cell(3, 1, 5, "answered_1", outcome="equivalent")],
)
def test_a_measure_that_spoils_a_cell_that_agreed_explains_nothing_dev_80(agreeing: Cell) -> None:
    higher = cell(0.2, 0.1, 0.3)
    effects = [effect(-0.2, -0.1, "measure_dice"), effect(-0.2, -0.1)]
    within, beyond = cell(-1, -3, 1, "answered_1"), cell(-4, -6, -2, "answered_1")
    cells = [higher, agreeing]
    # The cell that differed may differ under the other judge as well.
    for judged, lost, named in (
        ([higher, within], 0, ["measure_dice", "fewer_pairs"]),
        ([higher, beyond], 1, ["fewer_pairs"]),
    ):
        anew = {"measure_dice": judged}
        found = count(effects, cells, anew)
        assert found["measure_dice"] == Directions(towards=1, lost=lost)
        assert found["fewer_pairs"] == Directions(towards=1)
        assert explain(effects, cells, anew)["ncs", "mrr"] == named


def test_cells_are_judged_anew_by_each_other_measure_dev_80() -> None:
    ours, theirs, strict = [1] * 20, [1] * 20, [0] * 20
    published = PublishedTable((system("NCS", theirs),), np.arange(20))
    ranks = np.array([ours], np.int32)
    listed = [
        Ablation("measure_dice", "ncs", ("ncs",), "dice", ranks, np.array([strict], np.int32)),
        Ablation("fewer_pairs", "ncs", ("half",), "jaccard", ranks, np.array([strict], np.int32)),
    ]
    results = [model("ncs", ours, "NCS")]
    anew = judge_cells_anew(listed, results, published, Sampling(1, 200))
    assert list(anew) == ["measure_dice"]
    assert [each.difference.value for each in anew["measure_dice"]] == pytest.approx(
        [-20, -20, -20, -1]
    )
    cells = compare_cells(results, published, Sampling(1, 200))
    assert all(each.agrees for each in cells)
    assert count([], cells, anew) == {"measure_dice": Directions(lost=4)}


def test_few_questions_have_no_verdict_and_no_reason_dev_80() -> None:
    few = compare([0] * (MIN_QUESTIONS - 1), [1] * (MIN_QUESTIONS - 1))
    enough = compare([0] * MIN_QUESTIONS, [1] * MIN_QUESTIONS)
    assert {decide_verdict(each, {"fewer_pairs": 0.1}) for each in few.values()} == {""}
    assert not any(each.differs or each.agrees for each in few.values())
    assert outcomes(enough) == {"different: unexplained"}
    step = effect(0.1, 0.2)
    assert explain([step], [few["mrr"]]) == {("ncs", "mrr"): []}
    assert explain([step], [enough["mrr"]]) == {("ncs", "mrr"): ["fewer_pairs"]}


def test_a_model_beside_a_system_has_no_say_in_reasons_dev_80() -> None:
    published = PublishedTable((system("NCS", [1] * 21),), np.arange(21))
    other = replace(model("ncs", [0] * 21, ""), beside="NCS")
    cells = compare_cells([other], published, Sampling(1, 200))
    assert not any(each.test or each.differs or each.agrees for each in cells)
    step = effect(0.1, 0.2)
    assert explain([step], cells) == {("ncs", metric): [] for metric in METRICS}
    assert count([step], cells, {"measure_dice": cells}) == {
        "fewer_pairs": Directions(), "measure_dice": Directions(),
    }  # fmt: skip
