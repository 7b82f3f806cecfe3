"""Options of ``translation``."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ncsbench.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import StopWordOptions


class TranslationRankerOptions(StopWordOptions):
    """The likelihood of a query, given the words of a method and what they are translations of."""

    needs: ClassVar[tuple[str, ...]] = ("translation",)
    of_queries: ClassVar[tuple[str, ...]] = (
        *StopWordOptions.of_queries,
        *("background", "own_word"),
    )
    background: float = Field(0.5, ge=0.001, lt=1)
    """Share of the corpus in what is likely of a method (lambda)."""
    own_word: Share = 0.5
    """Share of a query word that stands for itself, whatever the table says."""


OPTIONS = TranslationRankerOptions
