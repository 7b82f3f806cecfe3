"""``learning_curves.csv``: figures of a model by the number of pairs that it was trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, write_rows
from ncsbench.artifacts.training_checkpoints import count_trained_pairs
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.evaluation.judged_rankings import read_judged_runs, read_study_questions
from ncsbench.evaluation.metrics import PUBLISHED_DEPTH, Metric, question_shares
from ncsbench.evaluation.rank_figures import describe_sum
from ncsbench.evaluation.results import format_value
from ncsbench.learning_curves.curve_settings import CurveSettings

LEARNING_CURVE_COLUMNS = (
    *("dataset", "model", "share", "pairs", "runs", "measure", "value", "low", "high"),
    *("lowest_run", "highest_run"),
)
"""Columns of ``learning_curves.csv``, in order. ``value`` is a mean over runs with other seeds."""

CURVES: Mapping[str, Metric] = {"answered_10": "answered_10", "strict_mrr": "mrr"}
"""The figures of the table, by their names in the column ``measure``."""


@dataclass(frozen=True)
class LearningPoint:
    """What a model reached with a share of its pairs.

    Attributes:
        model: the model.
        share: name of the share, such as ``1 of 4``.
        pairs: number of pairs trained on, at least 1.
        seed: of the training; points of one model and share differ in it.
        first_ranks: under the lenient judge, int32, shape (questions,), 0 = not found.
        strict_first_ranks: the same under the strict judge.
    """

    model: str
    share: str
    pairs: int
    seed: int
    first_ranks: NDArray[np.int32]
    strict_first_ranks: NDArray[np.int32]


_FIELDS = tuple(field.name for field in fields(LearningPoint))


def write_learning_curves(
    settings: CurveSettings,
    questions: Path,
    results: Path,
    judgements: Path,
    trainings: Path,
    output: Path,
) -> None:
    """Write figures of models against the number of pairs that they were trained on.

    Args:
        settings: the points of the curves, and the judges.
        questions: questions as Parquet.
        results: results folder of the dataset, with its runs.
        judgements: folder of the judgements.
        trainings: folder of the records of trainings.
        output: CSV file to write.
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
        if (pairs := count_trained_pairs(trainings / point.weights))
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


def build_learning_curves(
    *,
    dataset: str,
    points: Sequence[LearningPoint],
    draws: NDArray[np.int32],
    depth: int = PUBLISHED_DEPTH,
) -> list[Row]:
    """Rows by model in the order given, figure, and ascending number of pairs.

    Args:
        dataset: name of the dataset.
        points: all points, on the same questions in the same order.
        draws: what ``intervals.draw_resamples`` gave for these questions.
        depth: the last rank the MRR counts.

    Raises:
        ConfigurationError: where a number of pairs is not positive.
        ValueError: where a number of questions differs from that of ``draws``.
    """
    for point in points:
        if point.pairs < 1:
            raise ConfigurationError(
                f"learning curve of {point.model}, {point.share}: was trained on {point.pairs} "
                "pairs; a point needs at least 1"
            )
    frame = pd.DataFrame([vars(point) for point in points], columns=list(_FIELDS))
    # Another seed takes other queries, and so a few pairs more or fewer: shares go together.
    pairs = frame.groupby(["model", "share"])["pairs"].transform("mean").round().astype(int)
    frame = frame.assign(pairs=pairs).sort_values("seed", kind="stable")
    rows = []
    for model in dict.fromkeys(point.model for point in points):
        for curve, metric in CURVES.items():
            for number, step in frame[frame["model"] == model].groupby("pairs"):
                found = step["strict_first_ranks" if curve == "strict_mrr" else "first_ranks"]
                shares = np.stack([question_shares(ranks, metric, depth) for ranks in found])
                sums = shares.sum(axis=1)
                ends = {"lowest_run": float(sums.min()), "highest_run": float(sums.max())}
                rows.append(
                    {
                        **{"dataset": dataset, "model": model, "measure": curve},
                        **{"share": step["share"].min(), "pairs": str(number)},
                        "runs": str(len(step)),
                        **describe_sum(shares.mean(axis=0), metric, draws),
                        **{name: format_value(metric, value) for name, value in ends.items()},
                    }
                )
    return rows
