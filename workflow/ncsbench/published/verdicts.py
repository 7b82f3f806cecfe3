"""Ours beside the published figures on the same questions, with a verdict per cell.

A verdict has one of three outcomes: our figure is shown to be the published one up to a margin, it
is shown to be another one, or the questions cannot tell (DEV-80, DEV-96).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.figures import Figures, summarise
from ncsbench.evaluation.intervals import Difference, Interval
from ncsbench.evaluation.metrics import METRICS, PUBLISHED_DEPTH, Metric, question_shares
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.results import ModelResult
from ncsbench.evaluation.significance import FamilyTest, compare_family
from ncsbench.published.systems import PublishedTable
from ncsbench.published.verdict_options import VerdictOptions

DIFFERENT = "different: "
NOT_COMPARABLE = "not comparable: "
MARGIN = "margin"
"""The reason of a cell whose margin is as large as the published figure, so that 0 would pass."""
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
        difference: ours, a mean over runs with other seeds, minus the published one, with its
            paired interval.
        questions: how many questions of the sheet that is.
        margin: the difference that would still do, in the unit of the figure.
        test: what is shown of the difference; None where there are fewer than ``MIN_QUESTIONS``,
            where another model rebuilds the published system, and where it is not comparable.
        reason: why it is not comparable; empty where it is.
    """

    model: str
    metric: Metric
    published: float
    difference: Difference
    questions: int
    margin: float
    test: FamilyTest | None
    reason: str = ""

    @property
    def differs(self) -> bool:
        """Whether it is shown to be another figure than the published one."""
        return self.test is not None and self.test.outcome == "different"

    @property
    def agrees(self) -> bool:
        """Whether there is a verdict, and not that it is another figure."""
        return self.test is not None and not self.differs


def compare_cells(
    results: Sequence[ModelResult],
    published: PublishedTable,
    sampling: Sampling,
    *,
    depth: int = PUBLISHED_DEPTH,
    options: VerdictOptions | None = None,
) -> list[Cell]:
    """All metrics of the models that stand for a system of the score sheet, or beside one.

    Those that stand for a system are one family, for whose size the tests are corrected (DEV-97).
    A model with replicates has the mean over its runs, and each resample has one of them (DEV-98).

    Args:
        results: of all questions at hand.
        published: the published systems; where no question is in the sheet there are no cells.
        sampling: of the questions; that of Table 1 gives its draws where the sheet has all.
        depth: the last rank the MRR counts.
        options: margins and correction; None for the default ones.

    Raises:
        ConfigurationError: where a model stands for a system that is not listed.
    """
    systems = {system.name: system for system in published.systems}
    for result in results:
        if result.compared_with and result.compared_with not in systems:
            raise ConfigurationError(
                f"model {result.name}: there is no published system {result.compared_with!r}; "
                f"choose from {', '.join(systems)}"
            )
    shares = {
        (name, metric): question_shares(system.first_ranks, metric, depth)
        for name, system in systems.items()
        for metric in METRICS
        if system.first_ranks is not None
    }
    units = [
        _subtract(result, metric, published.joined, shares[result.compared_with, metric], depth)
        for result in results
        for metric in METRICS
        if len(published.joined) and (result.compared_with, metric) in shares
    ]
    if not units:
        return []
    options = options or VerdictOptions()
    figures = summarise(pd.concat(units), ["model", "metric"], sampling)
    compared = []
    for row, resampled in zip(figures.frame.itertuples(), figures.resampled, strict=True):
        of = next(one for one in results if one.name == row.model).compared_with
        value = float(shares[of, row.metric].sum())
        cell = Cell(
            model=row.model,
            metric=row.metric,
            published=value,
            difference=Difference(row.value * row.n, Interval(row.low * row.n, row.high * row.n)),
            questions=row.n,
            margin=options.find_margin(value, 1 / row.n if row.metric == "mrr" else 1),
            test=None,
        )
        compared.append((cell, resampled * row.n))
    rebuilding = {result.name for result in results if result.published_as}
    return _decide(compared, rebuilding, options)


