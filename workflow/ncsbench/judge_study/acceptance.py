"""``judge_study.csv``: what every similarity accepts at every threshold.

One row per similarity, threshold, half of the questions and subject. Subjects are the published
examples, random pairs by length (``judge_study.study_pairs``), and rankings: the models of the run
with their chance and length baselines, and the study's own baselines. A cell that does not apply is
empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    Mask,
    StudyQuestions,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.metrics import METRICS, measure_ranks
from ncsbench.evaluation.rank_correlation import correlate_ranks, rank_not_found_last
from ncsbench.evaluation.score_sheet import join_score_sheet, read_score_sheet
from ncsbench.judge_study.study_pairs import ANY_LENGTH, EXAMPLES, LENGTH_CLASSES, STUDY_RUNS
from ncsbench.judge_study.study_settings import StudySettings
from ncsbench.judge_study.study_subjects import read_study_subjects

PUBLISHED = ("NCS", "NCS_postrank", "UNIF_android", "UNIF_stackoverflow")
"""Columns of the published score sheet that rankings are compared with."""

RANDOM_PAIRS = (ANY_LENGTH, *LENGTH_CLASSES)
"""Subjects that are random pairs."""

COLUMNS = (
    *("dataset", "judge", "threshold", "half", "subject"),
    *("questions", "answered", "answered_share", "pairs", "accepted", "accepted_share"),
    *METRICS,
    "median_lines",
    *(f"spearman_{column}" for column in PUBLISHED),
)
"""Columns, in order.

``questions``: those of the half; of ``examples`` those with an example in the corpus.
``answered``: those with an accepted method; of ``examples`` those whose best example is kept.
``pairs``, ``accepted``: all results to the depth of the run, all examples or all random pairs.
``median_lines``: median length of what is accepted.
``spearman_*``: correlation of the first ranks with a published column, not found = one rank below
the depth in both, over the questions that the sheet has.
"""


@dataclass(frozen=True)
class JudgeStudy:
    """What the study looks at.

    Attributes:
        questions: the questions.
        lines: lines of every method of the corpus.
        depth: the last rank that counts.
        subjects: examples, random pairs and the study's baselines, by name.
        runs: the models of the run.
        published: first ranks, int32, shape (questions, published columns), 0 = not found.
        in_sheet: the questions that the published sheet has.
    """

    questions: StudyQuestions
    lines: NDArray[np.int32]
    depth: int
    subjects: Mapping[str, JudgedRanking]
    runs: Sequence[JudgedRanking]
    published: NDArray[np.int32]
    in_sheet: Mask

    @property
    def rankings(self) -> list[JudgedRanking]:
        """The models, then the study's baselines."""
        baselines = [self.subjects[name] for name in STUDY_RUNS if name in self.subjects]
        return [*self.runs, *baselines]


def read_judge_study(
    *,
    settings: StudySettings,
    questions: Path,
    lines: NDArray[np.int32],
    sheet: Path,
    judgements: Path,
    study: Path,
    results: Path,
) -> JudgeStudy:
    """Read all that the study needs.

    Args:
        settings: models and depth of the run.
        questions: table of ``QUESTION_SCHEMA``.
        lines: lines of every method, int32, shape (methods,).
        sheet: the published score sheet.
        judgements: folder with ``<model>.parquet``.
        study: folder with the study's pairs and their judgements.
        results: folder with the runs in ``runs/<model>.trec.gz``.
    """
    asked, depth = read_study_questions(questions), settings.depth
    published = read_score_sheet(sheet)
    positions = join_score_sheet(published, asked.keys)
    columns = [published.models.index(column) for column in PUBLISHED]
    return JudgeStudy(
        questions=asked,
        lines=lines,
        depth=depth,
        subjects=read_study_subjects(study, asked.query_ids),
        runs=read_judged_runs(
            settings.models,
            query_ids=asked.query_ids,
            depth=depth,
            results=results,
            judgements=judgements,
        ),
        published=published.first_ranks[np.maximum(positions, 0)][:, columns],
        in_sheet=positions >= 0,
    )


def build_judge_study(study: JudgeStudy, *, dataset: str, thresholds: Sequence[float]) -> list[Row]:
    """Rows of ``judge_study.csv``."""
    empty = dict.fromkeys(COLUMNS, "")
    rows = []
    for similarity in SIMILARITIES:
        for threshold in thresholds:
            for half, mask in study.questions.halves.items():
                key = {
                    "dataset": dataset,
                    "judge": similarity,
                    "threshold": f"{threshold:.10g}",
                    "half": half,
                }
                rows += [
                    {**empty, **key, **cells}
                    for cells in _describe_subjects(study, similarity, threshold, mask)
                ]
    return rows


def write_judge_study(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows of ``build_judge_study``, atomically."""
    write_rows(path, COLUMNS, rows)


def format_share(part: int, whole: int) -> str:
    """A share with six decimals; empty where there is nothing to share."""
    return f"{part / whole:.6f}" if whole else ""


def _describe_subjects(
    study: JudgeStudy, similarity: str, threshold: float, mask: Mask
) -> list[Row]:
    described = []
    for subject in (EXAMPLES, *RANDOM_PAIRS):
        if subject not in study.subjects:
            described.append({"subject": subject})
            continue
        ranking = study.subjects[subject]
        cells = _count_pairs(study, ranking, similarity, threshold, mask)
        if subject == EXAMPLES:
            shown = mask & (ranking.ids >= 0).any(axis=1)
            cells |= _count_questions(ranking.first_ranks(similarity, threshold)[shown])
        described.append(cells)
    for ranking in study.rankings:
        ranks = ranking.first_ranks(similarity, threshold)
        values = {metric: measure_ranks(ranks[mask], metric, study.depth) for metric in METRICS}
        described.append(
            {
                **_count_pairs(study, ranking, similarity, threshold, mask),
                **_count_questions(ranks[mask]),
                **{
                    metric: f"{value:.6f}" if metric == "mrr" else f"{value:.0f}"
                    for metric, value in values.items()
                },
                **_correlate(study, ranks, mask),
            }
        )
    return described


def _count_questions(ranks: NDArray[np.int32]) -> Row:
    answered = int(np.count_nonzero(ranks))
    return {
        "questions": str(len(ranks)),
        "answered": str(answered),
        "answered_share": format_share(answered, len(ranks)),
    }


def _count_pairs(
    study: JudgeStudy, ranking: JudgedRanking, similarity: str, threshold: float, mask: Mask
) -> Row:
    pairs = int(np.count_nonzero(ranking.ids[mask] >= 0))
    accepted = ranking.ids[mask][ranking.accepted(similarity, threshold)[mask]]
    lengths = study.lines[accepted]
    return {
        "subject": ranking.name,
        "pairs": str(pairs),
        "accepted": str(len(accepted)),
        "accepted_share": format_share(len(accepted), pairs),
        "median_lines": f"{np.median(lengths):.10g}" if len(lengths) else "",
    }


def _correlate(study: JudgeStudy, ranks: NDArray[np.int32], mask: Mask) -> Row:
    """Spearman's rank correlation with the published columns."""
    shown = mask & study.in_sheet
    ours, theirs = (
        rank_not_found_last(values[shown], study.depth) for values in (ranks, study.published)
    )
    found = [correlate_ranks(ours, theirs[:, number]) for number in range(len(PUBLISHED))]
    return {
        f"spearman_{column}": "" if value is None else format_number(value, 6)
        for column, value in zip(PUBLISHED, found, strict=True)
    }
