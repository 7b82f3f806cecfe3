"""Haystacks of a dataset: options, their names, and settings of their stages."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.code.aroma.similarity_names import Similarity
from ncsbench.evaluation.statistics.evaluation_options import EvaluationOptions

BASE, ALL, CORPUS = "base", "all", "corpus"
"""Names of haystacks: the base alone; the base and all distractors without their published
examples; and the whole corpus, with these examples."""
WITHOUT_EXAMPLES = "_without_examples"
"""End of the name of a haystack whose base lacks the published examples, too."""


def _check_ascending(steps: tuple[int, ...]) -> tuple[int, ...]:
    if any(left >= right for left, right in pairwise(steps)):
        raise ValueError("the numbers of methods must ascend")
    return steps


class HaystackOptions(StrictModel):
    """The division of the corpus into a base and distractors (docs/corpus.md)."""

    base: Path
    """List of the repositories of the base, in the form of ``repositories``, which must name them
    too; all other repositories are distractors."""
    steps: Annotated[tuple[Annotated[int, Field(ge=1)], ...], AfterValidator(_check_ascending)] = ()
    """Numbers of methods, ascending: distractors join the base until it has as many methods."""
    seed: int = Field(1, ge=0)
    """Seed of the order in which distractors join."""


class MemberSettings(HaystackOptions):
    """Settings of the stage ``haystack_members``."""

    judge: Similarity
    """The similarity by which a method is a near copy of a published example."""


class HaystackRuns(StrictModel):
    """The runs of one row of Table 1."""

    model: str
    """Name of the row."""
    published_as: str
    """The published system that the row rebuilds; empty if it rebuilds none."""
    runs: dict[str, str]
    """Names of the runs, by haystack."""


class HaystackTableSettings(EvaluationOptions):
    """Settings of the stage ``haystack_table``."""

    dataset: str
    """Name of the dataset."""
    steps: tuple[int, ...]
    """Numbers of methods of the haystacks between base and all."""
    models: tuple[HaystackRuns, ...]
    """Rows in the order of Table 1."""


def name_series(steps: tuple[int, ...]) -> list[str]:
    """Name the haystacks that grow, by ascending number of methods."""
    return [BASE, *map(str, steps), ALL]


def name_haystacks(steps: tuple[int, ...]) -> list[str]:
    """Name all haystacks that are parts of the corpus."""
    return [*name_series(steps), f"{BASE}{WITHOUT_EXAMPLES}", f"{ALL}{WITHOUT_EXAMPLES}"]
