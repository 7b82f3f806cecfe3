"""95 % intervals of single figures: Wilson's for Answered@k, the bootstrap's for MRR (DEV-32)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.intervals import Interval, interval_of_sum
from ncsbench.evaluation.metrics import PUBLISHED_DEPTH, Metric, measure_ranks, question_shares
from ncsbench.evaluation.proportions import wilson_interval


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
