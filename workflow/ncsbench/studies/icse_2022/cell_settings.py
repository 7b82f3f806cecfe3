"""Settings of the stages of a cleaning experiment: training and ranking of cells, filter tables.

The module imports nothing that takes long: settings are written when the Snakefile is read.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions
from ncsbench.pairs.cleaned_pairs.cleaning_options import name_cell
from ncsbench.pairs.training_pairs.pair_options import PairSetName


class CellSettings(StrictModel):
    """Settings of the stages ``cleaning_train`` and ``cleaning_rank``."""

    set: PairSetName
    """The training set."""
    model: str
    """Name of the model in tables."""
    field_encoder: FieldEncoderOptions
    """Options of the network and its training (``change_options``); ``pairs`` names the training
    set."""
    seed: int = Field(ge=0)
    """Seed of the first weights, the order of the pairs, wrong descriptions and dropout."""
    draw: int | None = None
    """Number of the draw that the training set is, where the set is drawn several times."""
    vocabulary: Literal["raw", "per_set"] = "raw"
    """Origin of the vocabulary: ``raw``: all sets have that of the raw pairs of their source;
    ``per_set``: each set has its own (DEV-194)."""
    steps_of: PairSetName | None = None
    """The set that decides the largest number of training steps; without it ``epochs`` does."""

    @property
    def name(self) -> str:
        """The name of the cell's files."""
        return name_cell(self.set, self.model, self.seed)


class FilterTableSettings(StrictModel):
    """Settings of the stage ``cleaning_filter_table``."""

    rules: Literal["as_published", "as_released"]
    """The set of rules of the run; rules are counted in the paper's order."""
