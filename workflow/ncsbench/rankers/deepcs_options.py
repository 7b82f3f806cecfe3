"""Options of ``deepcs``."""

from __future__ import annotations

from typing import ClassVar

from ncsbench.rankers.ranker_options import RankerOptions


class DeepcsOptions(RankerOptions):
    """Exact search of the vectors of a network that the block ``field_encoder`` trains."""

    needs: ClassVar[tuple[str, ...]] = ("methods", "field_encoder")


OPTIONS = DeepcsOptions
