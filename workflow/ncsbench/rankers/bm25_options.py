"""Options of ``bm25``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class BM25Options(RankerOptions):
    """Numbers are those of rank-bm25 by default."""

    k1: float = Field(1.5, ge=0)
    """Saturation of the term frequency."""
    b: float = Field(0.75, ge=0, le=1)
    """Weight of the length normalisation."""
    epsilon: float = Field(0.25, ge=0)
    """Share of the average idf that words in more than half of the methods get."""
    query: Literal["one_hot", "counts"] = "one_hot"
    """Whether a word that a query repeats counts once, or as often as it stands there (DEV-88)."""
    engine: Literal["own", "rank_bm25"] = "own"
    """What computes the scores: ``bm25``, or the package rank-bm25. Rankings are equal."""


OPTIONS = BM25Options
