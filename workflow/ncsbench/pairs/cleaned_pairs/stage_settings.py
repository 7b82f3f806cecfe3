"""Settings of the stages that make benchmarks and training sets of a cleaning experiment.

They import nothing that takes long: they are written when the Snakefile is read.
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
    """What it is made of."""


class DistractorSettings(StrictModel):
    """Settings of the stage ``cleaning_distractors``."""

    name: str
    """Name of the benchmark."""
    count: int = Field(999, ge=1)
    """Distractors, the same for all queries."""
    seed: int = Field(ge=0)
    """What the draw depends on."""


class RawPairSettings(StrictModel):
    """Settings of the stage ``cleaning_raw_pairs``."""

    source: str
    """Name of the source."""
    maximum_pairs: int | None = Field(None, ge=1)
    """Pairs that are drawn at most; all without."""
    seed: int = Field(ge=0)
    """What the draw depends on."""


class TitleSettings(StrictModel):
    """Settings of the stage ``cleaning_titles``."""

    titles: Path
    """A line each; JSON Lines with the field ``title``, by ``.jsonl`` in the name; or a dump, by
    ``.xml`` or ``.7z``, of which questions about Java are taken."""


class QueryModelSettings(StrictModel):
    """Settings of the stage ``cleaning_comment_model``."""

    model: VaeOptions
    """The network and its training."""
    rules: Literal["as_published", "as_released"]
    """What a title must pass."""
    phrases: Phrases
    """Which titles are taken."""
    seed: int
    """Of the training."""


class LossSettings(QueryModelSettings):
    """Settings of the stage ``cleaning_losses``: those of the model, and what it scores."""

    source: str
    """Whose comments."""
    raw: RawSource
    """Where they are from."""


class SetSettings(StrictModel):
    """Settings of the stage ``cleaning_training_set``."""

    name: str
    """Of the set: of one draw, where there are several."""
    source: str
    """Whose raw pairs it is of."""
    options: SetOptions
    """What it is."""
    draw: int
    """Number of the draw of a controlled set."""
    rules: Literal["as_published", "as_released"]
    """The rules that comments must pass."""
    seed: int
    """Of cuts and draws."""
    raw: RawSource
    """Where the raw pairs are from."""
    model: VaeOptions | None = None
    """The model that it is cut by; none without a cut."""
