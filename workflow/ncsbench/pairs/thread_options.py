"""Which threads of posts rankers are chosen by (docs/threads.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.questions.selection_options import TitleRuleName


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
    """Settings of the stage ``choose_threads``."""

    site: str = Field(min_length=1)
    """Address of the site without a slash at its end, for links to posts and authors."""
