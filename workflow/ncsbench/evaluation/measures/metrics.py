"""Answered@k and MRR as published, and the length of retrieved methods.

Source: NCSED paper, Table 1. Answered@k is a number of questions. The MRR of the
published sheet counts ranks up to 50, takes 0 for a question that is not found, and divides by
all questions.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Run, ranks_in_run

PUBLISHED_DEPTH = 50
"""The last rank the published sheet and its MRR look at."""

Metric = Literal["answered_1", "answered_5", "answered_10", "mrr"]
METRICS: tuple[Metric, ...] = get_args(Metric)
"""The four figures of the published table, in its order."""


def answered_at(first_ranks: NDArray[np.int32], k: int) -> int:
    """Answered@k: how many questions have their first accepted method at rank k or better.

    Args:
        first_ranks: shape (questions,), from 1, 0 = not found.
        k: the last rank that counts.
    """
    return int(np.count_nonzero((first_ranks > 0) & (first_ranks <= k)))


def mean_reciprocal_rank(first_ranks: NDArray[np.int32], depth: int = PUBLISHED_DEPTH) -> float:
    """MRR over all questions, in [0, 1]; 0.0 where there are no questions.

    Args:
        first_ranks: shape (questions,), from 1, 0 = not found.
        depth: the last rank that counts; deeper ones give 0.
    """
    if len(first_ranks) == 0:
        return 0.0
    return float(reciprocal_ranks(first_ranks, depth).sum() / len(first_ranks))


def reciprocal_ranks(
    first_ranks: NDArray[np.int32], depth: int = PUBLISHED_DEPTH
) -> NDArray[np.float64]:
    """1 / rank, float64, shape (questions,); 0 where not found or deeper than ``depth``."""
    counted = (first_ranks > 0) & (first_ranks <= depth)
    return np.where(counted, 1.0 / np.maximum(first_ranks, 1), 0.0)


def measure_ranks(
    first_ranks: NDArray[np.int32], metric: Metric, depth: int = PUBLISHED_DEPTH
) -> float:
    """The value of one of ``METRICS``: a number of questions, or the MRR to ``depth``."""
    if metric == "mrr":
        return mean_reciprocal_rank(first_ranks, depth)
    return float(answered_at(first_ranks, _cut(metric)))


def question_shares(
    first_ranks: NDArray[np.int32], metric: Metric, depth: int = PUBLISHED_DEPTH
) -> NDArray[np.float64]:
    """Share of each question in a metric; the sum over all is the metric (see ``measure_ranks``).

    Returns:
        float64, shape (questions,): 0 or 1 for Answered@k, reciprocal rank / questions for MRR.
    """
    if metric == "mrr":
        return reciprocal_ranks(first_ranks, depth) / max(len(first_ranks), 1)
    return ((first_ranks > 0) & (first_ranks <= _cut(metric))).astype(np.float64)


def median_lines(
    run: Run, lines: NDArray[np.int32], query_ids: NDArray[np.int32], top: int = 10
) -> float | None:
    """Median length of the methods retrieved first; a judge that favours long methods shows here.

    Args:
        run: rankings, ordered as ``base.runs.rankings.Run`` says.
        lines: lines of every method of the corpus, shape (methods,), index = method id.
        query_ids: ids of the evaluated questions; rankings of other questions are ignored.
        top: the last rank that counts.

    Returns:
        Median over all counted results, in lines; None where there are no such results.
    """
    counted = (ranks_in_run(run) <= top) & np.isin(run.query_ids, query_ids)
    return float(np.median(lines[run.ids[counted]])) if counted.any() else None


def _cut(metric: Metric) -> int:
    return int(metric.removeprefix("answered_"))