def _subtract(
    result: ModelResult,
    metric: Metric,
    joined: NDArray[np.int64],
    published: NDArray[np.float64],
    depth: int,
) -> pd.DataFrame:
    """Units of a cell: what each question adds to ours, less what it adds to the published one."""
    runs = (result.first_ranks, *(each.ranks["lenient"] for each in result.replicates))
    return pd.concat(
        pd.DataFrame(
            {
                **{"model": result.name, "metric": metric, "unit": joined, "seed": seed},
                "value": question_shares(ranks[joined], metric, depth) - published,
            }
        )
        for seed, ranks in enumerate(runs)
    )


def _decide(
    compared: Sequence[tuple[Cell, NDArray[np.float64]]],
    rebuilding: Container[str],
    options: VerdictOptions,
) -> list[Cell]:
    """The cells in their order, with tests where the model rebuilds the published system."""
    judged = [
        replace(cell, reason=MARGIN if cell.margin >= cell.published else "")
        if cell.model in rebuilding and cell.questions >= MIN_QUESTIONS
        else None
        for cell, _ in compared
    ]
    family = [place for place, cell in enumerate(judged) if cell and not cell.reason]
    tests = compare_family(
        [compared[place][1] for place in family],
        [compared[place][0].margin for place in family],
        options.correction,
    )
    tested = dict(zip(family, tests, strict=True))
    return [
        replace(judged[place] or cell, test=tested.get(place))
        for place, (cell, _) in enumerate(compared)
    ]


def decide_verdict(cell: Cell, reasons: Mapping[str, float]) -> str:
    """Name the outcome of a cell, with reasons where it is ``different`` or ``not comparable``.

    Empty where there are fewer than ``MIN_QUESTIONS``, and where another model rebuilds the system.

    Args:
        cell: one of ``compare_cells``.
        reasons: the share of the difference that each covers.
    """
    if cell.test is None:
        return f"{NOT_COMPARABLE}{cell.reason}" if cell.reason else ""
    if not cell.differs:
        return cell.test.outcome
    named = [f"{reason} ({100 * share:.0f} %)" for reason, share in reasons.items()]
    return DIFFERENT + ("+".join(named) or UNEXPLAINED)


def read_reasons(verdict: str) -> list[str]:
    """The reasons that a verdict names, without their shares; none where there are none."""
    if not verdict.startswith(DIFFERENT):
        return []
    return [each.partition(" (")[0] for each in verdict.removeprefix(DIFFERENT).split("+")]


def judge_figures(
    figures: Figures,
    printed: Sequence[float | None],
    reasons: Sequence[str],
    options: VerdictOptions | None = None,
) -> list[str]:
    """Judge each figure beside the printed one, as one of a family (DEV-96, DEV-97).

    Args:
        figures: means over units, such as MRR and NDCG: one unit adds 1 / n at most.
        printed: by row the printed figure, taken for exact; None without one.
        reasons: by row the verdict of a row that is not comparable; empty where it is.
        options: margin and correction; None for the default ones.

    Returns:
        By row ``equivalent``, ``different`` or ``inconclusive``, with the outcome without the
        correction in brackets where it is another one; the reason, or ``not comparable: margin``;
        empty where nothing is printed.
    """
    options = options or VerdictOptions()
    verdicts = list(reasons)
    family, resampled, margins = [], [], []
    for place, (value, reason) in enumerate(zip(printed, reasons, strict=True)):
        if value is None:
            verdicts[place] = ""
            continue
        margin = options.find_margin(value, 1 / int(figures.frame["n"].iloc[place]))
        if not reason and margin >= value:
            verdicts[place] = f"{NOT_COMPARABLE}{MARGIN}"
        elif not reason:
            family.append(place)
            resampled.append(figures.resampled[place] - value)
            margins.append(margin)
    for place, test in zip(
        family, compare_family(resampled, margins, options.correction), strict=True
    ):
        alone = f" (alone: {test.outcome_alone})" if test.outcome_alone != test.outcome else ""
        verdicts[place] = f"{test.outcome}{alone}"
    return verdicts
