"""Options of the selection of evaluation questions from posts (docs/posts.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from ncsbench.base.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.code.aroma.similarity_names import Similarity
from ncsbench.errors import nearest
from ncsbench.posts.questions.title_rules import TITLE_RULES


def _check_rule(name: str) -> str:
    if name not in TITLE_RULES:
        raise ValueError(f"{name!r} is no title rule; {nearest(name, list(TITLE_RULES))}")
    return name


LINK_ORDERS = ("links", "duplicates")
"""Orders of popularity that need the links of a dump."""

TitleRuleName = Annotated[str, AfterValidator(_check_rule)]


class SelectionOptions(StrictModel):
    """The block ``selection`` of the configuration (DEV-46 to DEV-48, DEV-103)."""

    tags: Names = ("android", "java")
    """Tags that a question must have, all of them; with an empty list, every question counts."""
    count: int = Field(17000, ge=1)
    """Number of the most popular questions that are taken before all other steps."""
    popularity: Literal["views", "score", "links", "duplicates"] = "views"
    """Order of popularity. ``views``: questions without a count of views come after all others, by
    score. ``score``: by the score of the questions. ``links`` and ``duplicates``: by the number of
    links or duplicates that point to a question, then by views, so that frequently asked questions
    come first; both need ``posts.links`` of the dataset file (DEV-103)."""
    answer: Literal["accepted", "best"] = "accepted"
    """The answer that is taken. ``accepted``: the accepted answer if it is upvoted and has code,
    else the best answer; ``best``: the upvoted answer with code that has the highest score."""
    snippet: Literal["first", "longest", "all"] = "first"
    """The code blocks of the answer that make the snippet."""
    java_only: bool = True
    """True where only code blocks that look like Java count."""
    title_rules: Annotated[tuple[TitleRuleName, ...], Distinct] = (
        *("comparison", "reason", "opinion", "concept"),
        *("fact", "tools"),
    )
    """Names of the rules that reject titles. Some published questions are reports of trouble, so
    the rule ``trouble`` is not among the defaults (DEV-43)."""


class CandidateSettings(SelectionOptions):
    """Settings of the stage ``candidates``."""

    site: str = Field(min_length=1)
    """Address of the site without a slash at its end, for links to posts and authors."""
    tags_needed: Literal["all", "any"] = "all"
    """The tags that a question must have: all of ``tags``, or any of them."""


class SelectSettings(StrictModel):
    """Settings of the stage ``select_questions``."""

    judge: Similarity
    """The similarity by which matches are found."""


class QuestionSettings(StrictModel):
    """Settings of the stage ``questions``."""

    questions: tuple[str, ...] = Field(min_length=1)
    """Files of questions."""
    gold: tuple[str, ...] = ()
    """Files of gold; then questions need no answers, and JSON lines without gold are left out."""


class QuestionPart(StrictModel):
    """A part of the questions of a dataset: settings of the stage ``part_questions``."""

    name: str
    """Name of the part."""
    ids: tuple[str, ...] = Field(min_length=1)
    """The ``stackoverflow_id`` of its questions."""
