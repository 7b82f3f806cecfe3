"""What the runs of a dataset reached: models, their replicates and their ablations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.metrics import median_lines
from ncsbench.evaluation.runs import read_run
from ncsbench.models.unif_weights import count_trained_pairs
from ncsbench.records import MEASURES
from ncsbench.tables.ablations import HALVINGS, Ablation, name_measure_reason
from ncsbench.tables.judged_rankings import (
    JudgedRanking,
    StudyQuestions,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.tables.table1 import Judge, ModelResult, Replicate


@dataclass(frozen=True)
class JudgedResults:
    """All runs of a dataset, judged under every measure.

    Attributes:
        questions: rows, Stack Overflow ids and occurrences of the questions.
        judge: the default judge.
        strict_judge: the strict one.
        models: the rows of Table 1, in order.
        ablations: what there is to explain differences with.
        rankings: every run by its name: of models, replicates and ablations.
    """

    questions: StudyQuestions
    judge: Judge
    strict_judge: Judge
    models: tuple[ModelResult, ...]
    ablations: tuple[Ablation, ...]
    rankings: Mapping[str, JudgedRanking]

    @property
    def judges(self) -> tuple[Judge, Judge]:
        """The default judge and the strict one."""
        return self.judge, self.strict_judge

    def first_ranks(
        self, judge: Judge, names: Iterable[str] | None = None
    ) -> dict[str, NDArray[np.int32]]:
        """First ranks under a judge by name of the run, int32, shape (questions,), 0 = not found.

        Args:
            judge: any measure with any threshold.
            names: of runs; None for the models of Table 1.
        """
        wanted = [model.name for model in self.models] if names is None else names
        return {name: rank_first(self.rankings[name], judge) for name in wanted}


def rank_first(ranking: JudgedRanking, judge: Judge) -> NDArray[np.int32]:
    """First ranks of a ranking under a judge, int32, shape (questions,), 0 = not found."""
    return ranking.first_ranks(judge.measure, judge.threshold)


def read_judged_results(
    settings: Mapping[str, Any],
    *,
    questions: Path,
    lines: NDArray[np.int32],
    judgements: Path,
    results: Path,
    weights: Path | None = None,
) -> JudgedResults:
    """Read every run that the settings name, with its judgements.

    Args:
        settings: models with replicates, ablations, other measures, judges and depth.
        questions: table of ``records.QUESTION_SCHEMA``.
        lines: lines of every method, int32, shape (methods,).
        judgements: folder with ``<run>.parquet``.
        results: folder with ``runs/<run>.trec``.
        weights: folder with the trained weights that the settings name; None where none does.

    Raises:
        ConfigurationError: where the settings contradict themselves.
        DataError: where a file is malformed or a retrieved method is not judged.
    """
    _check_settings(settings)
    asked = read_study_questions(questions)
    judge = Judge(settings["measure"], settings["threshold"])
    strict = Judge(settings["strict_measure"], settings["strict_threshold"])
    rankings = {
        ranking.name: ranking
        for ranking in read_judged_runs(
            _list_runs(settings),
            rows=asked.rows,
            depth=settings["depth"],
            results=results,
            judgements=judgements,
        )
    }
    models = []
    for model in settings["models"]:
        name = model["name"]
        run = read_run(results / "runs" / f"{name}.trec")
        replicates = tuple(
            Replicate(each, rank_first(rankings[each], judge), rank_first(rankings[each], strict))
            for each in model["replicates"]
        )
        models.append(
            ModelResult(
                name=name,
                trained_on=model["trained_on"],
                first_ranks=rank_first(rankings[name], judge),
                strict_first_ranks=rank_first(rankings[name], strict),
                median_lines=median_lines(run, lines, asked.rows),
                published_as=model["published_as"],
                replicates=replicates,
                training_pairs=_count_pairs(weights, model["weights"]),
            )
        )
    ablations = _list_ablations(settings, models, rankings, judge)
    return JudgedResults(asked, judge, strict, tuple(models), tuple(ablations), rankings)


def _count_pairs(weights: Path | None, key: str | None) -> int | None:
    return None if weights is None or key is None else count_trained_pairs(weights / key)


def _list_runs(settings: Mapping[str, Any]) -> list[str]:
    runs = [model["name"] for model in settings["models"]]
    runs += [name for model in settings["models"] for name in model["replicates"]]
    for ablation in settings["ablations"]:
        runs += [*ablation["whole"], *ablation["half"]]
    return list(dict.fromkeys(runs))


def _list_ablations(
    settings: Mapping[str, Any],
    models: list[ModelResult],
    rankings: Mapping[str, JudgedRanking],
    judge: Judge,
) -> list[Ablation]:
    """By model; another measure only for models that stand for a published system."""
    listed = []
    for model in models:
        listed += [
            Ablation(
                reason=each["reason"],
                model=model.name,
                runs=tuple(each["half"]),
                measure=judge.measure,
                first_ranks=np.stack([rank_first(rankings[run], judge) for run in each["whole"]]),
                ablated_ranks=np.stack([rank_first(rankings[run], judge) for run in each["half"]]),
            )
            for each in settings["ablations"]
            if each["model"] == model.name
        ]
        ranking = rankings[model.name]
        listed += [
            Ablation(
                reason=name_measure_reason(measure),
                model=model.name,
                runs=(model.name,),
                measure=measure,
                first_ranks=model.first_ranks[None],
                ablated_ranks=rank_first(ranking, Judge(measure, judge.threshold))[None],
            )
            for measure in settings["other_measures"]
            if model.published_as
        ]
    return listed


def _check_settings(settings: Mapping[str, Any]) -> None:
    names = [model["name"] for model in settings["models"]]
    for model in settings["models"]:
        runs = [model["name"], *model["replicates"]]
        if len(set(runs)) != len(runs):
            raise ConfigurationError(
                f"model {model['name']}: its replicates must be distinct runs, not "
                f"{', '.join(model['replicates'])}"
            )
    seen = set()
    for ablation in settings["ablations"]:
        reason, model = ablation["reason"], ablation["model"]
        where = f"ablation {', '.join(ablation['half'])}"
        if reason not in HALVINGS:
            raise ConfigurationError(
                f"{where}: the reason {reason!r} is unknown; choose from {', '.join(HALVINGS)}"
            )
        if model not in names:
            raise ConfigurationError(
                f"{where}: there is no model {model!r}; choose from {', '.join(names)}"
            )
        if (reason, model) in seen:
            raise ConfigurationError(f"model {model}: has two ablations for {reason}; keep one")
        seen.add((reason, model))
    others = settings["other_measures"]
    allowed = [measure for measure in MEASURES if measure != settings["measure"]]
    if len(set(others)) != len(others) or not set(others) <= set(allowed):
        raise ConfigurationError(
            f"other_measures must be distinct ones of {', '.join(allowed)}, not {', '.join(others)}"
        )
