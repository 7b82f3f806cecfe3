"""``ablations.csv``: which changes of the setting move our figures towards the published ones.

A reason for a difference counts only with a run that shows its sign (DEV-80). Halving shows what
more pairs or dimensions would do, since the published setting has more of them; for the judge,
which the papers do not describe in full, another judge stands in. What more methods to search among
do, halves of a corpus that was picked for its answers cannot show: docs/haystacks.md does.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.similarity_names import SIMILARITIES
from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.evaluation.intervals import Difference, interval_of_sum
from ncsbench.evaluation.metrics import METRICS, PUBLISHED_DEPTH, Metric, question_shares
from ncsbench.evaluation.results import ModelResult, format_value
from ncsbench.published.halvings import HALVINGS
from ncsbench.published.systems import PublishedTable
from ncsbench.published.verdict_options import VerdictOptions
from ncsbench.published.verdicts import Cell, compare_cells

_JUDGE = "measure_"

REASONS = (*HALVINGS, *(f"{_JUDGE}{similarity}" for similarity in SIMILARITIES))
"""All reasons, in the order in which a verdict names them."""

ABLATION_COLUMNS = (
    *("dataset", "reason", "model", "runs", "judge", "measure"),
    *("value", "ablated_value", "effect", "low", "high", "explains", "share"),
)
"""Columns of ``ablations.csv``, in order."""


@dataclass(frozen=True)
class Ablation:
    """A model and the same model with one thing changed.

    Attributes:
        reason: one of ``REASONS``.
        model: the model of Table 1.
        runs: the runs with the change; the model's own and its replicates where only the judge is
            another.
        similarity: the similarity that ``ablated_ranks`` are judged by.
        first_ranks: of the model under the lenient judge, with each seed that the change was made
            with, int32, shape (seeds, questions), 0 = not found.
        ablated_ranks: of ``runs``, for the same questions, shape (runs, questions).
    """

    reason: str
    model: str
    runs: tuple[str, ...]
    similarity: str
    first_ranks: NDArray[np.int32]
    ablated_ranks: NDArray[np.int32]


@dataclass(frozen=True)
class Effect:
    """What a step towards the published setting does to one figure.

    Attributes:
        ablation: where it was seen.
        metric: one of ``METRICS``.
        value: figure of the model, a mean over seeds.
        ablated: figure with the change, a mean over its runs.
        towards: the change of the figure in the direction of the published setting: whole minus
            half, or other judge minus default one.
    """

    ablation: Ablation
    metric: Metric
    value: float
    ablated: float
    towards: Difference

    def explains(self, cell: Cell) -> bool:
        """Whether the cell differs, and the effect surely points from ours to the published."""
        return self._points(cell, right_way=True)

    def share_of(self, cell: Cell) -> float:
        """The share of the cell's difference that the step covers; negative where it adds to it.

        Numbers of questions are compared per question: the sheet may have fewer than there are.
        """
        questions = 1 if self.metric == "mrr" else self.ablation.first_ranks.shape[1]
        joined = 1 if self.metric == "mrr" else cell.questions
        return -(self.towards.value / questions) / (cell.difference.value / joined)

    def contradicts(self, cell: Cell) -> bool:
        """Whether the cell differs, and the effect surely points away from the published."""
        return self._points(cell, right_way=False)

    def _points(self, cell: Cell, *, right_way: bool) -> bool:
        published_is_higher = cell.difference.value < 0
        interval = self.towards.interval
        surely = interval.low > 0 if published_is_higher == right_way else interval.high < 0
        return cell.differs and surely


@dataclass(frozen=True)
class Directions:
    """What a reason does to the cells of a table.

    Attributes:
        towards: cells that differ and that it explains.
        away: cells that differ and that it contradicts.
        spoilt: cells that agree, but would surely differ under another judge; 0 for
            reasons that are no similarity.
    """

    towards: int = 0
    away: int = 0
    spoilt: int = 0

    @property
    def refuting(self) -> int:
        """Cells that speak against the reason."""
        return self.away + self.spoilt


def name_judge_reason(similarity: str) -> str:
    """The reason that the published judge was another one."""
    return _JUDGE + similarity


def judge_named_by(reason: str) -> str:
    """The similarity that a reason names; empty where it names none."""
    return reason.removeprefix(_JUDGE) if reason.startswith(_JUDGE) else ""


def measure_effects(
    ablations: Sequence[Ablation], draws: NDArray[np.int32], depth: int = PUBLISHED_DEPTH
) -> list[Effect]:
    """Effects of all ablations on all metrics, by order of reason, model and metric.

    Args:
        ablations: on the same questions; models in the order of Table 1.
        draws: what ``intervals.draw_resamples`` gave for these questions.
        depth: the last rank the MRR counts.
    """
    effects = []
    for ablation in sorted(ablations, key=lambda each: REASONS.index(each.reason)):
        effects += [_measure_effect(ablation, metric, draws, depth) for metric in METRICS]
    return effects


def _measure_effect(
    ablation: Ablation, metric: Metric, draws: NDArray[np.int32], depth: int
) -> Effect:
    ours, ablated = (
        np.mean([question_shares(ranks, metric, depth) for ranks in runs], axis=0)
        for runs in (ablation.first_ranks, ablation.ablated_ranks)
    )
    towards = ours - ablated if ablation.reason in HALVINGS else ablated - ours
    return Effect(
        ablation=ablation,
        metric=metric,
        value=float(ours.sum()),
        ablated=float(ablated.sum()),
        towards=Difference(float(towards.sum()), interval_of_sum(towards, draws)),
    )


def judge_cells_anew(
    ablations: Sequence[Ablation],
    results: Sequence[ModelResult],
    published: PublishedTable,
    *,
    seed: int,
    resamples: int,
    depth: int = PUBLISHED_DEPTH,
    options: VerdictOptions | None = None,
) -> dict[str, list[Cell]]:
    """Cells of the models under every other judge, by reason.

    Args:
        ablations: those that name a similarity are left out.
        results: of the models that the ablations name.
        published: the published systems.
        seed: of the questions that are drawn, as for ``verdicts.compare_cells``.
        resamples: number of resamples.
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
        reason: compare_cells(
            models, published, seed=seed, resamples=resamples, depth=depth, options=options
        )
        for reason, models in judged.items()
    }


