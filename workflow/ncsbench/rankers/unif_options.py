"""Options of ``unif``."""

from __future__ import annotations

from typing import ClassVar

from ncsbench.rankers.ranker_options import StopWordOptions


class UNIFOptions(StopWordOptions):
    """What is open about the queries of UNIF."""

    needs: ClassVar[tuple[str, ...]] = ("weights",)


OPTIONS = UNIFOptions
