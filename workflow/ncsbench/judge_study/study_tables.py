"""The tables of the judge study: acceptance and chosen thresholds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.judge_study.acceptance import build_judge_study, read_judge_study, write_judge_study
from ncsbench.judge_study.study_settings import StudySettings
from ncsbench.judge_study.threshold_choice import build_judge_choice, write_judge_choice


def write_study_tables(
    settings: StudySettings,
    *,
    questions: Path,
    lines: NDArray[np.int32],
    sheet: Path,
    judgements: Path,
    study: Path,
    results: Path,
    output: Path,
) -> None:
    """Write ``judge_study.csv`` and ``judge_choice.csv``.

    Args:
        settings: dataset, runs and thresholds.
        questions: table of ``QUESTION_SCHEMA``.
        lines: lines of every method of the corpus, shape (methods,).
        sheet: the published score sheet.
        judgements: folder of the judgements of the runs.
        study: folder of the study's pairs.
        results: folder of the runs.
        output: where the tables are written.
    """
    read = read_judge_study(
        settings=settings,
        questions=questions,
        lines=lines,
        sheet=sheet,
        judgements=judgements,
        study=study,
        results=results,
    )
    dataset = settings.dataset
    rows = build_judge_study(read, dataset=dataset, thresholds=settings.thresholds)
    write_judge_study(output / "judge_study.csv", rows)
    write_judge_choice(output / "judge_choice.csv", build_judge_choice(read, dataset=dataset))
