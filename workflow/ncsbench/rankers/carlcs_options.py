"""Options of ``carlcs``."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from ncsbench.rankers.ranker_options import RankerOptions


class CarlcsOptions(RankerOptions):
    """The base's best candidates by the co-attention that the block ``field_encoder`` trains."""

    takes_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("methods", "field_encoder")
    of_queries: ClassVar[tuple[str, ...]] = ("depth",)
    depth: int = Field(1000, ge=1)
    """How many of the base's best methods are scored; no ranking is longer."""


OPTIONS = CarlcsOptions
