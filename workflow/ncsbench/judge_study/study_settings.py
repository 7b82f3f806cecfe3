"""What the judge study looks at."""

from __future__ import annotations

from pydantic import Field

from ncsbench.aroma.similarity_names import Similarity
from ncsbench.configuration.strict_model import Share, StrictModel

NEAR = 0.9
"""Similarity that near-identical code exceeds."""


class StudySettings(StrictModel):
    """Settings of the tables of the study."""

    dataset: str
    """Name of the dataset."""
    models: tuple[str, ...]
    """Rows of Table 1."""
    judge: Similarity
    """That of Table 1."""
    threshold: Share
    """Its threshold."""
    own_judge: Similarity
    """Judge of this project's own design."""
    own_threshold: Share
    """Its threshold."""
    depth: int = Field(ge=1)
    """Ranks looked at."""


class RuleSettings(StrictModel):
    """Settings of the table of the rule for the first judge."""

    judges: dict[str, tuple[Similarity, Share]]
    """The judges by name, the one first that leads where several fit all lines."""
    depth: int = Field(ge=1)
    """Ranks looked at."""
    seed: int
    """Of the resamples and of the random methods."""
    bootstrap_samples: int = Field(ge=1)
    """Resamples behind an interval, and sign flips behind a p-value."""
