"""Which questions a system answers, by the size of their answer.

The published first ranks have a profile for each system: how many questions of each tercile of
answer size are answered within ten. A judge that is the published one must give each profile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.judged_rankings import Mask
from ncsbench.evaluation.metrics import question_shares
from ncsbench.judge_study.evidence_lines import Evidence, percentile_interval

TERCILES = 3


def cut_terciles(sizes: NDArray[np.int64], counted: Mask) -> NDArray[np.float64]:
    """Which tercile of size each question belongs to; equal sizes in the order of the questions.

    Args:
        sizes: features of each answer, shape (questions,).
        counted: the questions that count; the terciles are as equal in number as can be.

    Returns:
        1 for the tercile of the question, shape (questions, 3); all 0 for one that does not count.
    """
    members = np.zeros((len(sizes), TERCILES))
    ordered = np.flatnonzero(counted)[np.argsort(sizes[counted], kind="stable")]
    for tercile, questions in enumerate(np.array_split(ordered, TERCILES)):
        members[questions, tercile] = 1
    return members


def answered_by_tercile(
    first_ranks: NDArray[np.int32], members: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``members`` of the questions that are answered within ten; the column sums are counts."""
    return members * question_shares(first_ranks, "answered_10")[:, None]


def measure_distance(
    ours: NDArray[np.float64], theirs: NDArray[np.float64], weights: NDArray[np.float32]
) -> Evidence | None:
    """Mean distance of our profiles from the published ones, resampled by question.

    Args:
        ours: what ``answered_by_tercile`` gave for each system, shape (systems, questions, 3).
        theirs: the same for the published first ranks.
        weights: how often each question is in each resample, shape (resamples, questions).

    Returns:
        From 0 (the same shares in every tercile) to 1; None where there are no systems.
    """
    if not len(ours):
        return None
    whole = np.ones((1, ours.shape[1]), np.float32)
    distances = [_mean_distance(ours, theirs, drawn) for drawn in (whole, weights)]
    return Evidence(float(distances[0][0]), percentile_interval(distances[1]))


def _mean_distance(
    ours: NDArray[np.float64], theirs: NDArray[np.float64], weights: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Mean over systems for every resample, shape (resamples,)."""
    total = np.zeros(len(weights))
    for system in range(len(ours)):
        counts = [
            (weights @ profile[system].astype(np.float32)).astype(np.float64)
            for profile in (ours, theirs)
        ]
        sums = [count.sum(axis=1, keepdims=True) for count in counts]
        shares = [count / np.maximum(size, 1) for count, size in zip(counts, sums, strict=True)]
        distance = np.abs(shares[0] - shares[1]).sum(axis=1) / 2
        # A system that answers nothing has no profile, and is as far as can be.
        nothing = (sums[0][:, 0] == 0) | (sums[1][:, 0] == 0)
        total += np.where(nothing, 1.0, distance)
    return total / len(ours)
