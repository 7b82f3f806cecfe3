"""Ours beside the published figures on the same questions, with a verdict per cell (DEV-80)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.intervals import Difference, draw_resamples, paired_difference
from ncsbench.evaluation.metrics import METRICS, PUBLISHED_DEPTH, Metric, measure_ranks
from ncsbench.evaluation.results import ModelResult
from ncsbench.published.systems import PublishedSystem, PublishedTable

EQUAL = "equal"
WITHIN_INTERVAL = "within interval"
DIFFERS = "differs: "
UNEXPLAINED = "unexplained"

MIN_QUESTIONS = 20
"""Questions of the score sheet that a verdict needs: percentile intervals of so few are too short,
and those of a handful hold 0 or not by the luck of one question."""


@dataclass(frozen=True)
class Cell:
    """One metric of one model beside the published figure, on the questions of the sheet.

    Attributes:
        model: our model.
        metric: one of ``METRICS``.
        published: the published figure on these questions.
        difference: ours minus the published one, with its paired interval.
        equal: the same number of questions, or the same MRR in the printed digits.
        questions: how many questions of the sheet that is.
        beside: whether another model rebuilds the published system: then there is no verdict.
    """

    model: str
    metric: Metric
    published: float
    difference: Difference
    equal: bool
    questions: int
    beside: bool = False

    @property
    def decided(self) -> bool:
        """Whether there is a verdict: the model's own system, and enough questions."""
        return not self.beside and self.questions >= MIN_QUESTIONS

    @property
    def differs(self) -> bool:
        """Decided, not equal, and the interval of the difference does not hold 0."""
        interval = self.difference.interval
        return self.decided and not self.equal and not interval.low <= 0 <= interval.high

    @property
    def agrees(self) -> bool:
        """Decided, and equal or within the interval."""
        return self.decided and not self.differs


def compare_cells(
    results: Sequence[ModelResult],
    published: PublishedTable,
    *,
    seed: int,
    resamples: int,
    depth: int = PUBLISHED_DEPTH,
) -> list[Cell]:
    """All metrics of the models that stand for a system of the score sheet, or beside one.

    Args:
        results: of all questions at hand.
        published: the published systems; where no question is in the sheet there are no cells.
        seed: of the questions that are drawn; the one of Table 1 gives its draws where the sheet
            has all questions.
        resamples: number of resamples.
        depth: the last rank the MRR counts.

    Raises:
        ConfigurationError: where a model stands for a system that is not listed.
    """
    joined = published.joined
    draws = draw_resamples(len(joined), np.random.default_rng(seed), resamples=resamples)
    systems = {system.name: system for system in published.systems}
    cells = []
    for result in results:
        name = result.compared_with
        if not name:
            continue
        if name not in systems:
            raise ConfigurationError(
                f"model {result.name}: there is no published system {name!r}; "
                f"choose from {', '.join(systems)}"
            )
        system = systems[name]
        if len(joined) and system.first_ranks is not None:
            cells += [
                _compare(result, metric, joined, system, system.first_ranks, draws, depth)
                for metric in METRICS
            ]
    return cells


def _compare(
    result: ModelResult,
    metric: Metric,
    joined: NDArray[np.int64],
    system: PublishedSystem,
    published_ranks: NDArray[np.int32],
    draws: NDArray[np.int32],
    depth: int,
) -> Cell:
    ranks = result.first_ranks[joined]
    ours = measure_ranks(ranks, metric, depth)
    published = measure_ranks(published_ranks, metric, depth)
    digits = system.mrr_digits if metric == "mrr" else 0
    return Cell(
        model=result.name,
        metric=metric,
        published=published,
        difference=paired_difference(ranks, published_ranks, metric, draws, depth=depth),
        equal=f"{ours:.{digits}f}" == f"{published:.{digits}f}",
        questions=len(ranks),
        beside=not result.published_as,
    )


def decide_verdict(cell: Cell, reasons: Sequence[str]) -> str:
    """``equal``, ``within interval`` or ``differs: `` and the reasons that explain the cell.

    Empty where there are fewer than ``MIN_QUESTIONS``, and where another model rebuilds the system.
    """
    if not cell.decided:
        return ""
    if cell.equal:
        return EQUAL
    if not cell.differs:
        return WITHIN_INTERVAL
    return DIFFERS + ("+".join(reasons) or UNEXPLAINED)
