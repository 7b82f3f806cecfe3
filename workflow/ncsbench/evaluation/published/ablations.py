"""``ablations.csv``: the effect of changes of the setting that may explain published figures.

A reason for a difference counts only with a run that shows the sign of its effect (DEV-80). Halving
shows the effect of more pairs or dimensions, since the published setting has more of them; the
published judge, which the papers do not describe in full, is replaced by another judge. Halves of a
corpus that was picked for its answers cannot show the effect of more methods to search among;
docs/corpus.md shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.measures.metrics import METRICS, PUBLISHED_DEPTH, Metric, question_shares
from ncsbench.evaluation.measures.rank_figures import format_measures
from ncsbench.evaluation.measures.results import ModelResult
from ncsbench.evaluation.published.systems import PublishedTable
from ncsbench.evaluation.published.verdict_options import HALVINGS, VerdictOptions
from ncsbench.evaluation.published.verdicts import Cell, compare_cells
from ncsbench.evaluation.statistics.figure_text import YES, format_columns, write_frame
from ncsbench.evaluation.statistics.intervals import interval_of_sum
from ncsbench.evaluation.statistics.resampling import Sampling

_JUDGE = "measure_"

REASONS = (*HALVINGS, *(f"{_JUDGE}{similarity}" for similarity in SIMILARITIES))
"""All reasons, in the order in which a verdict names them."""

_KEYS = ("reason", "model", "runs", "judge", "measure")
_FIGURES = ("value", "baseline_value", "effect", "effect_low", "effect_high")
ABLATION_COLUMNS = ("dataset", *_KEYS, *_FIGURES, "explains", "share")
"""Columns of ``ablations.csv``, in order."""


@dataclass(frozen=True)
class Ablation:
    """A model, and that model with one thing changed.

    Attributes:
        reason: one of ``REASONS``.
        model: the model of Table 1.
        runs: the runs with the change; where only the judge is changed, the model's own run and
            its replicates.
        similarity: the similarity that ``ablated_ranks`` are judged by.
        first_ranks: first ranks of the model under the lenient judge, with each seed that the
            change was made with, int32, shape (seeds, questions), 0 = not found.
        ablated_ranks: first ranks of ``runs``, for the same questions, shape (runs, questions).
    """

    reason: str
    model: str
    runs: tuple[str, ...]
    similarity: str
    first_ranks: NDArray[np.int32]
    ablated_ranks: NDArray[np.int32]


@dataclass(frozen=True)
class Directions:
    """Numbers of cells of a table that speak for and against a reason.

    Attributes:
        towards: cells that differ and that the reason explains.
        away: cells that differ and that the reason contradicts.
        lost: cells that agree, but would surely differ under the judge of the reason; 0 for a
            reason that names no similarity.
    """

    towards: int = 0
    away: int = 0
    lost: int = 0

    @property
    def refuting(self) -> int:
        """Cells that speak against the reason."""
        return self.away + self.lost


def name_judge_reason(similarity: str) -> str:
    """Name the reason that the published judge used ``similarity``."""
    return _JUDGE + similarity


def judge_named_by(reason: str) -> str:
    """Read the similarity that a reason names; empty where it names no similarity."""
    return reason.removeprefix(_JUDGE) if reason.startswith(_JUDGE) else ""


def measure_effects(
    ablations: Sequence[Ablation],
    cells: Sequence[Cell],
    sampling: Sampling,
    depth: int = PUBLISHED_DEPTH,
) -> pd.DataFrame:
    """Measure how much a step towards the published setting changes each figure.

    Args:
        ablations: ablations on the same questions; models in the order of Table 1.
        cells: cells of Table 1.
        sampling: draws of the questions.
        depth: the last rank the MRR counts.

    Returns:
        By order of reason, model and measure: the columns of ``set_beside``.
    """
    questions = ablations[0].first_ranks.shape[1] if ablations else 0
    draws = sampling.draw(questions).clusters
    rows = []
    for ablation in sorted(ablations, key=lambda each: REASONS.index(each.reason)):
        named = (ablation.reason, ablation.model, " ".join(ablation.runs), ablation.similarity)
        for metric in METRICS:
            ours, ablated = (
                np.mean([question_shares(ranks, metric, depth) for ranks in runs], axis=0)
                for runs in (ablation.first_ranks, ablation.ablated_ranks)
            )
            towards = ours - ablated if ablation.reason in HALVINGS else ablated - ours
            bounds = interval_of_sum(towards, draws)
            figures = (ours.sum(), ablated.sum(), towards.sum(), bounds.low, bounds.high)
            rows.append((*named, metric, *figures, len(ours)))
    return set_beside(pd.DataFrame(rows, columns=[*_KEYS, *_FIGURES, "questions"]), cells)


def set_beside(effects: pd.DataFrame, cells: Sequence[Cell]) -> pd.DataFrame:
    """Set effects beside the cells of Table 1 that they belong to.

    Args:
        effects: ``reason``, ``model``, ``runs``, ``judge`` and ``measure``; ``value``, a mean over
            seeds; ``baseline_value``, a mean over the runs with the change; ``effect`` with its
            bounds: the change in the direction of the published setting (whole minus half, or other
            judge minus default judge); and ``questions``.
        cells: cells of Table 1.

    Returns:
        The effects, with ``compared``, true where there is a cell, and these columns on a cell that
        differs: ``explains``, true where the effect surely points from our figure to the published
        one; ``contradicts``, true where it surely points away; ``share`` of the difference that the
        step covers, negative where the step adds to the difference. Numbers of questions are
        compared per question, as the sheet may have fewer questions than there are.
    """
    there = pd.DataFrame(
        [(c.model, c.metric, c.difference.value, c.questions, c.differs) for c in cells],
        columns=["model", "measure", "difference", "joined", "differs"],
    )
    beside = effects.merge(there, how="left", on=["model", "measure"])
    differs = beside["differs"].eq(True)
    is_higher = beside["difference"] < 0  # the published figure
    up, down = beside["effect_low"] > 0, beside["effect_high"] < 0
    per_question = np.where(beside["measure"] == "mrr", 1, beside["joined"] / beside["questions"])
    share = -beside["effect"] * per_question / beside["difference"]
    return beside[effects.columns].assign(
        compared=beside["differs"].notna(),
        explains=differs & np.where(is_higher, up, down),
        contradicts=differs & np.where(is_higher, down, up),
        share=share.where(differs),
    )


def judge_cells_anew(
    ablations: Sequence[Ablation],
    results: Sequence[ModelResult],
    published: PublishedTable,
    sampling: Sampling,
    *,
    depth: int = PUBLISHED_DEPTH,
    options: VerdictOptions | None = None,
) -> dict[str, list[Cell]]:
    """Compare the cells of the models anew under every other judge, by reason.

    Args:
        ablations: only ablations whose reason names a similarity are taken.
        results: results of the models that the ablations name.
        published: the published systems.
        sampling: draws of the questions, as for ``verdicts.compare_cells``.
        depth: the last rank the MRR counts.
        options: margins and correction; None for the default ones.
    """
    by_name = {result.name: result for result in results}
    judged: dict[str, list[ModelResult]] = {}
    for each in ablations:
        if judge_named_by(each.reason):
            own, *others = each.ablated_ranks
            replicates = tuple(
                replace(replicate, ranks={"lenient": ranks})
                for replicate, ranks in zip(by_name[each.model].replicates, others, strict=True)
            )
            model = replace(by_name[each.model], ranks={"lenient": own}, replicates=replicates)
            judged.setdefault(each.reason, []).append(model)
    return {
        reason: compare_cells(models, published, sampling, depth=depth, options=options)
        for reason, models in judged.items()
    }


def count_directions(
    effects: pd.DataFrame,
    cells: Sequence[Cell],
    judged_anew: Mapping[str, Sequence[Cell]],
) -> dict[str, Directions]:
    """Count the cells for and against each reason, in the order of ``effects``.

    Args:
        effects: the result of ``measure_effects``.
        cells: the cells of Table 1.
        judged_anew: the result of ``judge_cells_anew``.
    """
    compared = effects[effects["compared"]].groupby("reason", sort=False)
    sums = compared[["explains", "contradicts"]].sum()
    counts = {
        str(one.Index): Directions(int(one.explains), int(one.contradicts))
        for one in sums.itertuples()
    }
    agreeing = {(cell.model, cell.metric) for cell in cells if cell.agrees}
    for reason, others in judged_anew.items():
        lost = sum(other.differs and (other.model, other.metric) in agreeing for other in others)
        counts[reason] = replace(counts.get(reason, Directions()), lost=lost)
    return counts


def find_reasons(
    effects: pd.DataFrame, cells: Sequence[Cell], directions: Mapping[str, Directions]
) -> dict[tuple[str, Metric], dict[str, float]]:
    """Find the reasons that explain each cell, in the order of ``effects``, with their shares.

    All published ranks had one judge. So a judge explains no cell where it surely points the wrong
    way in one cell, or makes a cell differ that agrees: otherwise, with a stricter and a looser
    judge to choose from, nothing would stay unexplained.

    Args:
        effects: the result of ``measure_effects``.
        cells: the cells of Table 1.
        directions: the result of ``count_directions`` for these effects and cells.
    """
    reasons: dict[tuple[str, Metric], dict[str, float]] = {
        (cell.model, cell.metric): {} for cell in cells
    }
    for one in effects[effects["explains"]].itertuples():
        if not (judge_named_by(one.reason) and directions[one.reason].refuting):
            reasons[one.model, one.measure][one.reason] = one.share
    return reasons


def write_ablations(
    path: Path,
    dataset: str,
    effects: pd.DataFrame,
    reasons: Mapping[tuple[str, Metric], Mapping[str, float]],
) -> None:
    """Write a row of ``ABLATION_COLUMNS`` for each effect, in their order, atomically.

    Args:
        path: file to write.
        dataset: name of the dataset.
        effects: the result of ``measure_effects``.
        reasons: the result of ``find_reasons``.
    """
    named = zip(effects["model"], effects["measure"], effects["reason"], strict=True)
    explains = [YES[reason in reasons.get((model, metric), ())] for model, metric, reason in named]
    shown = format_measures(format_columns(effects, ["share"], 3), _FIGURES)
    write_frame(path, shown.assign(dataset=dataset, explains=explains), ABLATION_COLUMNS)
