"""Options of ``ncs_expanded``."""

from __future__ import annotations

from typing import ClassVar, Literal

from ncsbench.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import RankerOptions


class ExpandedOptions(RankerOptions):
    """Code words of answers, added to the queries of the base."""

    takes_base: ClassVar[bool] = True
    refers_to_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("expansion",)
    of_queries: ClassVar[tuple[str, ...]] = ("minimum_value", "additions", "stop_words")
    minimum_value: Share = 0.05
    """Least share of its row that a code word must have to be added."""
    additions: Literal["new", "all"] = "new"
    """Which of these are added: those with a word that is no stop word and that the query has not,
    or all (DEV-86)."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that are removed from a query; a line ``stop_words: true`` of the model
    file fills them in."""


OPTIONS = ExpandedOptions
