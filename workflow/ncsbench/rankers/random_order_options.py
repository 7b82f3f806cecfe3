"""Options of ``random_order``."""

from __future__ import annotations

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class RandomOrderOptions(RankerOptions):
    """A chance or length baseline: methods in random order."""

    minimum_lines: int = Field(0, ge=0)
    """Only methods of at least so many lines are drawn."""


OPTIONS = RandomOrderOptions
