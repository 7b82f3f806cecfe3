"""Our figures beside the published ones on the same questions, with a verdict per cell.

A verdict has one of three outcomes: our figure is shown to equal the published one up to a margin,
it is shown to differ, or there are too few questions to decide (DEV-80, DEV-96).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures.metrics import METRICS, PUBLISHED_DEPTH, Metric, question_shares
from ncsbench.evaluation.measures.results import ModelResult
from ncsbench.evaluation.published.systems import PublishedTable
from ncsbench.evaluation.published.verdict_options import VerdictOptions
from ncsbench.evaluation.statistics.figures import Figures, summarise
from ncsbench.evaluation.statistics.intervals import Difference, Interval
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.significance import FamilyTest, compare_family

DIFFERENT = "different: "
NOT_COMPARABLE = "not comparable: "
MARGIN = "margin"
"""The reason of a cell whose margin is as large as the published figure, so that even 0 passes."""
UNEXPLAINED = "unexplained"

MIN_QUESTIONS = 20
"""Least number of questions of the score sheet for a verdict: percentile intervals of fewer are too
short, and with a handful, one question decides whether an interval holds 0."""


@dataclass(frozen=True)
class Cell:
    """One metric of one model beside the published figure, on the questions of the sheet.

    Attributes:
        model: our model.
        metric: one of ``METRICS``.
        published: the published figure on these questions.
        difference: our figure, a mean over runs with other seeds, minus the published one, with its
            paired interval.
        questions: number of questions of the sheet, over which both figures are computed.
        margin: the largest difference that counts as equivalent, in the unit of the figure.
        test: the tests of the difference; None with fewer than ``MIN_QUESTIONS``, where another
            model rebuilds the published system, and where the cell is not comparable.
        reason: the reason why the cell is not comparable; empty where it is comparable.
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
        """True where our figure is shown to differ from the published one."""
        return self.test is not None and self.test.outcome == "different"

    @property
    def agrees(self) -> bool:
        """True where there is a verdict, but not that the figures differ."""
        return self.test is not None and not self.differs


def compare_cells(
    results: Sequence[ModelResult],
    published: PublishedTable,
    sampling: Sampling,
    *,
    depth: int = PUBLISHED_DEPTH,
    options: VerdictOptions | None = None,
) -> list[Cell]:
    """Compare all metrics of the models that rebuild, or are set beside, a system of the sheet.

    The models that rebuild a system are one family, for whose size the tests are corrected
    (DEV-97). A model with replicates has the mean over its runs, and each resample has one of the
    runs (DEV-98).

    Args:
        results: results of all evaluated questions.
        published: the published systems; there are no cells if the sheet has no evaluated question.
        sampling: draws of the questions; the sampling of Table 1 gives the draws of Table 1 where
            the sheet has all questions.
        depth: the last rank the MRR counts.
        options: margins and correction; None for the default ones.

    Raises:
        ConfigurationError: where a model names a published system that is not listed.
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
    """Return the units of a cell: each question's share of our figure minus the published share."""
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
    """Add tests to the cells whose model rebuilds the published system; their order is kept."""
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

    The verdict is empty with fewer than ``MIN_QUESTIONS``, and where another model rebuilds the
    system.

    Args:
        cell: a cell of ``compare_cells``.
        reasons: the share of the difference that each reason covers.
    """
    if cell.test is None:
        return f"{NOT_COMPARABLE}{cell.reason}" if cell.reason else ""
    if not cell.differs:
        return cell.test.outcome
    named = [f"{reason} ({100 * share:.0f} %)" for reason, share in reasons.items()]
    return DIFFERENT + ("+".join(named) or UNEXPLAINED)


def read_reasons(verdict: str) -> list[str]:
    """Read the reasons that a verdict names, without their shares; an empty list if it has none."""
    if not verdict.startswith(DIFFERENT):
        return []
    return [each.partition(" (")[0] for each in verdict.removeprefix(DIFFERENT).split("+")]


def judge_figures(
    figures: Figures,
    printed: Sequence[float | None],
    reasons: Sequence[str],
    options: VerdictOptions | None = None,
) -> list[str]:
    """Judge each figure against the printed one, in one family of tests (DEV-96, DEV-97).

    Args:
        figures: means over units, such as MRR and NDCG: one unit adds 1 / n at most.
        printed: for each row, the printed figure, taken as exact; None without one.
        reasons: for each row that is not comparable, its verdict; empty for the others.
        options: margin and correction; None for the default ones.

    Returns:
        For each row, ``equivalent``, ``different`` or ``inconclusive``, followed in brackets by
        the outcome without the correction if that is another outcome; or the reason; or
        ``not comparable: margin``; or empty where no figure is printed.
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
