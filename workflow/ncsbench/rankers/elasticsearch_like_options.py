"""Options of ``elasticsearch_like``."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class ElasticsearchOptions(RankerOptions):
    """The defaults are Elasticsearch's."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    k1: float = Field(1.2, ge=0)
    """Saturation of the term frequency."""
    b: float = Field(0.75, ge=0, le=1)
    """Weight of the length normalisation."""
    lossy_lengths: bool = True
    """Whether lengths of fields are rounded as Lucene's single byte does."""
    tokenizer: Literal["standard", "camel_case"] = "standard"
    """``standard``: that of the default analyzer; ``camel_case``: one that splits camel case, as
    in the NCS paper (DEV-101). Both lower-case."""
    query: Literal["best_fields", "most_fields"] = "best_fields"
    """Whether the larger score of the two fields counts or their sum."""


OPTIONS = ElasticsearchOptions
