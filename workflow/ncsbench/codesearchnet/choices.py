"""What the open choices of the encoders change: each beside the system without it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number
from ncsbench.codesearchnet.challenge_ranks import find_file
from ncsbench.codesearchnet.table3 import DIRECTIONS, MEAN, POOLED, read_shares
from ncsbench.configuration.strict_model import Names, StrictModel
from ncsbench.evaluation.intervals import draw_resamples, interval_between, resample_sum

_DIGITS = 4


class ChoiceRow(StrictModel):
    """A choice."""

    name: str
    """Of the run."""
    of: str
    """The run that it is compared with."""
    options: dict[str, Any]
    """Keys of the block ``encoder`` that differ."""


class ChoiceSettings(StrictModel):
    """Settings of the stage ``codesearchnet choices``."""

    choices: tuple[ChoiceRow, ...]
    """The rows in order."""
    languages: Names
    """In the order of the table."""
    pools: tuple[int, ...]
    """Sizes of pools."""
    seed: int
    """Seed of the resampled pairs."""
    bootstrap_samples: int
    """Resamples behind each 95 % interval."""


def choice_columns(pools: Sequence[int]) -> tuple[str, ...]:
    """Columns of ``csn_choices.csv``, in order; each size of pool has its own."""
    of_pools = (
        f"{name}_{pool}"
        for pool in pools
        for name in ("mrr", "mrr_without", "difference", "low", "high")
    )
    return ("choice", "changed", "of", "direction", "language", *of_pools)


def compare_choices(settings: ChoiceSettings, ranks: Sequence[Path]) -> list[Row]:
    """Rows of ``choice_columns``: every choice in both directions, in common pools and the mean.

    Differences are paired by test pair.

    Args:
        settings: of the table.
        ranks: a table of ``RANK_SCHEMA`` for every run.
    """
    rows = []
    for choice in settings.choices:
        for direction in DIRECTIONS:
            for place in (POOLED, MEAN):
                row = {
                    "choice": choice.name,
                    "changed": ", ".join(
                        f"{key}: {value}" for key, value in choice.options.items()
                    ),
                    "of": choice.of,
                    "direction": direction,
                    "language": place,
                }
                for pool in settings.pools:
                    row |= _compare(settings, ranks, choice, direction, place, pool)
                rows.append(row)
    return rows


def _compare(
    settings: ChoiceSettings,
    ranks: Sequence[Path],
    choice: ChoiceRow,
    direction: str,
    place: str,
    pool: int,
) -> Row:
    names = [f"{name}_{pool}" for name in ("mrr", "mrr_without", "difference", "low", "high")]
    places = settings.languages if place == MEAN else (POOLED,)
    shares = [
        [read_shares(find_file(ranks, run), direction, one, pool) for one in places]
        for run in (choice.name, choice.of)
    ]
    if not all(one.size for of_run in shares for one in of_run):
        return dict.fromkeys(names, "")
    means = [float(np.mean([one.mean() for one in of_run])) for of_run in shares]
    drawn = np.mean(
        [_resample(one - other, settings) for one, other in zip(*shares, strict=True)], axis=0
    )
    bounds = interval_between(drawn)
    figures = [format_number(mean, _DIGITS) for mean in means]
    figures += [
        format_number(number, _DIGITS, signed=True)
        for number in (means[0] - means[1], bounds.low, bounds.high)
    ]
    return dict(zip(names, figures, strict=True))


def _resample(values: NDArray[np.float64], settings: ChoiceSettings) -> NDArray[np.float64]:
    generator = np.random.default_rng(settings.seed)
    draws = draw_resamples(len(values), generator, resamples=settings.bootstrap_samples)
    return resample_sum(values, draws) / len(values)
