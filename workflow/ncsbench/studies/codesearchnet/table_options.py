"""Settings of CodeSearchNet's Tables 3 and 4 and of the table of open choices."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ncsbench.base.configuration.strict_model import Names, StrictModel


class ChoiceRow(StrictModel):
    """A choice."""

    name: str
    """Of the run."""
    of: str
    """The run that it is compared with."""
    options: dict[str, Any]
    """Keys of the block ``encoder`` that differ."""


class TableSettings(StrictModel):
    """Settings of the stages ``csn_table3``, ``csn_table4`` and ``csn_choices``."""

    languages: Names
    """Languages in the order of the tables."""
    systems: Names = ()
    """The rows in order."""
    runs: dict[str, Names] = Field({})
    """Files of a system that has several, one for each seed, by system; its figures are means over
    them. Without, the file has its name."""
    published_as: dict[str, str] = Field({})
    """Rows of the published tables by the systems that rebuild them."""
    choices: tuple[ChoiceRow, ...] = ()
    """The rows of the table of open choices, in order."""
    pools: tuple[int, ...] = (1000,)
    """Sizes of the pools of Table 3."""
    depth: int = Field(100, ge=1, le=300)
    """Functions of each ranking that the row ``random`` returns, as many as systems do."""
    seed: int = Field(2019, ge=0)
    """Seed of the resampled pairs or queries."""
    bootstrap_samples: int = Field(1000, ge=100)
    """Resamples behind each 95 % interval."""

    def runs_of(self, system: str) -> Names:
        """Names of the files of a system, one for each seed."""
        return self.runs.get(system, (system,))
