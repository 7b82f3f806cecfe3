"""``judge_study.csv`` and ``judge_choice.csv``: what similarities accept, and their thresholds.

The first has a row for each similarity, threshold, half of the questions and subject. Subjects are
the published examples, random pairs by length (``judge_study.study_pairs``), and rankings: the
models of the run with their chance and length baselines, and the study's own baselines.

The second has a threshold for every similarity, chosen on half of the questions. The criterion: the
best published example of at least 97 % of the questions is accepted, and no baseline has an MRR
above 0.05. It is applied with the length baselines alone, and with those of shortness as well. Both
figures fall as the threshold rises, so the thresholds of a grid that meet the criterion on the
choosing half are a range; its middle is chosen (rounded down to the grid). If the range is empty,
nothing is chosen, and the row shows the highest threshold that keeps the examples instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.evaluation.agreement import correlate_ranks, rank_not_found_last
from ncsbench.evaluation.figure_text import YES, format_columns, to_rows
from ncsbench.evaluation.judged_rankings import (
    JudgedRanking,
    Mask,
    StudyQuestions,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.metrics import METRICS, mean_reciprocal_rank, measure_ranks
from ncsbench.evaluation.score_sheet import join_score_sheet, read_score_sheet
from ncsbench.judge_study.study_pairs import (
    ANY_LENGTH,
    EXAMPLES,
    LENGTH_CLASSES,
    STUDY_RUNS,
    read_study_subjects,
)
from ncsbench.judge_study.study_settings import StudySettings

PUBLISHED = ("NCS", "NCS_postrank", "UNIF_android", "UNIF_stackoverflow")
"""Columns of the published score sheet that rankings are compared with."""

_SPEARMAN = tuple(f"spearman_{column}" for column in PUBLISHED)
RANDOM_PAIRS = (ANY_LENGTH, *LENGTH_CLASSES)
"""Subjects that are random pairs."""

STUDY_COLUMNS = (
    *("dataset", "judge", "threshold", "half", "subject"),
    *("questions", "answered", "answered_share", "pairs", "accepted", "accepted_share"),
    *METRICS,
    "median_lines",
    *_SPEARMAN,
)
"""Columns of ``judge_study.csv``, in order; a cell that does not apply is empty.

``questions``: those of the half; of ``examples`` those with an example in the corpus.
``answered``: those with an accepted method; of ``examples`` those whose best example is kept.
``pairs``, ``accepted``: all results to the depth of the run, all examples or all random pairs.
``median_lines``: median length of what is accepted.
``spearman_*``: correlation of the first ranks with a published column, not found = one rank below
the depth in both, over the questions that the sheet has.
"""


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

CHOICE_COLUMNS = (
    *("dataset", "judge", "criterion"),
    *(f"{half}_{end}" for half in _HALVES for end in ("lowest", "highest")),
    *("chosen", "threshold"),
    *(f"{half}_{figure}" for half in _HALVES for figure in _FIGURES),
    "reporting_meets_criterion",
)
"""Columns of ``judge_choice.csv``, in order.

``<half>_lowest``: the lowest threshold at which no baseline of the criterion is above the limit on
that half; ``<half>_highest``: the highest that keeps enough examples. ``chosen``: the middle of the
choosing half's, or ``none``. ``threshold``: what the figures that follow are for.
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

    def find_ranking(self, name: str) -> JudgedRanking | None:
        """The ranking of a name; None for an unknown name."""
        return next((ranking for ranking in self.rankings if ranking.name == name), None)


