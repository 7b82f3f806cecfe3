"""Which threads of posts a ranker is trained with (docs/threads.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.evaluation.evaluation_options import JudgeOptions
from ncsbench.questions.selection_options import TitleRuleName

ComparedPart = Literal["selection", "test"]
"""A part of the threads that nothing is trained on."""


class ThreadOptions(StrictModel):
    """The block ``threads`` of the configuration."""

    tags: Names = ("android", "java")
    """A question must have any of these; with none, every question counts."""
    count: int = Field(20000, ge=1)
    """How many of the most popular questions are looked at."""
    popularity: Literal["views", "score"] = "views"
    """``views`` (questions without a count come after all others, by score) or ``score``."""
    snippet: Literal["first", "longest"] = "first"
    """Which Java block of the answer is its code."""
    title_rules: Annotated[tuple[TitleRuleName, ...], Distinct] = (
        *("comparison", "reason", "opinion", "concept"),
        *("fact", "tools"),
    )
    """Rules that reject titles, by name, as of ``selection.title_rules``."""


class ThreadSettings(ThreadOptions):
    """Settings of the stage ``learning-to-rank threads``."""

    site: str = Field(min_length=1)
    """Address of the site without a slash at its end, for links to posts and authors."""


class ThreadComparisonOptions(StrictModel):
    """The block ``thread_comparison`` of the configuration."""

    part: ComparedPart = "selection"
    """The part of the threads that they search for; `test` is for one look."""
    judged_against: Names = ()
    """Models of which the best one is what each variant is compared with."""
    variants: Names = ()
    """Models among which one is chosen, the simplest first."""
    seeds: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Distinct, Field(min_length=1)] = (
        2019,
        2020,
        2021,
    )
    """Seeds of each variant; models of `judged_against` have that of the run."""


class ComparedVariant(StrictModel):
    """A variant and its runs."""

    name: str
    """The model."""
    runs: Annotated[tuple[str, ...], Field(min_length=1)]
    """Names of its runs, one for each seed."""


class ThreadComparisonSettings(JudgeOptions):
    """Settings of the stage ``learning-to-rank compare``."""

    part: ComparedPart
    """The part of the threads."""
    judged_against: Annotated[Names, Field(min_length=1)]
    """Names of the runs of which the best one is what each variant is compared with."""
    variants: Annotated[tuple[ComparedVariant, ...], Field(min_length=1)]
    """What is compared, the simplest first."""
