"""Differences of first ranks on the same questions: NCSED's four measures of two rows each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row
from ncsbench.evaluation.figures import summarise
from ncsbench.evaluation.metrics import METRICS, PUBLISHED_DEPTH, Metric, question_shares
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.results import format_value

DIFFERENCE_FIGURES = ("value", "baseline_value", "difference", "low", "high")
"""Figures of a difference: those of both rows, the first less the second, its 95 % interval."""


def compare_ranks(
    ranks: Mapping[str, NDArray[np.int32]],
    pairs: Iterable[tuple[str, str]],
    sampling: Sampling,
    *,
    depth: int = PUBLISHED_DEPTH,
    metrics: Sequence[Metric] = METRICS,
) -> list[Row]:
    """Compare pairs of rows, paired by question.

    Args:
        ranks: first ranks by row, each int32, shape (questions,), from 1, 0 = not found.
        pairs: a row and the one that it is compared with.
        sampling: of the questions.
        depth: the last rank the MRR counts.
        metrics: the measures.

    Returns:
        By measure, then by pair: ``measure``, ``model``, ``baseline`` and ``DIFFERENCE_FIGURES``,
        Answered@k in questions.

    Raises:
        ValueError: where two rows have other numbers of questions.
    """
    pairs = list(pairs)
    named = dict.fromkeys(name for pair in pairs for name in pair)
    questions = {len(ranks[name]) for name in named}
    if len(questions) > 1:
        raise ValueError(f"{sorted(questions)} questions cannot be paired")
    if not questions - {0}:
        nothing = dict.fromkeys(DIFFERENCE_FIGURES, 0.0)
        return [
            {"measure": str(metric), "model": model, "baseline": baseline}
            | {name: format_value(metric, value) for name, value in nothing.items()}
            for metric in metrics
            for model, baseline in pairs
        ]
    units = pd.concat(
        pd.DataFrame(
            {
                **{"measure": metric, "model": name, "seed": 0},
                "value": question_shares(ranks[name], metric, depth),
            }
        )
        .rename_axis("unit")
        .reset_index()
        for metric in metrics
        for name in named
    )
    found = summarise(units, ["measure", "model"], sampling).against("model", pairs).frame
    rows = []
    for row in found.itertuples():
        figures = {
            "value": row.value + row.baseline_value,
            "baseline_value": row.baseline_value,
            "difference": row.value,
            "low": row.low,
            "high": row.high,
        }
        rows.append(
            {
                **{"measure": row.measure, "model": row.model, "baseline": row.baseline},
                # A share of a question is a mean here, and what it adds to a sum elsewhere.
                **{name: format_value(row.measure, one * row.n) for name, one in figures.items()},
            }
        )
    return rows
