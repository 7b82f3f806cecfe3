"""``judge_choice.csv``: the threshold of every measure that half of the questions chooses.

The bar: the best published example of at least 97 % of the questions is kept, and no control has an
MRR above 0.05. It is set with the controls of length alone, and with those of shortness as well. On
the choosing half the thresholds of a grid that meet the bar are a range, since both figures fall
as the threshold rises; its middle is chosen (rounded down to the grid). Where the range is empty
there is no choice, and the row shows the highest threshold that keeps the examples instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ncsbench.evaluation.metrics import mean_reciprocal_rank
from ncsbench.judge.study_pairs import EXAMPLES
from ncsbench.records import MEASURES
from ncsbench.tables.csv_rows import Row, write_rows
from ncsbench.tables.judge_study import JudgeStudy, format_share
from ncsbench.tables.judged_rankings import JudgedRanking, Mask

KEPT = 0.97
"""Share of questions whose best example must be kept."""

CONTROL_MRR = 0.05
"""The highest MRR a control may have."""

LENGTH_CONTROLS = ("random_long", "longest_first", "same_longest")
SHORTNESS_CONTROLS = ("random", "random_short", "same_size")
OTHER_CONTROLS = ("larger",)
"""Shown, but not part of the bar."""

BARS = {
    "length": LENGTH_CONTROLS,
    "length and shortness": (*LENGTH_CONTROLS, *SHORTNESS_CONTROLS),
}
CONTROLS = (*LENGTH_CONTROLS, *SHORTNESS_CONTROLS, *OTHER_CONTROLS)

GRID = tuple(number / 200 for number in range(1, 200))

_HALVES = ("choosing", "reporting")
_FIGURES = ("best_kept", "best_examples", "best_kept_share", *(f"{name}_mrr" for name in CONTROLS))


def list_bounds() -> tuple[str, ...]:
    """Columns of the ranges of thresholds that meet the bar."""
    return tuple(f"{half}_{bound}" for half in _HALVES for bound in ("lowest", "highest"))


COLUMNS = (
    *("dataset", "measure", "bar"),
    *list_bounds(),
    *("chosen", "threshold"),
    *(f"{half}_{figure}" for half in _HALVES for figure in _FIGURES),
    "reporting_meets_bar",
)
"""Columns, in order.

``<half>_lowest``: the lowest threshold at which no control of the bar is above its limit on that
half; ``<half>_highest``: the highest that keeps enough examples. ``chosen``: the middle of the
choosing half's, or ``none``. ``threshold``: what the figures that follow are for.
"""


def build_judge_choice(study: JudgeStudy, *, dataset: str) -> list[Row]:
    """Rows of ``judge_choice.csv``, two for each measure."""
    return [
        _choose(study, dataset, measure, bar, controls)
        for measure in MEASURES
        for bar, controls in BARS.items()
    ]


def describe_ranges(study: JudgeStudy, measure: str, controls: Sequence[str]) -> Row:
    """Cells of ``list_bounds``: the ends of the thresholds that meet a bar, on each half."""
    cells: Row = {}
    for half in _HALVES:
        keeping, controlled = _find_range(study, measure, half, controls)
        cells[f"{half}_lowest"] = f"{controlled[0]:g}" if controlled else ""
        cells[f"{half}_highest"] = f"{keeping[-1]:g}" if keeping else ""
    return cells


def write_judge_choice(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows of ``build_judge_choice``, atomically."""
    write_rows(path, COLUMNS, rows)


def _choose(
    study: JudgeStudy, dataset: str, measure: str, bar: str, controls: Sequence[str]
) -> Row:
    row = dict.fromkeys(COLUMNS, "")
    row |= {"dataset": dataset, "measure": measure, "bar": bar, "chosen": "none"}
    row |= describe_ranges(study, measure, controls)
    keeping, controlled = _find_range(study, measure, "choosing", controls)
    if not keeping:
        return row
    threshold = keeping[-1]
    feasible = [t for t in keeping if t in controlled]
    if feasible:
        threshold = feasible[(len(feasible) - 1) // 2]
        row["chosen"] = f"{threshold:g}"
    row["threshold"] = f"{threshold:g}"
    for half in _HALVES:
        row |= _describe_half(study, measure, threshold, half)
    reporting = study.questions.halves["reporting"]
    met = _keeps(study, measure, threshold, reporting) and _is_controlled(
        study, measure, threshold, reporting, controls
    )
    row["reporting_meets_bar"] = "yes" if met else "no"
    return row


def _find_range(
    study: JudgeStudy, measure: str, half: str, controls: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Thresholds that keep enough examples, and those that hold the controls down."""
    mask = study.questions.halves[half]
    keeping = [t for t in GRID if _keeps(study, measure, t, mask)]
    return keeping, [t for t in GRID if _is_controlled(study, measure, t, mask, controls)]


def _describe_half(study: JudgeStudy, measure: str, threshold: float, half: str) -> Row:
    mask = study.questions.halves[half]
    kept, shown = _count_kept(study, measure, threshold, mask)
    cells = {
        f"{half}_best_kept": str(kept),
        f"{half}_best_examples": str(shown),
        f"{half}_best_kept_share": format_share(kept, shown),
    }
    for name in CONTROLS:
        if (ranking := _find_ranking(study, name)) is not None:
            mrr = _control_mrr(study, ranking, measure, threshold, mask)
            cells[f"{half}_{name}_mrr"] = f"{mrr:.6f}"
    return cells


def _count_kept(study: JudgeStudy, measure: str, threshold: float, mask: Mask) -> tuple[int, int]:
    """Questions whose best example is accepted, and those that have one."""
    if EXAMPLES not in study.subjects:
        return 0, 0
    examples = study.subjects[EXAMPLES]
    shown = mask & (examples.ids >= 0).any(axis=1)
    kept = examples.first_ranks(measure, threshold)[shown] > 0
    return int(np.count_nonzero(kept)), int(np.count_nonzero(shown))


def _keeps(study: JudgeStudy, measure: str, threshold: float, mask: Mask) -> bool:
    kept, shown = _count_kept(study, measure, threshold, mask)
    return shown > 0 and kept >= KEPT * shown


def _is_controlled(
    study: JudgeStudy, measure: str, threshold: float, mask: Mask, controls: Sequence[str]
) -> bool:
    rankings = [_find_ranking(study, name) for name in controls]
    return all(
        ranking is None or _control_mrr(study, ranking, measure, threshold, mask) <= CONTROL_MRR
        for ranking in rankings
    )


def _control_mrr(
    study: JudgeStudy, ranking: JudgedRanking, measure: str, threshold: float, mask: Mask
) -> float:
    return mean_reciprocal_rank(ranking.first_ranks(measure, threshold)[mask], study.depth)


def _find_ranking(study: JudgeStudy, name: str) -> JudgedRanking | None:
    return next((ranking for ranking in study.rankings if ranking.name == name), None)
