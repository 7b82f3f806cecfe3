"""How evaluation questions are selected from posts (docs/posts.md)."""

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
    """A question must have all of these; with none, every question counts."""
    count: int = Field(17000, ge=1)
    """How many of the most popular questions are looked at."""
    popularity: Literal["views", "score", "links", "duplicates"] = "views"
    """``views`` (questions without a count come after all others, by score), ``score``, or how many
    ``links`` or ``duplicates`` point to a question, then by views: what is frequently asked; these
    two need ``posts.links`` of the dataset file (DEV-103)."""
    answer: Literal["accepted", "best"] = "accepted"
    """``accepted``: the accepted answer if it is upvoted and has code, else the best; ``best``: the
    upvoted answer with code that has the highest score."""
    snippet: Literal["first", "longest", "all"] = "first"
    """Which of the answer's code blocks are the snippet."""
    java_only: bool = True
    """Whether a block must look like Java."""
    title_rules: Annotated[tuple[TitleRuleName, ...], Distinct] = (
        *("comparison", "reason", "opinion", "concept"),
        *("fact", "tools"),
    )
    """Rules that reject titles, by name. The published questions have reports of trouble among
    them, so the rule "trouble" is not among the defaults (DEV-43)."""


class CandidateSettings(SelectionOptions):
    """Settings of the stage ``candidates``."""

    site: str = Field(min_length=1)
    """Address of the site without a slash at its end, for links to posts and authors."""
    tags_needed: Literal["all", "any"] = "all"
    """Whether a question must have all of the tags or any of them."""


class SelectSettings(StrictModel):
    """Settings of the stage ``select_questions``."""

    judge: Similarity
    """The similarity that a match is found by."""


class QuestionSettings(StrictModel):
    """Settings of the stage ``questions``."""

    questions: tuple[str, ...] = Field(min_length=1)
    """Files of questions in the published schema."""


class QuestionPart(StrictModel):
    """A part of the questions of a dataset: settings of the stage ``part_questions``."""

    name: str
    """Name of the part."""
    ids: tuple[str, ...] = Field(min_length=1)
    """The ``stackoverflow_id`` of its questions."""
