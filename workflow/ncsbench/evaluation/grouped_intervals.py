"""Medians over trainings, with groups of questions and trainings resampled together (DEV-196).

A training is known by its seed and by the random draw of its training set. Questions of a group,
such as those with the same text, are not independent, so whole groups are drawn with replacement;
of the trainings, seeds and draws are. One set of draws serves all figures on the same questions, so
that their differences are paired by group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.evaluation.intervals import draw_resamples, resample_sum
from ncsbench.evaluation.resampled_figures import ResampledFigure

Values = NDArray[np.float64]
"""What each question adds, shape (questions,)."""


@dataclass(frozen=True)
class GroupedDraws:
    """What every resample is made of.

    Attributes:
        of_questions: number of the group of each question, from 0, int64, shape (questions,).
        groups: groups of every resample, int32, shape (resamples, groups).
        seeds: places of seeds as shares of how many there are, float64 in [0, 1), shape
            (resamples, seeds).
        draws: those of draws of a training set, shape (resamples, draws).
    """

    of_questions: NDArray[np.int64]
    groups: NDArray[np.int32]
    seeds: NDArray[np.float64]
    draws: NDArray[np.float64]


def draw_groups(
    groups: Sequence[str], *, seed: int, seeds: int, draws: int, resamples: int
) -> GroupedDraws:
    """Draw groups, seeds and draws of every resample.

    Args:
        groups: the group of each question.
        seed: equal ones give equal draws.
        seeds: how many seeds a figure has at most, at least 1.
        draws: how many draws of a training set, at least 1.
        resamples: number of resamples.
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(groups))}
    trainings = np.random.default_rng([seed, 1])  # so that groups are the same with other seeds
    return GroupedDraws(
        np.array([numbers[name] for name in groups], np.int64),
        draw_resamples(len(numbers), np.random.default_rng(seed), resamples=resamples),
        trainings.random((resamples, seeds)),
        trainings.random((resamples, draws)),
    )


def resample_median(trainings: Sequence[Sequence[Values]], drawn: GroupedDraws) -> ResampledFigure:
    """The median over trainings of the mean over questions, as it is and resampled.

    Args:
        trainings: by seed, then by draw of the training set; there may be fewer draws with some
            seeds than with others. At least one, and at most as many as ``drawn`` is for.
        drawn: of the questions.
    """
    sizes = np.bincount(drawn.of_questions).astype(np.float64)
    resampled_sizes = resample_sum(sizes, drawn.groups)
    counts = np.array([len(of_seed) for of_seed in trainings])
    resamples = len(drawn.groups)
    means = np.zeros((len(trainings), counts.max(), resamples))
    for seed, of_seed in enumerate(trainings):
        for draw, values in enumerate(of_seed):
            sums = np.bincount(drawn.of_questions, values, len(sizes)).astype(np.float64)
            means[seed, draw] = resample_sum(sums, drawn.groups) / resampled_sizes
    # The same draws with every seed that has them, as they are of the same pairs.
    seeds = (drawn.seeds[:, : len(trainings), None] * len(trainings)).astype(int)
    draws = (drawn.draws[:, None, : counts.max()] * counts[seeds]).astype(int)
    chosen = means[seeds, draws, np.arange(resamples)[:, None, None]]
    value = np.median([values.mean() for of_seed in trainings for values in of_seed])
    return ResampledFigure(float(value), np.median(chosen.reshape(resamples, -1), axis=1))
