"""Settings of CodeSearchNet's Tables 3 and 4 and of the table of open choices."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ncsbench.codesearchnet.submission import CUT
from ncsbench.configuration.strict_model import Names, StrictModel


class Table3Settings(StrictModel):
    """Settings of the stage ``csn_table3``."""

    systems: Names
    """The rows in order."""
    runs: dict[str, Names] = Field({})
    """Files of ranks of a system that has several, one for each seed, by system; its figures are
    means over them. Without, the file has its name."""
    published_as: dict[str, str] = Field({})
    """Rows of the published table by the systems that rebuild them."""
    languages: Names
    """In the order of the table."""
    pools: tuple[int, ...]
    """Sizes of pools."""
    seed: int = Field(2019, ge=0)
    """Seed of the resampled pairs."""
    bootstrap_samples: int = Field(1000, ge=100)
    """Resamples behind each 95 % interval."""

    def runs_of(self, system: str) -> Names:
        """Names of the files of a system, one for each seed."""
        return self.runs.get(system, (system,))


class ChoiceRow(StrictModel):
    """A choice."""

    name: str
    """Of the run."""
    of: str
    """The run that it is compared with."""
    options: dict[str, Any]
    """Keys of the block ``encoder`` that differ."""


class ChoiceSettings(StrictModel):
    """Settings of the stage ``csn_choices``."""

    choices: tuple[ChoiceRow, ...]
    """The rows in order."""
    languages: Names
    """In the order of the table."""
    pools: tuple[int, ...]
    """Sizes of pools."""
    seed: int
    """Seed of the resampled pairs."""
    bootstrap_samples: int
    """Resamples behind each 95 % interval."""


class Table4Settings(StrictModel):
    """Settings of the stage ``csn_table4``."""

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
