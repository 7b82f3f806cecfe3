"""Options of ``rank_fusion``."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class RankFusionOptions(RankerOptions):
    """The rankings of several models as one, by the ranks alone (Cormack et al., SIGIR 2009)."""

    takes_parts: ClassVar[bool] = True
    of_queries: ClassVar[tuple[str, ...]] = ("depth", "k")
    depth: int = Field(200, ge=1)
    """How many methods of each part's ranking count."""
    k: int = Field(60, ge=0)
    """Added to each rank: the larger, the less first ranks count over later ones. 60 is the
    paper's."""
    duplicates: Literal["kept", "collapsed"] = "kept"
    """Whether methods with the same words in the same order, those of the block ``words``, are
    all found, or the first of them alone."""


OPTIONS = RankFusionOptions
