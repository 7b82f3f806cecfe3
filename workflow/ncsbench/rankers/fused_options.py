"""Options of ``fused``."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import RankerOptions


class FusedOptions(RankerOptions):
    """The rankings of several models as one, by the ranks alone, without copies."""

    takes_parts: ClassVar[bool] = True
    of_queries: ClassVar[tuple[str, ...]] = ("depth", "k", "duplicates", "near_copies")
    depth: int = Field(200, ge=1)
    """How many methods of each part's ranking count."""
    k: int = Field(60, ge=0)
    """Added to each rank in the sum of reciprocal ranks, as in kind `rank_fusion`."""
    duplicates: Literal["collapsed", "kept"] = "collapsed"
    """Whether of methods with the same words in the same order, those of the block `words`, the
    first alone is found, or all are."""
    near_copies: Share = 0.8
    """A result that shares so much of its distinct words with an earlier one leaves the ranking
    (size of the intersection by that of the union); 0 keeps all."""


OPTIONS = FusedOptions
