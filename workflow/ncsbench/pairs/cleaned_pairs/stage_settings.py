"""Settings of the stages that make benchmarks and training sets of a cleaning experiment.

The module imports nothing that takes long: settings are written when the Snakefile is read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.pairs.cleaned_pairs.cleaning_options import BenchmarkOptions, RawSource, SetOptions
from ncsbench.pairs.comment_filter.filter_options import Phrases, VaeOptions


class PositivesSettings(StrictModel):
    """Settings of the stage ``cleaning_positives``."""

    name: str
    """Name of the benchmark."""
    benchmark: BenchmarkOptions
    """Files and corpus that the benchmark is made of."""


class DistractorSettings(StrictModel):
    """Settings of the stage ``cleaning_distractors``."""

    name: str
    """Name of the benchmark."""
    count: int = Field(999, ge=1)
    """Number of distractors, which are the same for all queries."""
    seed: int = Field(ge=0)
    """Seed of the draw."""


class RawPairSettings(StrictModel):
    """Settings of the stage ``cleaning_raw_pairs``."""

    source: str
    """Name of the source."""
    maximum_pairs: int | None = Field(None, ge=1)
    """Largest number of pairs that are drawn; without it all pairs."""
    seed: int = Field(ge=0)
    """Seed of the draw."""


class TitleSettings(StrictModel):
    """Settings of the stage ``cleaning_titles``."""

    titles: Path
    """File of titles, one in each line; JSON Lines with the field ``title`` if the name has
    ``.jsonl``; or a dump if the name has ``.xml`` or ``.7z``, of which the questions about Java are
    taken."""


class QueryModelSettings(StrictModel):
    """Settings of the stage ``cleaning_comment_model``."""

    model: VaeOptions
    """The network and its training."""
    rules: Literal["as_published", "as_released"]
    """The rules that a title must pass."""
    phrases: Phrases
    """The phrases by which titles are taken for queries."""
    seed: int
    """Seed of the training."""


class LossSettings(QueryModelSettings):
    """Settings of the stage ``cleaning_losses``: settings of the model, and comments to score."""

    source: str
    """Name of the source of the comments."""
    raw: RawSource
    """The source of the comments."""


class SetSettings(StrictModel):
    """Settings of the stage ``cleaning_training_set``."""

    name: str
    """Name of the set, or of one of its draws where there are several."""
    source: str
    """Name of the source of the raw pairs."""
    options: SetOptions
    """Options of the set."""
    draw: int
    """Number of the draw of a controlled set."""
    rules: Literal["as_published", "as_released"]
    """The rules that comments must pass."""
    seed: int
    """Seed of cuts and draws."""
    raw: RawSource
    """The source of the raw pairs."""
    model: VaeOptions | None = None
    """The model whose losses the set is cut by; None without a cut."""
