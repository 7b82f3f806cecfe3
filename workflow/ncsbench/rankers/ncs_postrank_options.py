"""Options of ``ncs_postrank``."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class PostRankOptions(RankerOptions):
    """The base's best candidates by the six rules of the NCS paper."""

    takes_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("methods",)
    depth: int = Field(500, ge=1)
    """How many of the base's best methods are put in order."""
    rule_2_tokens: Literal["lexer", "words"] = "lexer"
    """What rule 2 counts: tokens of the Java lexer, or extracted words (DEV-19)."""
    unsplit_in: Literal["text", "identifiers"] = "text"
    """Where rules 5 and 6 look for the unsplit tokens of a query: among all tokens of a method's
    comment, code and class name, or among its names, calls and constants (DEV-84)."""
    unsplit_counts: Literal["all", "content"] = "all"
    """Which tokens m counts: all of them, or those that are no stop words (DEV-84)."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that do not count in n, nor in m with ``unsplit_counts: content``; a line
    ``stop_words: true`` of the model file fills them in."""


OPTIONS = PostRankOptions
