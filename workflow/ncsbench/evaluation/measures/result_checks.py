"""Two tables that look at results again: under every similarity, and how many are copies.

``table1_sensitivity.csv`` has the figures of Table 1 under every similarity at the threshold of
Table 1, and under the project's own judge at its own threshold. The similarities are not on one
scale, so equal thresholds are not equally strict: the figures say how much depends on the choice,
not which similarity is right.

``copies.csv`` separates retrieval from copying. A result is near-identical to the answer if the
lenient judge is above ``NEAR``: the pruned method is then almost exactly the answer. Two results
are near-identical if this holds with each of them as the query.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from pathlib import Path

import numpy as np

from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.base.files.storage import read_table
from ncsbench.code.aroma.features import FeatureSet, body_feature_ids, count_features
from ncsbench.code.aroma.similarity import score_pair
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge.judge_index import IndexBlock, JudgeIndex
from ncsbench.evaluation.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.evaluation.measures.judged_rankings import (
    JudgedRanking,
    first_hits,
    rank_ceiling,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.measures.metrics import METRICS, measure_ranks
from ncsbench.evaluation.measures.results import CEILING, Judge, format_value
from ncsbench.evaluation.statistics.evaluation_options import NEAR, StudySettings


class MethodComparison:
    """Compares methods of an index by one similarity.

    Args:
        index: index of the corpus.
        similarity: one of ``SIMILARITIES``.
        threshold: two methods are near-identical where each as the query has a similarity
            strictly above it with the other.
    """

    def __init__(self, index: JudgeIndex, similarity: str, threshold: float) -> None:
        self._blocks = list(index.blocks())
        self._firsts = [block.first_id for block in self._blocks]
        self._similarity = SIMILARITIES.index(similarity)
        self._threshold = threshold
        self.features = lru_cache(maxsize=4096)(self._read_features)

    def are_equal(self, first: int, second: int) -> bool:
        """Return True if two methods have the same features, equally often, and at least one."""
        ours, theirs = self.features(first), self.features(second)
        return (
            len(ours.ids) > 0
            and np.array_equal(ours.ids, theirs.ids)
            and np.array_equal(ours.counts, theirs.counts)
        )

    def are_near_identical(self, first: int, second: int) -> bool:
        """Return True if each of two methods is similar enough to the other."""
        return self._is_above(first, second) and self._is_above(second, first)

    def _is_above(self, query: int, method: int) -> bool:
        block, body = self._find(method)
        scores = score_pair(self.features(query), block.forest, block.distinct, body)
        return bool(scores[self._similarity] > self._threshold)

    def _read_features(self, method: int) -> FeatureSet:
        block, body = self._find(method)
        return count_features(body_feature_ids(block.forest, body)[0])

    def _find(self, method: int) -> tuple[IndexBlock, int]:
        block = self._blocks[bisect_right(self._firsts, method) - 1]
        return block, method - block.first_id


CUTS = (1, 5, 10, 50)
TOP = 10
"""Results of a list that are compared with each other."""

_AT_CUT = (
    "results", "accepted", "near_answer", "answered", "answered_by_near", "answered_without_near"
)  # fmt: skip

COPY_COLUMNS = (
    *("dataset", "model", "judge", "threshold", "near_threshold", "questions"),
    *(f"{figure}_{cut}" for cut in CUTS for figure in _AT_CUT),
    f"near_earlier_{TOP}",
    f"equal_earlier_{TOP}",
)
"""Columns, in order; ``_k``: among the first k results of all questions.

``results``: their number; ``accepted``: results above the threshold; ``near_answer``: results
near-identical to the answer (all accepted, unless the threshold is above that of near-identity).
``answered``: questions with an accepted result; ``answered_by_near``: questions whose first
accepted result is a near copy of the answer; ``answered_without_near``: questions that are answered
if near copies of the answer do not count (the others keep their ranks). ``near_earlier_10``:
results near-identical to an earlier result of the first ten, of which ``equal_earlier_10`` have
exactly the features of an earlier result.
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
    write_rows(output, COPY_COLUMNS, name_cells(COPY_COLUMNS, rows))


def count_near_answers(ranking: JudgedRanking, similarity: str, threshold: float) -> dict[str, int]:
    """Count the results that are near-identical to the answer, for every cut."""
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
    """Count the top results that are near-identical to an earlier one, and those equal to one."""
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


SENSITIVITY_COLUMNS = ("dataset", "judge", "threshold", "model", "questions", *METRICS)
"""Columns of ``table1_sensitivity.csv``, in order."""


def write_sensitivity(
    settings: StudySettings,
    questions: Path,
    judgements: Path,
    results: Path,
    matches: Path,
    output: Path,
) -> None:
    """Write Table 1 under every similarity.

    Args:
        settings: dataset, models, depth, and thresholds of Table 1 and of the own judge.
        questions: questions as Parquet.
        judgements: folder of the judgements.
        results: results folder of the dataset, with its runs.
        matches: best match of every question and similarity, where it is above the lowest threshold
            of the table.
        output: CSV file to write.
    """
    asked = read_study_questions(questions).query_ids
    depth = settings.depth
    rankings = read_judged_runs(
        settings.models, query_ids=asked, depth=depth, results=results, judgements=judgements
    )
    found = read_table(matches, MATCH_SCHEMA, ["judge", "query_id", "similarity"])
    rows = []
    for judge in list_judges(settings):
        by = (judge.similarity, judge.threshold)
        ranked = {ranking.name: ranking.first_ranks(*by) for ranking in rankings}
        for name, ranks in {**ranked, CEILING: rank_ceiling(found, judge, asked)}.items():
            figures = (
                format_value(metric, measure_ranks(ranks, metric, depth)) for metric in METRICS
            )
            key = (settings.dataset, judge.similarity, f"{judge.threshold:.10g}", name)
            rows.append((*key, len(asked), *figures))
    write_rows(output, SENSITIVITY_COLUMNS, name_cells(SENSITIVITY_COLUMNS, rows))


def list_judges(settings: StudySettings) -> list[Judge]:
    """Every similarity with the threshold of Table 1, and the project's own judge with its own."""
    judges = [Judge(similarity, settings.threshold) for similarity in SIMILARITIES]
    own = Judge(settings.own_judge, settings.own_threshold)
    return judges if own in judges else [*judges, own]
