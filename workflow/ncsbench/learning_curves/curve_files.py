"""The learning curves of a dataset, as a table and as a figure, from runs and their judgements."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.evaluation.judged_rankings import read_judged_runs, read_study_questions
from ncsbench.learning_curves.curve_settings import CurveSettings
from ncsbench.learning_curves.curves import (
    LEARNING_CURVE_COLUMNS,
    LearningPoint,
    build_learning_curves,
)
from ncsbench.learning_curves.training_figures import draw_learning_curves


def write_curve_files(
    settings: CurveSettings,
    *,
    questions: Path,
    results: Path,
    judgements: Path,
    trainings: Path,
    count_pairs: Callable[[Path], int],
    output: Path,
    figure: Path,
) -> None:
    """Write figures of models against the number of pairs that they were trained on.

    Args:
        settings: the points of the curves, and the judges.
        questions: table of ``QUESTION_SCHEMA``.
        results: folder of the runs.
        judgements: folder of their judgements.
        trainings: folder of the records of trainings.
        count_pairs: how many pairs a training was made on, by its record.
        output: the table.
        figure: the figure, as SVG.
    """
    asked, depth = read_study_questions(questions), settings.depth
    rankings = read_judged_runs(
        [point.run for point in settings.points],
        query_ids=asked.query_ids,
        depth=depth,
        results=results,
        judgements=judgements,
    )
    points = [
        LearningPoint(
            model=point.model,
            share=point.share,
            pairs=pairs,
            seed=point.seed,
            first_ranks=ranking.first_ranks(settings.judge, settings.threshold),
            strict_first_ranks=ranking.first_ranks(
                settings.strict_judge, settings.strict_threshold
            ),
        )
        for point, ranking in zip(settings.points, rankings, strict=True)
        if (pairs := count_pairs(trainings / point.weights))
    ]
    rows = build_learning_curves(
        dataset=settings.dataset,
        points=points,
        draws=draw_resamples(
            len(asked.query_ids),
            np.random.default_rng(settings.seed),
            resamples=settings.bootstrap_samples,
        ),
        depth=depth,
    )
    write_rows(output, LEARNING_CURVE_COLUMNS, rows)
    draw_learning_curves(output, figure)
