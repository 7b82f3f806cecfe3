"""Figures of first ranks: NCSED's four measures of rows with intervals, alone and two by two.

The 95 % interval of a number of questions is Wilson's, that of an MRR and of a difference the
bootstrap's (DEV-32). Ranks are given by what names a row, such as a judge and a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row
from ncsbench.evaluation.figures import summarise
from ncsbench.evaluation.intervals import Interval, interval_of_sum
from ncsbench.evaluation.metrics import (
    METRICS,
    PUBLISHED_DEPTH,
    Metric,
    measure_ranks,
    question_shares,
)
from ncsbench.evaluation.proportions import wilson_interval
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.results import format_value

RankedRows = dict[tuple[str, ...], NDArray[np.int32]]
"""First ranks of rows, each int32, shape (questions,), from 1, 0 = not found."""
MEASURED = ("value", "low", "high")
"""A figure and the bounds of its 95 % interval."""
DIFFERENCE_FIGURES = ("value", "baseline_value", "difference", "low", "high")
"""Figures of a difference: those of both rows, the first less the second, its 95 % interval."""


def metric_interval(
    first_ranks: NDArray[np.int32],
    metric: Metric,
    draws: NDArray[np.int32],
    *,
    depth: int = PUBLISHED_DEPTH,
) -> Interval:
    """Interval of Answered@k (numbers of questions) or MRR.

    A number of questions is binomial, and Wilson's interval has a width also where all or none are
    answered, for which every resample is the same.

    Args:
        first_ranks: shape (questions,), from 1, 0 = not found.
        metric: one of ``metrics.METRICS``.
        draws: what ``draw_resamples`` gave for this number of questions.
        depth: the last rank the MRR counts.

    Raises:
        ValueError: where ``draws`` were made for another number of questions.
    """
    if metric == "mrr":
        return interval_of_sum(question_shares(first_ranks, metric, depth), draws)
    questions = len(first_ranks)
    share = wilson_interval(int(measure_ranks(first_ranks, metric, depth)), questions)
    return Interval(questions * share.low, questions * share.high)


def measure_rows(
    ranks: RankedRows, keys: Sequence[str], sampling: Sampling, *, depth: int = PUBLISHED_DEPTH
) -> pd.DataFrame:
    """Measure rows: ``keys``, ``measure`` and ``MEASURED`` as text, by row, then by measure.

    Args:
        ranks: rows of the same questions.
        keys: names of what names a row.
        sampling: of the questions.
        depth: the last rank the MRR counts.
    """
    draws = sampling.draw(len(next(iter(ranks.values()), ()))).clusters
    rows = []
    for key, first in ranks.items():
        for metric in METRICS:
            interval = metric_interval(first, metric, draws, depth=depth)
            value = measure_ranks(first, metric, depth)
            rows.append((*key, metric, value, interval.low, interval.high))
    return format_measures(pd.DataFrame(rows, columns=[*keys, "measure", *MEASURED]), MEASURED)


def compare_ranks(
    ranks: RankedRows,
    keys: Sequence[str],
    pairs: Iterable[tuple[str, str]],
    sampling: Sampling,
    *,
    depth: int = PUBLISHED_DEPTH,
    metrics: Sequence[Metric] = METRICS,
) -> pd.DataFrame:
    """Compare pairs of rows, paired by question.

    Args:
        ranks: rows of the same questions.
        keys: names of what names a row; the last is that in which the rows of a pair differ.
        pairs: values of the last key: of a row and of the one that it is compared with.
        sampling: of the questions.
        depth: the last rank the MRR counts.
        metrics: the measures.

    Returns:
        By the other keys, by measure, then by pair: ``keys``, ``measure``, ``baseline``,
        ``questions`` and ``DIFFERENCE_FIGURES`` as text, Answered@k in questions.

    Raises:
        ValueError: where two rows have other numbers of questions.
    """
    pairs, (*others, over) = list(pairs), keys
    named = {name for pair in pairs for name in pair}
    chosen = {key: found for key, found in ranks.items() if key[-1] in named}
    questions = {len(found) for found in chosen.values()}
    if len(questions) > 1:
        raise ValueError(f"{sorted(questions)} questions cannot be paired")
    if questions - {0}:
        units = pd.concat(
            pd.DataFrame(
                {
                    **dict(zip(keys, key, strict=True)),
                    **{"measure": metric, "unit": np.arange(len(first)), "seed": 0},
                    "value": question_shares(first, metric, depth),
                }
            )
            for key, first in chosen.items()
            for metric in metrics
        )
        found = summarise(units, [*others, "measure", over], sampling).against(over, pairs).frame
    else:  # nothing is drawn of no questions
        prefixes = dict.fromkeys(key[:-1] for key in chosen)
        rows = [(*key, metric, *pair) for key in prefixes for metric in metrics for pair in pairs]
        found = pd.DataFrame(rows, columns=[*others, "measure", over, "baseline"])
        found = found.assign(n=0, value=0.0, baseline_value=0.0, low=0.0, high=0.0)
    # A share of a question is a mean here, and what it adds to a sum elsewhere.
    found = found.assign(
        questions=found["n"].astype(str),
        difference=found["value"] * found["n"],
        value=(found["value"] + found["baseline_value"]) * found["n"],
        **{name: found[name] * found["n"] for name in ("baseline_value", "low", "high")},
    )
    return format_measures(found, DIFFERENCE_FIGURES)


def describe_sum(
    values: NDArray[np.float64],
    metric: Metric,
    draws: NDArray[np.int32],
    *,
    limit: float | None = None,
) -> Row:
    """Sum over questions with its interval, kept between 0 and ``limit`` where there is one."""
    bounds = interval_of_sum(values, draws)
    cells = dict(zip(MEASURED, (float(values.sum()), bounds.low, bounds.high), strict=True))
    if limit is not None:
        cells = {cell: min(max(value, 0.0), limit) for cell, value in cells.items()}
    return {cell: format_value(metric, value) for cell, value in cells.items()}


def format_measures(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Columns of figures as text, by the ``measure`` of each row."""
    return frame.assign(
        **{
            name: [format_value(*cell) for cell in zip(frame["measure"], frame[name], strict=True)]
            for name in names
        }
    )
