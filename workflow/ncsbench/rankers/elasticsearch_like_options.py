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
    tokenizer: Literal["standard", "camel_case", "camel_case_joined"] = "standard"
    """``standard``: that of the default analyzer; ``camel_case``: one that splits camel case, as
    in the NCS paper (DEV-101); ``camel_case_joined``: in names and queries neighbouring parts of a
    word are tokens joined, too, and so is the whole word. All lower-case."""
    class_name: bool = False
    """Whether the name of the class is a third field. Methods that a query names in full, as
    ``Keyboard.hide``, then come first."""
    query: Literal["best_fields", "most_fields"] = "best_fields"
    """Whether the largest score of the fields counts or their sum."""


OPTIONS = ElasticsearchOptions
