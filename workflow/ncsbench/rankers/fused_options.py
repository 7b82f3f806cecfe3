"""Options of ``fused``."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import StopWordOptions


class FusedOptions(StopWordOptions):
    """The candidates of several models, in one order; its stop words concern the features alone."""

    takes_parts: ClassVar[bool] = True
    takes_trees: ClassVar[bool] = True
    parts_by_kind: ClassVar[tuple[str, ...]] = (
        *("bm25f", "unif", "translation", "translation_memory"),
    )
    of_queries: ClassVar[tuple[str, ...]] = (
        *StopWordOptions.of_queries,
        *("depth", "k", "duplicates", "near_copies", "centroid"),
    )
    depth: int = Field(200, ge=1)
    """How many methods of each part's ranking are candidates."""
    k: int = Field(60, ge=0)
    """Added to each rank in the sum of reciprocal ranks, as in kind `rank_fusion`."""
    duplicates: Literal["collapsed", "kept"] = "collapsed"
    """Whether of methods with the same words in the same order, those of the block `words`, the
    first alone is found, or all are."""
    near_copies: Share = 0.8
    """A result that shares so much of its distinct words with an earlier one leaves the ranking
    (size of the intersection by that of the union); 0 keeps all."""
    centroid: int = Field(20, ge=1)
    """How many of the first candidates make the mean vector that the feature `centroid` compares
    with."""


OPTIONS = FusedOptions
