"""Results of the models: first ranks under each judge of Table 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import format_number
from ncsbench.evaluation.measures.metrics import METRICS

LABELS: Mapping[str, str] = dict(zip(METRICS, ("@1", "@5", "@10", "MRR"), strict=True))
"""Short names of the measures, for headings."""
TITLES: Mapping[str, str] = dict(
    zip(METRICS, ("Answered@1", "Answered@5", "Answered@10", "MRR"), strict=True)
)
"""Whole names of the measures."""
_COUNTED = METRICS[:3]  # numbers of questions
CEILING = "ceiling"
"""Name of the last row: questions with any accepted method in the corpus."""


@dataclass(frozen=True)
class Judge:
    """A similarity of ``SIMILARITIES`` and the threshold that an accepted method must exceed."""

    similarity: str
    threshold: float

    @property
    def cells(self) -> tuple[str, str]:
        """Similarity and threshold as the tables have them."""
        return self.similarity, repr(float(self.threshold))


JUDGE_PREFIXES = {"lenient": "", "strict": "strict_", "charged": "charged_"}
"""Prefixes of the columns of each judge of Table 1, by the judge's name (docs/judge.md)."""

Ranks = Mapping[str, NDArray[np.int32]]
"""First ranks by name of the judge, each int32, shape (questions,), 0 = not found."""


@dataclass(frozen=True)
class Replicate:
    """Results of a model with another seed.

    Attributes:
        name: the run.
        ranks: the first ranks of the run.
    """

    name: str
    ranks: Ranks


@dataclass(frozen=True)
class ModelResult:
    """Results of one model.

    Attributes:
        name: the model.
        trained_on: the corpus or data set the model was trained on; empty without training.
        ranks: first ranks of the model.
        median_lines: median length of its top 10 results; None where it has no results.
        published_as: the published system that the model represents; empty if it represents none.
        beside: a published system whose figures are shown beside the model's without a verdict;
            empty without such a system.
        replicates: the same model with other seeds.
        training_pairs: number of pairs the model was trained on; None where it is not trained on
            pairs.
    """

    name: str
    trained_on: str
    ranks: Ranks
    median_lines: float | None
    published_as: str = ""
    replicates: tuple[Replicate, ...] = ()
    training_pairs: int | None = None
    beside: str = ""

    @property
    def first_ranks(self) -> NDArray[np.int32]:
        """First ranks under the lenient judge, by which models are compared with published ones."""
        return self.ranks["lenient"]

    @property
    def compared_with(self) -> str:
        """Published system whose figures are shown beside the model's own; empty without one."""
        return self.published_as or self.beside


def format_value(measure: str, value: float) -> str:
    """Text of a figure or a bound: a number of questions with at most one decimal, else six."""
    if measure in _COUNTED:
        return format_number(value, 1).removesuffix(".0")
    return format_number(value, 6)


def show_value(metric: str, text: str, *, digits: int = 3, signed: bool = False) -> str:
    """A figure of a table for readers: a number of questions with at most one decimal, else more.

    An empty cell stays empty.
    """
    if not text:
        return ""
    if metric in _COUNTED:
        return format_number(float(text), 1, signed=signed).removesuffix(".0")
    return format_number(float(text), digits, signed=signed)
