"""Settings of CodeSearchNet's Tables 3 and 4 and of the table of open choices."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from ncsbench.base.configuration.strict_model import Names, StrictModel


class ChoiceRow(StrictModel):
    """A row of the table of open choices: a run that differs from another run in some options."""

    name: str
    """Name of the run."""
    of: str
    """The run that this run is compared with."""
    options: dict[str, Any]
    """Keys of the block ``encoder`` that differ between the runs, with their values."""


class TableSettings(StrictModel):
    """Settings of the stages ``csn_table3``, ``csn_table4`` and ``csn_choices``."""

    languages: Names
    """Languages in the order of the tables."""
    systems: Names = ()
    """The systems of the tables, a row each, in order."""
    runs: dict[str, Names] = Field({})
    """Names of the files of a system with several seeds, a file for each seed; the figures of the
    system are means over them. A system without an entry has one file of its own name."""
    published_as: dict[str, str] = Field({})
    """Rows of the published tables by the systems that rebuild them."""
    seen: dict[str, str] = Field({})
    """Data that systems trained by others have seen, as the tables say it, by system. The row
    ``ensemble`` leaves these systems out."""
    choices: tuple[ChoiceRow, ...] = ()
    """The rows of the table of open choices, in order."""
    pools: tuple[int, ...] = (1000,)
    """Sizes of the pools of Table 3."""
    depth: int = Field(100, ge=1, le=300)
    """Functions in each ranking of the row ``random``, as many as systems return."""
    seed: int = Field(2019, ge=0)
    """Seed of the resampled pairs or queries."""
    bootstrap_samples: int = Field(1000, ge=100)
    """Resamples behind each 95 % interval."""

    def runs_of(self, system: str) -> Names:
        """Return the names of the files of a system, one for each seed."""
        return self.runs.get(system, (system,))
