"""``judge_weights.csv``: how the weights of the charged overlap were found.

For I / ((1 - w) |Q| + w |M|) with growing weight w of the method, the thresholds between which the
bar of ``judge_choice`` is met on each half. I, |Q| and |M| are not stored, but containment and Dice
are, and give the measure: the inverse of the one is |Q| / I, of the other (|Q| + |M|) / 2 I.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ncsbench.records import MEASURES
from ncsbench.tables.csv_rows import Row, write_rows
from ncsbench.tables.judge_choice import BARS, describe_ranges, list_bounds
from ncsbench.tables.judge_study import JudgeStudy
from ncsbench.tables.judged_rankings import JudgedRanking

WEIGHTS = (*(number / 40 for number in range(1, 13)), 0.4, 0.5)
"""Weights of the method; 1/8 is the charged overlap's, 1/2 is Dice."""

COLUMNS = ("dataset", "method_weight", "bar", *list_bounds())
"""Columns, in order; the bounds as in ``judge_choice.COLUMNS``."""

_SLOT = MEASURES.index("charged_overlap")


def build_judge_weights(study: JudgeStudy, *, dataset: str) -> list[Row]:
    """Rows of ``judge_weights.csv``, two for each weight."""
    rows = []
    for weight in WEIGHTS:
        weighted = replace(
            study,
            subjects={name: _weigh(one, weight) for name, one in study.subjects.items()},
            runs=[_weigh(one, weight) for one in study.runs],
        )
        for bar, controls in BARS.items():
            bounds = describe_ranges(weighted, MEASURES[_SLOT], controls)
            rows.append({"dataset": dataset, "method_weight": f"{weight:g}", "bar": bar, **bounds})
    return rows


def write_judge_weights(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows of ``build_judge_weights``, atomically."""
    write_rows(path, COLUMNS, rows)


def _weigh(ranking: JudgedRanking, weight: float) -> JudgedRanking:
    """The ranking with another weight in place of the charged overlap's."""
    containment = ranking.similarities[MEASURES.index("containment")]
    dice = ranking.similarities[MEASURES.index("dice")]
    some = containment > 0
    answer = 1 / np.where(some, containment, 1)
    method = 2 / np.where(some, dice, 1) - answer
    similarities = ranking.similarities.copy()
    similarities[_SLOT] = np.where(some, 1 / ((1 - weight) * answer + weight * method), 0)
    return replace(ranking, similarities=similarities)