def write_study_tables(
    settings: StudySettings,
    questions: Path,
    corpus: CorpusFolder,
    sheet: Path,
    judgements: Path,
    study: Path,
    results: Path,
    output: Path,
) -> None:
    """Write what every similarity accepts at every threshold, and the thresholds that half chooses.

    Args:
        settings: dataset, runs and thresholds.
        questions: questions as Parquet.
        corpus: folder of a built corpus.
        sheet: the published score sheet.
        judgements: folder of the judgements of the runs.
        study: folder of the study's pairs.
        results: results folder of the dataset, with its runs.
        output: folder to write, with ``judge_study.csv`` and ``judge_choice.csv``.
    """
    asked, depth = read_study_questions(questions), settings.depth
    published = read_score_sheet(sheet)
    positions = join_score_sheet(published, asked.keys)
    columns = [published.models.index(column) for column in PUBLISHED]
    read = JudgeStudy(
        questions=asked,
        lines=corpus.read_lines(),
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
    dataset = settings.dataset
    rows = build_judge_study(read, dataset=dataset, thresholds=settings.thresholds)
    write_rows(output / "judge_study.csv", STUDY_COLUMNS, rows)
    choice = build_judge_choice(read, dataset=dataset)
    write_rows(output / "judge_choice.csv", CHOICE_COLUMNS, choice)


def build_judge_study(study: JudgeStudy, *, dataset: str, thresholds: Sequence[float]) -> list[Row]:
    """Rows of ``judge_study.csv``."""
    rows = [
        {"judge": similarity, "threshold": f"{threshold:.10g}", "half": half, **cells}
        for similarity in SIMILARITIES
        for threshold in thresholds
        for half, mask in study.questions.halves.items()
        for cells in _describe_subjects(study, similarity, threshold, mask)
    ]
    frame = pd.DataFrame(rows, columns=list(STUDY_COLUMNS)).assign(dataset=dataset)
    counts = ("questions", "answered", "pairs", "accepted", *METRICS[:3])
    frame = format_columns(frame, counts, 0)
    shares = ("answered_share", "accepted_share", "mrr", *_SPEARMAN)
    return to_rows(format_columns(frame, shares, 6), STUDY_COLUMNS)


def _describe_subjects(
    study: JudgeStudy, similarity: str, threshold: float, mask: Mask
) -> Iterator[dict[str, Any]]:
    """Cells of all subjects, numbers as such."""
    for subject in (EXAMPLES, *RANDOM_PAIRS):
        if subject not in study.subjects:
            yield {"subject": subject}
            continue
        ranking = study.subjects[subject]
        cells = _count_pairs(study, ranking, similarity, threshold, mask)
        if subject == EXAMPLES:
            shown = mask & (ranking.ids >= 0).any(axis=1)
            cells |= _count_questions(ranking.first_ranks(similarity, threshold)[shown])
        yield cells
    for ranking in study.rankings:
        ranks = ranking.first_ranks(similarity, threshold)
        shown = mask & study.in_sheet
        ours, theirs = (
            rank_not_found_last(values[shown], study.depth) for values in (ranks, study.published)
        )
        yield {
            **_count_pairs(study, ranking, similarity, threshold, mask),
            **_count_questions(ranks[mask]),
            **{metric: measure_ranks(ranks[mask], metric, study.depth) for metric in METRICS},
            **{name: correlate_ranks(ours, theirs[:, n]) for n, name in enumerate(_SPEARMAN)},
        }


def _count_questions(ranks: NDArray[np.int32]) -> dict[str, Any]:
    answered = int(np.count_nonzero(ranks))
    share = answered / len(ranks) if len(ranks) else None
    return {"questions": len(ranks), "answered": answered, "answered_share": share}


def _count_pairs(
    study: JudgeStudy, ranking: JudgedRanking, similarity: str, threshold: float, mask: Mask
) -> dict[str, Any]:
    pairs = int(np.count_nonzero(ranking.ids[mask] >= 0))
    accepted = ranking.ids[mask][ranking.accepted(similarity, threshold)[mask]]
    return {
        "subject": ranking.name,
        "pairs": pairs,
        "accepted": len(accepted),
        "accepted_share": len(accepted) / pairs if pairs else None,
        "median_lines": f"{np.median(study.lines[accepted]):.10g}" if len(accepted) else "",
    }


def build_judge_choice(study: JudgeStudy, *, dataset: str) -> list[Row]:
    """Rows of ``judge_choice.csv``, two for each similarity."""
    rows = []
    for similarity in SIMILARITIES:
        halves = {
            half: {t: _measure_half(study, similarity, t, half) for t in GRID} for half in _HALVES
        }
        for criterion, baselines in CRITERIA.items():
            named = {"dataset": dataset, "judge": similarity, "criterion": criterion}
            rows.append(
                {**dict.fromkeys(CHOICE_COLUMNS, ""), **named, **_choose(halves, baselines)}
            )
    return rows


def _choose(
    halves: Mapping[str, Mapping[float, Mapping[str, float]]], baselines: Sequence[str]
) -> Row:
    """Cells of the thresholds that meet a criterion, and of the chosen one."""
    row = {"chosen": "none"}
    keeping, limited = {}, {}
    for half, found in halves.items():
        keeping[half] = [
            t for t, one in found.items() if 0 < one["best_examples"] * KEPT <= one["best_kept"]
        ]
        limited[half] = [
            t
            for t, one in found.items()
            if all(one.get(f"{name}_mrr", 0) <= BASELINE_MRR for name in baselines)
        ]
        row[f"{half}_lowest"] = f"{limited[half][0]:g}" if limited[half] else ""
        row[f"{half}_highest"] = f"{keeping[half][-1]:g}" if keeping[half] else ""
    if not keeping["choosing"]:
        return row
    threshold = keeping["choosing"][-1]
    if feasible := [t for t in keeping["choosing"] if t in limited["choosing"]]:
        threshold = feasible[(len(feasible) - 1) // 2]
        row["chosen"] = f"{threshold:g}"
    row["threshold"] = f"{threshold:g}"
    for half, found in halves.items():
        for name, value in found[threshold].items():
            row[f"{half}_{name}"] = (
                f"{value:.6f}" if name.endswith(("_share", "_mrr")) else str(value)
            )
    met = threshold in keeping["reporting"] and threshold in limited["reporting"]
    return {**row, "reporting_meets_criterion": YES[met]}


def _measure_half(
    study: JudgeStudy, similarity: str, threshold: float, half: str
) -> dict[str, float]:
    """Questions of a half whose best example is accepted, and what the baselines reach there."""
    mask = study.questions.halves[half]
    figures: dict[str, float] = {"best_kept": 0, "best_examples": 0}
    if (examples := study.subjects.get(EXAMPLES)) is not None:
        shown = mask & (examples.ids >= 0).any(axis=1)
        ranks = examples.first_ranks(similarity, threshold)[shown]
        figures = {"best_kept": int(np.count_nonzero(ranks)), "best_examples": len(ranks)}
    if figures["best_examples"]:
        figures["best_kept_share"] = figures["best_kept"] / figures["best_examples"]
    for name in STUDY_BASELINES:
        if (ranking := study.find_ranking(name)) is not None:
            ranks = ranking.first_ranks(similarity, threshold)[mask]
            figures[f"{name}_mrr"] = mean_reciprocal_rank(ranks, study.depth)
    return figures
