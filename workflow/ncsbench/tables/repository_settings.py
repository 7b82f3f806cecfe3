"""Intervals over repositories: options, and settings of their stage."""

from __future__ import annotations

from pydantic import Field

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.evaluation.evaluation_options import JudgeOptions


class RepositoryOptions(StrictModel):
    """Intervals of Table 1 over repositories (docs/statistics.md)."""

    depth: int = Field(500, ge=50)
    """Ranks that are retrieved and judged, since methods of repositories not drawn leave them."""
    samples: int = Field(1000, ge=0)
    """Resamples of the repositories; 0 makes no such intervals, and retrieves nothing for them."""


class RepositorySettings(JudgeOptions):
    """Settings of the stage ``judge repositories``."""

    samples: int
    """Resamples of the repositories."""
