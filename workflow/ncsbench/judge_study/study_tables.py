"""The tables of the judge study: acceptance and chosen thresholds."""

from __future__ import annotations

from pathlib import Path

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.judge_study.acceptance import build_judge_study, read_judge_study, write_judge_study
from ncsbench.judge_study.study_settings import StudySettings
from ncsbench.judge_study.threshold_choice import build_judge_choice, write_judge_choice


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
    read = read_judge_study(
        settings=settings,
        questions=questions,
        lines=corpus.read_lines(),
        sheet=sheet,
        judgements=judgements,
        study=study,
        results=results,
    )
    dataset = settings.dataset
    rows = build_judge_study(read, dataset=dataset, thresholds=settings.thresholds)
    write_judge_study(output / "judge_study.csv", rows)
    write_judge_choice(output / "judge_choice.csv", build_judge_choice(read, dataset=dataset))
