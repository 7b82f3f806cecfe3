"""Results of the runs of a dataset: models, their replicates and their ablations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.training_checkpoints import count_trained_pairs
from ncsbench.base.runs.trec_files import path_of_run, read_run
from ncsbench.evaluation.measures.judged_rankings import (
    JudgedRanking,
    StudyQuestions,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.evaluation.measures.metrics import median_lines
from ncsbench.evaluation.measures.results import Judge, ModelResult, Replicate
from ncsbench.evaluation.published.ablations import Ablation, name_judge_reason
from ncsbench.studies.ncsed.table_settings import TableSettings


@dataclass(frozen=True)
class JudgedResults:
    """All runs of a dataset, judged under every similarity.

    Attributes:
        questions: rows, Stack Overflow ids and occurrences of the questions.
        judges: the judges of Table 1 by name, in its order.
        models: the rows of Table 1, in order.
        ablations: runs with one thing changed, which may explain differences.
        rankings: every run (of models, replicates and ablations) by its name.
    """

    questions: StudyQuestions
    judges: Mapping[str, Judge]
    models: tuple[ModelResult, ...]
    ablations: tuple[Ablation, ...]
    rankings: Mapping[str, JudgedRanking]

    def first_ranks(
        self, judge: Judge, names: Iterable[str] | None = None
    ) -> dict[str, NDArray[np.int32]]:
        """Return first ranks under a judge by run, int32, shape (questions,), 0 = not found.

        Args:
            judge: any similarity with any threshold.
            names: names of runs; None for the models of Table 1.
        """
        wanted = [model.name for model in self.models] if names is None else names
        return {name: rank_first(self.rankings[name], judge) for name in wanted}


def rank_first(ranking: JudgedRanking, judge: Judge) -> NDArray[np.int32]:
    """Return first ranks of a ranking under a judge, int32, shape (questions,), 0 = not found."""
    return ranking.first_ranks(judge.similarity, judge.threshold)


def read_judged_results(
    settings: TableSettings,
    *,
    questions: Path,
    lines: NDArray[np.int32],
    judgements: Path | pa.Table,
    results: Path,
    trainings: Path | None = None,
) -> JudgedResults:
    """Read every run that the settings name, with its judgements.

    Args:
        settings: models with replicates, ablations, other judges, judges and depth.
        questions: table of ``QUESTION_SCHEMA``.
        lines: lines of every method, int32, shape (methods,).
        judgements: folder with ``<run>.parquet``, or all judged pairs (``read_judged_runs``).
        results: folder with ``runs/<run>.trec.gz``.
        trainings: folder with the records of trainings; None where no model is trained.

    Raises:
        DataError: where a file is malformed or a retrieved method is not judged.
    """
    asked = read_study_questions(questions)
    judges = {name: Judge(*judge) for name, judge in settings.named_judges().items()}
    rankings = {
        ranking.name: ranking
        for ranking in read_judged_runs(
            settings.list_runs(),
            query_ids=asked.query_ids,
            depth=settings.depth,
            results=results,
            judgements=judgements,
        )
    }
    models = []
    for model in settings.models:
        name = model.name
        run = read_run(path_of_run(results, name))
        ranks = {
            each: {by: rank_first(rankings[each], judge) for by, judge in judges.items()}
            for each in (name, *model.replicates)
        }
        models.append(
            ModelResult(
                name=name,
                trained_on=model.trained_on,
                ranks=ranks[name],
                median_lines=median_lines(run, lines, asked.query_ids),
                published_as=model.published_as,
                beside=model.beside,
                replicates=tuple(Replicate(each, ranks[each]) for each in model.replicates),
                training_pairs=count_trained_pairs(trainings / model.weights)
                if trainings is not None and model.weights is not None
                else None,
            )
        )
    ablations = _list_ablations(settings, models, rankings, judges["lenient"])
    return JudgedResults(asked, judges, tuple(models), tuple(ablations), rankings)


def _list_ablations(
    settings: TableSettings,
    models: list[ModelResult],
    rankings: Mapping[str, JudgedRanking],
    judge: Judge,
) -> list[Ablation]:
    """List ablations by model; other judges only for models that rebuild a published system."""

    def rank(runs: Iterable[str], by: Judge) -> NDArray[np.int32]:
        return np.stack([rank_first(rankings[run], by) for run in runs])

    listed = []
    for model in models:
        seeds = (model.name, *(each.name for each in model.replicates))
        changes: list[tuple[str, tuple[str, ...], tuple[str, ...], Judge]] = [
            (each.reason, each.whole, each.half, judge)
            for each in settings.ablations
            if each.model == model.name
        ]
        if model.published_as:
            others = [Judge(one, judge.threshold) for one in settings.other_judges]
            changes += [(name_judge_reason(one.similarity), seeds, seeds, one) for one in others]
        for reason, whole, changed, by in changes:
            ranks = rank(whole, judge), rank(changed, by)
            listed.append(Ablation(reason, model.name, tuple(changed), by.similarity, *ranks))
    return listed
