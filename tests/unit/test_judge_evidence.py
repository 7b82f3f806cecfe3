"""Lines of evidence on the judge, and the rule that compares judges."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, read_rows
from ncsbench.evaluation.intervals import Interval, draw_resamples
from ncsbench.evaluation.judged_rankings import JudgedRanking
from ncsbench.judge_study.answer_profiles import (
    answered_by_tercile,
    cut_terciles,
    measure_distance,
)
from ncsbench.judge_study.evidence_lines import (
    LINES,
    Evidence,
    Line,
    compare_judges,
    count_draws,
    distance_from,
    share_of_questions,
    share_over_questions,
)
from ncsbench.judge_study.judge_evidence import (
    COLUMNS,
    JudgeEvidence,
    build_judge_evidence,
    write_judge_evidence,
)
from ncsbench.judge_study.slot_order import order_corpus_slots
from ncsbench.judge_study.study_settings import EvidenceSettings


def evidence(value: float, spread: float = 0.01) -> Evidence:
    return Evidence(value, Interval(value - spread, value + spread))


PRESENT: dict[Line, Evidence | None] = dict.fromkeys(LINES, evidence(0.5))
BETTER: dict[Line, float] = {
    "best_kept": 0.6, "examples": 0.6, "slots": 0.6,
    "candidates": 0.4, "profiles": 0.4, "random": 0.4,
}  # fmt: skip


def test_four_lines_ahead_and_none_behind_beat_the_present_judge_dev_100() -> None:
    for ahead in range(len(LINES) + 1):
        judge = PRESENT | {line: evidence(BETTER[line]) for line in LINES[:ahead]}
        found = compare_judges(judge, PRESENT)
        assert found.ahead == LINES[:ahead]
        assert found.beats == (ahead >= 4)


def test_one_worse_figure_is_enough_to_stay_dev_100() -> None:
    better = {line: evidence(value) for line, value in BETTER.items()}
    for line, value in BETTER.items():
        # Hardly worse, and with intervals that overlap.
        found = compare_judges(better | {line: evidence(0.5 + (0.5 - value) / 50)}, PRESENT)
        assert found.behind == (line,)
        assert not found.beats


def test_intervals_that_touch_are_not_apart_dev_100() -> None:
    present = {**PRESENT, "slots": Evidence(0.5, Interval(0.4, 0.625))}
    touching = {**PRESENT, "slots": Evidence(0.7, Interval(0.625, 0.8))}
    assert compare_judges(touching, present).ahead == ()
    apart = {**PRESENT, "slots": Evidence(0.7, Interval(0.63, 0.8))}
    assert compare_judges(apart, present).ahead == ("slots",)


def test_a_line_without_a_figure_says_nothing_dev_100() -> None:
    better: dict[Line, Evidence | None] = {line: evidence(value) for line, value in BETTER.items()}
    better |= {"best_kept": None, "examples": None, "slots": None}
    assert compare_judges(better, PRESENT).ahead == ("candidates", "profiles", "random")
    assert not compare_judges(better, PRESENT).beats


def test_a_distance_carries_the_interval_of_the_share() -> None:
    share = Evidence(0.4, Interval(0.3, 0.5))
    assert distance_from(0.25, share) == Evidence(
        pytest.approx(0.15), Interval(pytest.approx(0.05), pytest.approx(0.25))
    )
    assert distance_from(0.35, share) == Evidence(
        pytest.approx(0.05), Interval(0.0, pytest.approx(0.15))
    )
    assert distance_from(0.5, None) is None
    assert share_of_questions(0, 0) is None


def test_a_share_is_resampled_by_question() -> None:
    weights = count_draws(draw_resamples(4, np.random.default_rng(1), resamples=400))
    assert weights.sum(axis=1).tolist() == [4] * 400
    parts, wholes = np.array([2.0, 0.0, 0.0, 0.0]), np.array([2.0, 0.0, 1.0, 1.0])
    found = share_over_questions(parts, wholes, weights)
    assert found is not None
    assert (found.value, found.interval) == (0.5, Interval(0, 1))
    assert share_over_questions(parts, np.zeros(4), weights) is None


def test_terciles_are_of_the_questions_that_count() -> None:
    counted = np.array([True, True, False, True, True, True, True])
    members = cut_terciles(np.array([50, 10, 1, 10, 30, 40, 20]), counted)
    assert members.sum(axis=0).tolist() == [2, 2, 2]
    assert members[2].tolist() == [0, 0, 0]
    assert members[:, 0].tolist() == [0, 1, 0, 1, 0, 0, 0]


def test_profiles_are_compared_by_their_shares() -> None:
    members = np.repeat(np.eye(3), 2, axis=0)
    ours = answered_by_tercile(np.array([1, 10, 1, 0, 0, 11], np.int32), members)
    assert ours.sum(axis=0).tolist() == [2, 1, 0]
    theirs = answered_by_tercile(np.array([1, 2, 3, 4, 5, 6], np.int32), members)
    weights = np.ones((5, 6), np.float32)
    found = measure_distance(np.stack([ours]), np.stack([theirs]), weights)
    assert found is not None
    assert found.value == pytest.approx(1 / 3)
    assert (found.interval.low, found.interval.high) == pytest.approx((1 / 3, 1 / 3))
    nothing = measure_distance(np.stack([ours, ours * 0]), np.stack([theirs, theirs]), weights)
    assert nothing is not None
    assert nothing.value == pytest.approx((1 / 3 + 1) / 2)


def ranking(name: str, values: list[list[float]]) -> JudgedRanking:
    similarities = np.array(values)
    ids = np.where(similarities >= 0, np.arange(similarities.shape[1]), -1)
    return JudgedRanking(
        name, ids, np.repeat(np.maximum(similarities, 0)[None], len(SIMILARITIES), axis=0)
    )


SETTINGS = EvidenceSettings(
    dataset="tiny", models={"ncs": "NCS", "bm25": ""}, thresholds=(0.25, 0.5), judge="dice",
    threshold=0.25, depth=50, seed=1, bootstrap_samples=100,
)  # fmt: skip


@pytest.fixture
def data() -> JudgeEvidence:
    examples = ranking("examples", [[0.9, 0.4], [0.3, -1], [-1, -1]])
    best = (np.array([0, 1]), np.array([0.9, 0.3]))
    return JudgeEvidence(
        subjects={"examples": examples, "pairs_any": ranking("pairs_any", [[0.3, 0.1]] * 3)},
        runs=[
            ranking("ncs", [[0.1, 0.9], [0.9, 0.1], [0.3, 0.0]]),
            ranking("bm25", [[0.9, 0.9], [0.1, 0.1], [0.1, 0.1]]),
        ],
        in_best=dict.fromkeys(SIMILARITIES, best),
        known_examples=np.array([2, 1, 0]),
        slots=[
            ("corpus", order_corpus_slots(
                examples, answer_sizes=np.array([9, 9, 9]), lines=np.array([1, 2], np.int32)
            )),
        ],
        candidates=dict.fromkeys(SIMILARITIES, np.array([0.3, 0.6])),
        asked=4,
        members=np.eye(3),
        published={"NCS": np.array([1, 1, 0], np.int32)},
        weights=np.ones((7, 3), np.float32),
    )  # fmt: skip


def cells(rows: list[Row], judge: str, threshold: str) -> Row:
    return next(row for row in rows if (row["judge"], row["threshold"]) == (judge, threshold))


def test_the_lines_of_a_small_study_by_hand(data: JudgeEvidence, tmp_path: Path) -> None:
    rows = build_judge_evidence(data, SETTINGS)
    write_judge_evidence(tmp_path / "evidence.csv", rows)
    assert read_rows(tmp_path / "evidence.csv", COLUMNS) == rows
    assert len(rows) == 2 * len(SIMILARITIES)
    row = cells(rows, "dice", "0.25")
    assert (row["present"], row["best_kept"], row["best_kept_count"]) == ("yes", "1.000000", "2")
    assert (row["examples"], row["examples_count"], row["examples_known"]) == (
        "0.666667", "2", "3",
    )  # fmt: skip
    assert (row["slots"], row["slots_of"], row["shortest_agreeing"]) == ("1.000000", "corpus", "0")
    assert row["fewest_lines_agreeing"] == "1"
    assert (row["candidates_matched"], row["candidates"]) == ("2", "0.241000")
    assert (row["terciles"], row["published_terciles"]) == ("NCS 1/1/1", "NCS 1/1/0")
    assert (row["profiles"], row["random"]) == ("0.333333", "0.500000")
    assert (row["kendall_tau"], row["lines_ahead"], row["lines_behind"]) == ("1.000000", "", "")
    strict = cells(rows, "jaccard", "0.5")
    assert (strict["best_kept"], strict["random"], strict["present"]) == (
        "0.500000", "0.000000", "no",
    )  # fmt: skip
    assert strict["lines_ahead"].split()[-1] == "random"
    assert strict["lines_behind"].split() == ["best_kept", "examples"]
    assert strict["beats_present"] == "no"


def test_the_reference_stands_before_the_corpus(data: JudgeEvidence) -> None:
    reference = {
        name: replace(order, agreeing=order.opposed, opposed=order.agreeing)
        for name, order in data.slots[0][1].items()
        if name != "set_cosine"
    }
    rows = build_judge_evidence(
        replace(data, slots=[("reference", reference), *data.slots]), SETTINGS
    )
    assert cells(rows, "dice", "0.25")["slots_opposed"] == "1"
    other = cells(rows, "set_cosine", "0.25")
    # Better than Dice by the reference, but equal on the examples that it was counted on.
    assert (other["slots_of"], other["slots"], other["lines_ahead"]) == ("corpus", "1.000000", "")


def test_what_a_dataset_lacks_is_empty(data: JudgeEvidence) -> None:
    bare = replace(
        data, subjects={}, slots=[], candidates=None, known_examples=np.zeros(3, np.int64),
        published={},
    )  # fmt: skip
    row = cells(build_judge_evidence(bare, SETTINGS), "dice", "0.25")
    assert [row[line] for line in LINES] == [""] * len(LINES)
    assert row["beats_present"] == "no"
