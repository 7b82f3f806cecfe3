"""The rule for the judge of the first column, line by line (docs/judge-rule.md)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.evaluation.significance import draw_signs
from ncsbench.judge_study.judge_rule import (
    LINES,
    JudgedByOne,
    build_judge_rule,
    choose_judge,
)

QUESTIONS = 60
GENERATOR = np.random.default_rng(5)
NCS = GENERATOR.integers(0, 30, QUESTIONS).astype(np.int32)
POST_RANKED = np.maximum(NCS // 3, 1).astype(np.int32)
PUBLISHED = {"NCS": NCS, "NCS_postrank": POST_RANKED}
ORDERED = np.tile([0.9, 0.7, 0.5], (QUESTIONS, 1))


def judged(**changes: Any) -> JudgedByOne:
    values: dict[str, Any] = {
        "similarity": "dice",
        "threshold": 0.25,
        "first_ranks": {"ncs": NCS, "ncs_postrank": POST_RANKED},
        "chance": [0.1, 0.0],
        "examples": ORDERED,
    }
    return JudgedByOne(**values | changes)


def build(**judges: JudgedByOne) -> dict[tuple[str, str], dict[str, str]]:
    rows = build_judge_rule(
        judges,
        published=PUBLISHED,
        draws=draw_resamples(QUESTIONS, np.random.default_rng(1), resamples=200),
        signs=draw_signs(QUESTIONS, np.random.default_rng(1), samples=2000),
        depth=50,
    )
    return {(row["judge"], row["line"]): row for row in rows}


def test_the_published_ranks_themselves_fit_every_line_dev_100() -> None:
    found = build(lenient=judged(), strict=judged())
    assert list(found) == list(product(("lenient", "strict"), LINES))
    assert {row["fits"] for row in found.values()} == {"yes"}
    # Of several that fit, the first one leads.
    assert found["lenient", "agreement"]["first"] == "yes"
    assert found["strict", "agreement"]["first"] == "no"
    assert found["lenient", "agreement"]["value"] == "1.000000"


def test_each_line_is_missed_by_what_it_is_about_dev_100() -> None:
    nothing = np.zeros(QUESTIONS, np.int32)
    other = np.random.default_rng(9).permutation(NCS).astype(np.int32)
    both = {"ncs": NCS, "ncs_postrank": POST_RANKED}
    found = build(
        good=judged(),
        figures=judged(first_ranks=both | {"ncs_postrank": nothing}),
        gain=judged(first_ranks={"ncs": POST_RANKED, "ncs_postrank": POST_RANKED}),
        false=judged(chance=[0.6]),
        order=judged(examples=ORDERED[:, ::-1]),
        agreement=judged(
            first_ranks={"ncs": other, "ncs_postrank": np.maximum(other // 3, 1).astype(np.int32)}
        ),
    )
    missed = {
        name: {line for (of, line), row in found.items() if of == name and row["fits"] == "no"}
        for name in ("good", "figures", "gain", "false", "order", "agreement")
    }
    assert missed["good"] == set()
    assert "post_ranking_figures" in missed["figures"] and "post_ranking_gain" in missed["figures"]
    assert missed["gain"] == {"post_ranking_gain", "agreement"}
    assert missed["false"] == {"false_answers"}
    assert missed["order"] == {"example_order"}
    assert missed["agreement"] == {"agreement"}


def test_false_answers_are_a_share_of_the_answered_ones_dev_100() -> None:
    # 40 of 60 answered; a method at random is accepted for a tenth of the questions: of the
    # others, (2/3 - 1/10) / (9/10) are answered in truth, 0.37037 not.
    ranks = np.array([1] * 40 + [0] * 20, np.int32)
    found = build(
        one=judged(first_ranks={"ncs": ranks, "ncs_postrank": ranks}, chance=[0.05, 0.15])
    )
    share = (1 - (2 / 3 - 0.1) / 0.9) * 0.1 / (2 / 3)
    assert float(found["one", "false_answers"]["value"]) == pytest.approx(share, abs=1e-6)
    nobody = np.zeros(QUESTIONS, np.int32)
    found = build(one=judged(first_ranks={"ncs": nobody, "ncs_postrank": nobody}))
    assert found["one", "false_answers"]["value"] == "1.000000"


def test_equal_and_absent_examples_decide_nothing_dev_100() -> None:
    examples = np.full((QUESTIONS, 3), np.nan)
    assert build(one=judged(examples=examples))["one", "example_order"]["value"] == "0.000000"
    # Two pairs in order and one that is not; no pair; one pair that is not.
    examples[:3] = [[0.9, 0.5, 0.7], [0.5, 0.5, np.nan], [np.nan, 0.1, 0.2]]
    assert build(one=judged(examples=examples))["one", "example_order"]["value"] == "0.500000"


def test_where_no_judge_fits_all_lines_the_strict_one_leads_dev_100() -> None:
    rows = [
        {"judge": name, "fits": fits}
        for name, fits in (("lenient", "yes"), ("lenient", "no"), ("strict", "no"))
    ]
    assert choose_judge(rows, ["lenient", "strict"]) == "strict"
    assert choose_judge([*rows, {"judge": "charged", "fits": "yes"}], ["lenient", "charged"]) == (
        "charged"
    )
