"""Options of ``unif``."""

from __future__ import annotations

from typing import ClassVar, Literal

from ncsbench.rankers.ranker_options import StopWordOptions


class UNIFOptions(StopWordOptions):
    """What is open about the queries of UNIF."""

    needs: ClassVar[tuple[str, ...]] = ("weights",)
    code_vectors: Literal["kept", "left_out"] = "left_out"
    """Whether the index holds the vectors of the words of methods too, with which the ranker
    ``fused`` compares single words."""


OPTIONS = UNIFOptions
