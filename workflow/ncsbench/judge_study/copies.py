"""``copies.csv``: how many results are copies, to separate retrieval from copying.

A result is near-identical to the answer if the lenient judge is above ``NEAR``: the pruned method
is then almost exactly the answer. Two results are near-identical if this holds with either of them
as the query.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ncsbench.artifacts.csv_tables import name_cells, write_rows
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    first_hits,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.judge.judge_index import JudgeIndex
from ncsbench.judge_study.method_pairs import MethodComparison
from ncsbench.judge_study.study_settings import NEAR, StudySettings

CUTS = (1, 5, 10, 50)
TOP = 10
"""Results of a list that are compared with each other."""

_AT_CUT = (
    "results", "accepted", "near_answer", "answered", "answered_by_near", "answered_without_near"
)  # fmt: skip

COLUMNS = (
    *("dataset", "model", "judge", "threshold", "near_threshold", "questions"),
    *(f"{figure}_{cut}" for cut in CUTS for figure in _AT_CUT),
    f"near_earlier_{TOP}",
    f"equal_earlier_{TOP}",
)
"""Columns, in order; ``_k``: among the first k results of all questions.

``results``: their number; ``accepted``: above the threshold; ``near_answer``: near-identical to the
answer (all accepted, unless the threshold is above that of near-identity). ``answered``: questions
with an accepted result; ``answered_by_near``: whose first accepted result is a near copy
of the answer; ``answered_without_near``: answered if near copies of the answer do not count (the
others keep their ranks). ``near_earlier_10``: results near-identical to an earlier one of the first
ten, of which ``equal_earlier_10`` have exactly the features of an earlier one.
"""


def write_copies(
    settings: StudySettings,
    questions: Path,
    judgements: Path,
    results: Path,
    index: JudgeIndex,
    output: Path,
) -> None:
    """Write how many results of every model are near-identical to the answer and to each other.

    Args:
        settings: dataset, models, depth, lenient judge and threshold.
        questions: questions as Parquet.
        judgements: folder of the judgements.
        results: results folder of the dataset, with its runs.
        index: folder of the judge's index of the corpus.
        output: CSV file to write.
    """
    asked = read_study_questions(questions).query_ids
    judge = (settings.judge, settings.threshold)
    comparison = MethodComparison(index, settings.judge, NEAR)
    rankings = read_judged_runs(
        settings.models, query_ids=asked, depth=max(CUTS), results=results, judgements=judgements
    )
    by = (settings.judge, f"{settings.threshold:.10g}", f"{NEAR:g}", len(asked))
    rows = [
        (
            *(settings.dataset, ranking.name, *by),
            *count_near_answers(ranking, *judge).values(),
            *count_repeated(ranking, comparison),
        )
        for ranking in rankings
    ]
    write_rows(output, COLUMNS, name_cells(COLUMNS, rows))


def count_near_answers(ranking: JudgedRanking, similarity: str, threshold: float) -> dict[str, int]:
    """Cells of the results that are near-identical to the answer, for every cut."""
    accepted, near = ranking.accepted(similarity, threshold), ranking.accepted(similarity, NEAR)
    firsts = first_hits(accepted)
    positions = np.maximum(firsts - 1, 0)
    first_is_near = np.take_along_axis(near, positions[:, None], axis=1)[:, 0] & (firsts > 0)
    cells: dict[str, int] = {}
    for cut in CUTS:
        answered = (firsts > 0) & (firsts <= cut)
        counts = (
            ranking.ids[:, :cut] >= 0,
            accepted[:, :cut],
            near[:, :cut],
            answered,
            answered & first_is_near,
            (accepted & ~near)[:, :cut].any(axis=1),
        )
        names = (f"{figure}_{cut}" for figure in _AT_CUT)
        cells |= {
            name: int(np.count_nonzero(count)) for name, count in zip(names, counts, strict=True)
        }
    return cells


def count_repeated(ranking: JudgedRanking, comparison: MethodComparison) -> tuple[int, int]:
    """Results near-identical to an earlier one of the top of their list, and equal ones of them."""
    near = equal = 0
    for results in ranking.ids[:, :TOP].tolist():
        ids = [id_ for id_ in results if id_ >= 0]
        for position, id_ in enumerate(ids):
            if any(comparison.are_equal(earlier, id_) for earlier in ids[:position]):
                equal += 1
                near += 1
            elif any(comparison.are_near_identical(earlier, id_) for earlier in ids[:position]):
                near += 1
    return near, equal