def count_directions(
    effects: Sequence[Effect],
    cells: Sequence[Cell],
    judged_anew: Mapping[str, Sequence[Cell]],
) -> dict[str, Directions]:
    """What each reason does to the cells, in the order of ``effects``.

    Args:
        effects: of ``measure_effects``.
        cells: of Table 1.
        judged_anew: of ``judge_cells_anew``.
    """
    by_key = {(cell.model, cell.metric): cell for cell in cells}
    counts: dict[str, Directions] = {}
    for effect in effects:
        reason = effect.ablation.reason
        cell = by_key.get((effect.ablation.model, effect.metric))
        if cell is not None:
            so_far = counts.get(reason, Directions())
            counts[reason] = replace(
                so_far,
                towards=so_far.towards + effect.explains(cell),
                away=so_far.away + effect.contradicts(cell),
            )
    agreeing = {key for key, cell in by_key.items() if cell.agrees}
    for reason, others in judged_anew.items():
        spoilt = sum(other.differs and (other.model, other.metric) in agreeing for other in others)
        counts[reason] = replace(counts.get(reason, Directions()), spoilt=spoilt)
    return counts


def find_reasons(
    effects: Sequence[Effect], cells: Sequence[Cell], directions: Mapping[str, Directions]
) -> dict[tuple[str, Metric], dict[str, float]]:
    """The reasons that explain each cell, in the order of ``effects``, and the shares they cover.

    All published ranks had one judge. So a judge explains none where it surely points the wrong
    way in one cell, or makes one differ that agrees: with a stricter and a looser one to choose
    from nothing would stay unexplained.

    Args:
        effects: of ``measure_effects``.
        cells: of Table 1.
        directions: of ``count_directions`` for these.
    """
    refuted = {
        reason for reason, found in directions.items() if judge_named_by(reason) and found.refuting
    }
    return {
        (cell.model, cell.metric): {
            effect.ablation.reason: effect.share_of(cell)
            for effect in effects
            if (effect.ablation.model, effect.metric) == (cell.model, cell.metric)
            and effect.ablation.reason not in refuted
            and effect.explains(cell)
        }
        for cell in cells
    }


def build_ablations(
    dataset: str,
    effects: Sequence[Effect],
    cells: Sequence[Cell],
    reasons: Mapping[tuple[str, Metric], Container[str]],
) -> list[Row]:
    """Rows of ``ablations.csv``, one per effect, in their order.

    Args:
        dataset: its name.
        effects: of ``measure_effects``.
        cells: of Table 1; only where one differs is there a difference to cover a share of.
        reasons: of ``find_reasons``.
    """
    differing = {(cell.model, cell.metric): cell for cell in cells if cell.differs}
    rows = []
    for effect in effects:
        ablation, metric = effect.ablation, effect.metric
        interval = effect.towards.interval
        cell = differing.get((ablation.model, metric))
        explained = ablation.reason in reasons.get((ablation.model, metric), ())
        rows.append(
            {
                "dataset": dataset,
                "reason": ablation.reason,
                "model": ablation.model,
                "runs": " ".join(ablation.runs),
                "judge": ablation.similarity,
                "measure": str(metric),
                "value": format_value(metric, effect.value),
                "ablated_value": format_value(metric, effect.ablated),
                "effect": format_value(metric, effect.towards.value),
                "low": format_value(metric, interval.low),
                "high": format_value(metric, interval.high),
                "explains": "yes" if explained else "no",
                "share": "" if cell is None else format_number(effect.share_of(cell), 3),
            }
        )
    return rows


def write_ablations(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows of ``build_ablations``, atomically."""
    write_rows(path, ABLATION_COLUMNS, rows)
