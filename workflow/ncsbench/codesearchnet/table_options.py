"""Settings of CodeSearchNet's Tables 3 and 4 and of the table of open choices."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ncsbench.configuration.strict_model import Names, StrictModel

CUT = 300
"""Rows of a query that count, the first ones (``relevanceeval.py``)."""


class _TableSettings(StrictModel):
    languages: Names
    """Languages in the order of the table."""
    seed: int = Field(2019, ge=0)
    """Seed of the resampled pairs or queries."""
    bootstrap_samples: int = Field(1000, ge=100)
    """Resamples behind each 95 % interval."""


class _SystemTableSettings(_TableSettings):
    systems: Names
    """The rows in order."""
    runs: dict[str, Names] = Field({})
    """Files of a system that has several, one for each seed, by system; its figures are means over
    them. Without, the file has its name."""
    published_as: dict[str, str] = Field({})
    """Rows of the published table by the systems that rebuild them."""

    def runs_of(self, system: str) -> Names:
        """Names of the files of a system, one for each seed."""
        return self.runs.get(system, (system,))


class Table3Settings(_SystemTableSettings):
    """Settings of the stage ``csn_table3``."""

    pools: tuple[int, ...]
    """Sizes of pools."""


class Table4Settings(_SystemTableSettings):
    """Settings of the stage ``csn_table4``."""

    ensemble: Names | None = None
    """Systems whose first results make the row ``ensemble``; without: all."""
    depth: int = Field(100, ge=1, le=CUT)
    """Functions of each ranking that the row ``random`` returns, as many as systems do."""
    bootstrap_samples: int = Field(10000, ge=100)
    """Resamples behind each 95 % interval."""


class ChoiceRow(StrictModel):
    """A choice."""

    name: str
    """Of the run."""
    of: str
    """The run that it is compared with."""
    options: dict[str, Any]
    """Keys of the block ``encoder`` that differ."""


class ChoiceSettings(_TableSettings):
    """Settings of the stage ``csn_choices``."""

    choices: tuple[ChoiceRow, ...]
    """The rows in order."""
    pools: tuple[int, ...]
    """Sizes of pools."""
