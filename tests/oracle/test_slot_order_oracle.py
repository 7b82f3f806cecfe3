"""Order of the published examples and profiles of the published ranks, counted elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ncsbench.evaluation.score_sheet import join_score_sheet, number_occurrences, read_score_sheet
from ncsbench.judge.answer_features import read_answers
from ncsbench.judge_study.answer_profiles import answered_by_tercile, cut_terciles
from ncsbench.judge_study.slot_order import SHORTEST, order_reference_slots

pytestmark = pytest.mark.shared


def test_pairs_of_slots_in_the_order_of_the_reference(shared: Path) -> None:
    questions = json.loads((shared / "data/ncsed/questions-dev.json").read_text())
    links = [(question["stackoverflow_id"], question["examples_url"]) for question in questions]
    orders = order_reference_slots(shared / "data/aroma/example_scores_dev.csv", links)
    counts = {name: (o.agreeing.sum(), o.opposed.sum()) for name, o in orders.items()}
    assert counts[SHORTEST] == (145, 70)
    assert counts["dice"] == (148, 79)
    assert counts["charged_overlap"] == (147, 80)
    assert counts["pruned_jaccard_leaf"] == (113, 85)
    assert counts["pruned_jaccard_refeaturised"] == (93, 76)
    assert counts["containment"] == (79, 78)


def test_published_profiles(root: Path, shared: Path) -> None:
    questions = json.loads((shared / "data/ncsed/questions-dev.json").read_text())
    sheet = read_score_sheet(root / "config/published/score_sheet.csv")
    ids = [question["stackoverflow_id"] for question in questions]
    keys = list(zip(ids, number_occurrences(ids), strict=True))
    positions = join_score_sheet(sheet, keys)
    answers = read_answers(dict(enumerate(question["answer"] for question in questions)))
    sizes = np.array([answers[place].size for place in range(len(questions))], np.int64)
    members = cut_terciles(sizes, (positions >= 0) & (sizes > 0))
    profiles = {
        system: answered_by_tercile(sheet.first_ranks[positions, number], members).sum(axis=0)
        for number, system in enumerate(sheet.models)
    }
    # Counts made elsewhere are 26/21/16, 31/33/50 and 47/32/43, with other ties at the borders.
    assert {system: tuple(profile.tolist()) for system, profile in profiles.items()} == {
        "NCS": (25, 19, 19),
        "NCS_postrank": (30, 33, 51),
        "UNIF_android": (23, 18, 32),
        "UNIF_stackoverflow": (46, 33, 43),
    }
