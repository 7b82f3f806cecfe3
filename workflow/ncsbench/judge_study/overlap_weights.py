"""``judge_weights.csv``: how the weights of the charged overlap were found.

The similarity is I / ((1 - w) |Q| + w |M|), with a growing weight w of the method. For each weight
and half of the questions the table has the range of thresholds that meet the criterion of
``judge_choice``. I, |Q| and |M| are not stored, but follow from containment and Dice: the inverse
of the former is |Q| / I, of the latter (|Q| + |M|) / 2 I.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.evaluation.judged_rankings import JudgedRanking
from ncsbench.judge_study.acceptance import JudgeStudy
from ncsbench.judge_study.threshold_choice import CRITERIA, describe_ranges, list_range_columns

WEIGHTS = (*(number / 40 for number in range(1, 13)), 0.4, 0.5)
"""Weights of the method; 1/8 is the charged overlap's, 1/2 is Dice."""

COLUMNS = ("dataset", "method_weight", "criterion", *list_range_columns())
"""Columns, in order; the ranges as in ``judge_choice.COLUMNS``."""

_SLOT = SIMILARITIES.index("charged_overlap")


def build_judge_weights(study: JudgeStudy, *, dataset: str) -> list[Row]:
    """Rows of ``judge_weights.csv``, two for each weight."""
    rows = []
    for weight in WEIGHTS:
        weighted = replace(
            study,
            subjects={name: _weigh(one, weight) for name, one in study.subjects.items()},
            runs=[_weigh(one, weight) for one in study.runs],
        )
        for criterion, baselines in CRITERIA.items():
            ranges = describe_ranges(weighted, SIMILARITIES[_SLOT], baselines)
            rows.append(
                {
                    "dataset": dataset,
                    "method_weight": f"{weight:g}",
                    "criterion": criterion,
                    **ranges,
                }
            )
    return rows


def write_judge_weights(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows of ``build_judge_weights``, atomically."""
    write_rows(path, COLUMNS, rows)


def _weigh(ranking: JudgedRanking, weight: float) -> JudgedRanking:
    """The ranking with another weight in place of the charged overlap's."""
    containment = ranking.similarities[SIMILARITIES.index("containment")]
    dice = ranking.similarities[SIMILARITIES.index("dice")]
    some = containment > 0
    answer = 1 / np.where(some, containment, 1)
    method = 2 / np.where(some, dice, 1) - answer
    similarities = ranking.similarities.copy()
    similarities[_SLOT] = np.where(some, 1 / ((1 - weight) * answer + weight * method), 0)
    return replace(ranking, similarities=similarities)
