"""Options of ``ncs_postrank``."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class PostRankOptions(RankerOptions):
    """The base's best candidates by the six rules of the NCS paper."""

    takes_base: ClassVar[bool] = True
    depth: int = Field(500, ge=1)
    """How many of the base's best methods are put in order."""
    rule_2_tokens: Literal["lexer", "words"] = "lexer"
    """What rule 2 counts: tokens of the Java lexer, or extracted words (DEV-19)."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that count in neither n nor m; a line ``stop_words: true`` of the model
    file fills them in."""


OPTIONS = PostRankOptions
