"""What the models reached: first ranks under a default and a strict judge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import format_number
from ncsbench.evaluation.metrics import Metric

CEILING = "ceiling"
"""Name of the last row: questions with any accepted method in the corpus."""


@dataclass(frozen=True)
class Judge:
    """A similarity of ``SIMILARITIES`` and the threshold that an accepted method must exceed."""

    similarity: str
    threshold: float


@dataclass(frozen=True)
class Replicate:
    """What a model reached with another seed.

    Attributes:
        name: the run.
        first_ranks: under the default judge, int32, shape (questions,), 0 = not found.
        strict_first_ranks: the same under the strict judge.
    """

    name: str
    first_ranks: NDArray[np.int32]
    strict_first_ranks: NDArray[np.int32]


@dataclass(frozen=True)
class ModelResult:
    """What one model reached.

    Attributes:
        name: the model.
        trained_on: what it was trained on; empty where on nothing.
        first_ranks: under the default judge, int32, shape (questions,), 0 = not found.
        strict_first_ranks: the same under the strict judge.
        median_lines: median length of its top 10 results; None where there are none.
        published_as: the published system that it stands for; empty where for none.
        beside: a published system whose figures stand beside it without a verdict; likewise.
        replicates: the same model with other seeds.
        training_pairs: number of pairs it was trained on; None where it is not trained so.
    """

    name: str
    trained_on: str
    first_ranks: NDArray[np.int32]
    strict_first_ranks: NDArray[np.int32]
    median_lines: float | None
    published_as: str = ""
    replicates: tuple[Replicate, ...] = ()
    training_pairs: int | None = None
    beside: str = ""

    @property
    def compared_with(self) -> str:
        """The published system whose figures stand beside its own; empty where there is none."""
        return self.published_as or self.beside


@dataclass(frozen=True)
class Ceiling:
    """First ranks of a perfect ranking under both judges (``ceiling.rank_ceiling``)."""

    first_ranks: NDArray[np.int32]
    strict_first_ranks: NDArray[np.int32]


def format_value(metric: Metric, value: float) -> str:
    """Text of a figure or a bound: MRR with six decimals, numbers of questions with at most one."""
    return (
        format_number(value, 6) if metric == "mrr" else format_number(value, 1).removesuffix(".0")
    )
