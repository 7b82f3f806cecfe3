"""Options of ``ncs``."""

from __future__ import annotations

from typing import ClassVar

from ncsbench.rankers.ranker_options import StopWordOptions


class NCSOptions(StopWordOptions):
    """What the NCS paper leaves open about queries."""

    needs: ClassVar[tuple[str, ...]] = ("embedding",)
    unit_query_words: bool = False
    """Whether word vectors of a query are normalised before the average (DEV-15)."""


OPTIONS = NCSOptions
