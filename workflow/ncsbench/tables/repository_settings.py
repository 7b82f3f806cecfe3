"""Intervals over repositories: options, settings of their stage, columns of their tables."""

from __future__ import annotations

from pydantic import Field

from ncsbench.aroma.similarity_names import Similarity
from ncsbench.configuration.strict_model import StrictModel

REPOSITORY_COLUMNS = ("judge", "threshold", "measure", "low", "high")
"""Columns of ``repository_intervals/<model>.csv``, in order."""


class RepositoryOptions(StrictModel):
    """Intervals of Table 1 over repositories (docs/statistics.md)."""

    depth: int = Field(500, ge=50)
    """Ranks that are retrieved and judged, since methods of repositories not drawn leave them."""
    samples: int = Field(1000, ge=0)
    """Resamples of the repositories; 0 makes no such intervals, and retrieves nothing for them."""


class RepositorySettings(StrictModel):
    """Settings of the stage ``repository_intervals``."""

    seed: int
    """Of the draws."""
    depth: int
    """The last rank that counts."""
    judges: tuple[tuple[Similarity, float], ...]
    """Similarities, and the threshold that an accepted method exceeds."""
    samples: int
    """Resamples of the repositories."""
