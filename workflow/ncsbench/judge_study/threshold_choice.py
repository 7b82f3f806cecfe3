"""``judge_choice.csv``: a threshold for every similarity, chosen on half of the questions.

The criterion: the best published example of at least 97 % of the questions is accepted, and no
baseline has an MRR above 0.05. It is applied with the length baselines alone, and with those of
shortness as well. Both figures fall as the threshold rises, so the thresholds of a grid that meet
the criterion on the choosing half are a range; its middle is chosen (rounded down to the grid). If
the range is empty, nothing is chosen, and the row shows the highest threshold that keeps the
examples instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.evaluation.judged_rankings import JudgedRanking, Mask
from ncsbench.evaluation.metrics import mean_reciprocal_rank
from ncsbench.judge_study.acceptance import JudgeStudy, format_share
from ncsbench.judge_study.study_pairs import EXAMPLES

KEPT = 0.97
"""Share of questions whose best example must be kept."""

BASELINE_MRR = 0.05
"""The highest MRR a baseline may have."""

LENGTH_BASELINES = ("random_long", "longest_first", "same_longest")
SHORTNESS_BASELINES = ("random", "random_short", "same_size")
OTHER_BASELINES = ("larger",)
"""Shown, but not part of the criterion."""

CRITERIA = {
    "length": LENGTH_BASELINES,
    "length and shortness": (*LENGTH_BASELINES, *SHORTNESS_BASELINES),
}
STUDY_BASELINES = (*LENGTH_BASELINES, *SHORTNESS_BASELINES, *OTHER_BASELINES)

GRID = tuple(number / 200 for number in range(1, 200))

_HALVES = ("choosing", "reporting")
_FIGURES = (
    "best_kept",
    "best_examples",
    "best_kept_share",
    *(f"{name}_mrr" for name in STUDY_BASELINES),
)

COLUMNS = (
    *("dataset", "judge", "criterion"),
    *(f"{half}_{end}" for half in _HALVES for end in ("lowest", "highest")),
    *("chosen", "threshold"),
    *(f"{half}_{figure}" for half in _HALVES for figure in _FIGURES),
    "reporting_meets_criterion",
)
"""Columns, in order.

``<half>_lowest``: the lowest threshold at which no baseline of the criterion is above the limit on
that half; ``<half>_highest``: the highest that keeps enough examples. ``chosen``: the middle of the
choosing half's, or ``none``. ``threshold``: what the figures that follow are for.
"""


def build_judge_choice(study: JudgeStudy, *, dataset: str) -> list[Row]:
    """Rows of ``judge_choice.csv``, two for each similarity."""
    return [
        _choose(study, dataset, similarity, criterion, baselines)
        for similarity in SIMILARITIES
        for criterion, baselines in CRITERIA.items()
    ]


def write_judge_choice(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows of ``build_judge_choice``, atomically."""
    write_rows(path, COLUMNS, rows)


def _choose(
    study: JudgeStudy, dataset: str, similarity: str, criterion: str, baselines: Sequence[str]
) -> Row:
    row = dict.fromkeys(COLUMNS, "")
    row |= {"dataset": dataset, "judge": similarity, "criterion": criterion, "chosen": "none"}
    ranges = {half: _find_range(study, similarity, half, baselines) for half in _HALVES}
    for half, (keeping, limited) in ranges.items():
        row[f"{half}_lowest"] = f"{limited[0]:g}" if limited else ""
        row[f"{half}_highest"] = f"{keeping[-1]:g}" if keeping else ""
    keeping, limited = ranges["choosing"]
    if not keeping:
        return row
    threshold = keeping[-1]
    feasible = [t for t in keeping if t in limited]
    if feasible:
        threshold = feasible[(len(feasible) - 1) // 2]
        row["chosen"] = f"{threshold:g}"
    row["threshold"] = f"{threshold:g}"
    for half in _HALVES:
        row |= _describe_half(study, similarity, threshold, half)
    reporting = study.questions.halves["reporting"]
    met = _keeps(study, similarity, threshold, reporting) and _limits_baselines(
        study, similarity, threshold, reporting, baselines
    )
    row["reporting_meets_criterion"] = "yes" if met else "no"
    return row


def _find_range(
    study: JudgeStudy, similarity: str, half: str, baselines: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Thresholds that keep enough examples, and those that limit the baselines."""
    mask = study.questions.halves[half]
    keeping = [t for t in GRID if _keeps(study, similarity, t, mask)]
    return keeping, [t for t in GRID if _limits_baselines(study, similarity, t, mask, baselines)]


def _describe_half(study: JudgeStudy, similarity: str, threshold: float, half: str) -> Row:
    mask = study.questions.halves[half]
    kept, shown = _count_kept(study, similarity, threshold, mask)
    cells = {
        f"{half}_best_kept": str(kept),
        f"{half}_best_examples": str(shown),
        f"{half}_best_kept_share": format_share(kept, shown),
    }
    for name in STUDY_BASELINES:
        if (ranking := _find_ranking(study, name)) is not None:
            mrr = _baseline_mrr(study, ranking, similarity, threshold, mask)
            cells[f"{half}_{name}_mrr"] = f"{mrr:.6f}"
    return cells


def _count_kept(
    study: JudgeStudy, similarity: str, threshold: float, mask: Mask
) -> tuple[int, int]:
    """Questions whose best example is accepted, and those that have one."""
    if EXAMPLES not in study.subjects:
        return 0, 0
    examples = study.subjects[EXAMPLES]
    shown = mask & (examples.ids >= 0).any(axis=1)
    kept = examples.first_ranks(similarity, threshold)[shown] > 0
    return int(np.count_nonzero(kept)), int(np.count_nonzero(shown))


def _keeps(study: JudgeStudy, similarity: str, threshold: float, mask: Mask) -> bool:
    kept, shown = _count_kept(study, similarity, threshold, mask)
    return shown > 0 and kept >= KEPT * shown


def _limits_baselines(
    study: JudgeStudy, similarity: str, threshold: float, mask: Mask, baselines: Sequence[str]
) -> bool:
    rankings = [_find_ranking(study, name) for name in baselines]
    return all(
        ranking is None
        or _baseline_mrr(study, ranking, similarity, threshold, mask) <= BASELINE_MRR
        for ranking in rankings
    )


def _baseline_mrr(
    study: JudgeStudy, ranking: JudgedRanking, similarity: str, threshold: float, mask: Mask
) -> float:
    return mean_reciprocal_rank(ranking.first_ranks(similarity, threshold)[mask], study.depth)


def _find_ranking(study: JudgeStudy, name: str) -> JudgedRanking | None:
    return next((ranking for ranking in study.rankings if ranking.name == name), None)
