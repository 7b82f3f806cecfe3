"""Options of ``translation_memory``."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ncsbench.rankers.ranker_options import StopWordOptions


class TranslationMemoryOptions(StopWordOptions):
    """How like a method is to the code that answered queries like this one."""

    needs: ClassVar[tuple[str, ...]] = ("memory", "methods")
    of_queries: ClassVar[tuple[str, ...]] = (*StopWordOptions.of_queries, "recalled")
    recalled: int = Field(100, ge=1)
    """How many remembered pairs count, those with the most similar queries."""


OPTIONS = TranslationMemoryOptions
