"""Options of ``longest_first``."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class LongestFirstOptions(RankerOptions):
    """A chance or length baseline: the base's best candidates, the longest first."""

    takes_base: ClassVar[bool] = True
    candidates: int = Field(400, ge=1)
    """How many of the base's best methods are put in order."""


OPTIONS = LongestFirstOptions
