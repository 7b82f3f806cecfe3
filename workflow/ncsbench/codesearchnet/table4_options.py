"""What Table 4 of the CodeSearchNet paper is made with."""

from __future__ import annotations

from pydantic import Field

from ncsbench.codesearchnet.submission import CUT
from ncsbench.configuration.strict_model import Names, StrictModel


class Table4Settings(StrictModel):
    """Settings of the stage ``codesearchnet table4``."""

    languages: Names
    """Languages in the order of the table, each with a corpus."""
    systems: Names
    """Systems in the order of the table."""
    runs: dict[str, Names] = Field({})
    """Files of a system that has several, one for each seed, by system; its figures
    are means over them. Without, the file has its name."""
    published_as: dict[str, str] = Field({})
    """Rows of the published Table 4 by the systems that rebuild them."""
    ensemble: Names | None = None
    """Systems whose first results make the row ``ensemble``; without: all."""
    depth: int = Field(100, ge=1, le=CUT)
    """Functions of each ranking that the row ``random`` returns, as many as systems do."""
    seed: int = Field(2019, ge=0)
    """Seed of the resampled queries."""
    bootstrap_samples: int = Field(10000, ge=100)
    """Resamples behind each 95 % interval."""
