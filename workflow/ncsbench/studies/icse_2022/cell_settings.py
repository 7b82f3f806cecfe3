"""Settings of the stages that train and rank the cells of a cleaning experiment, and its filter's.

They import nothing that takes long: they are written when the Snakefile is read.
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
    """What is trained and how (``change_options``); ``pairs`` names the training set."""
    seed: int = Field(ge=0)
    """Decides the first weights, the order of the pairs, wrong descriptions and what is dropped."""
    draw: int | None = None
    """Which draw the training set is, where it is drawn several times."""
    vocabulary: Literal["raw", "per_set"] = "raw"
    """Whether all sets have the vocabulary of the raw pairs of their source (DEV-194)."""
    steps_of: PairSetName | None = None
    """The set that decides how many steps training takes at most; else ``epochs`` does."""

    @property
    def name(self) -> str:
        """The name of its files."""
        return name_cell(self.set, self.model, self.seed)


class FilterTableSettings(StrictModel):
    """Settings of the stage ``cleaning_filter_table``."""

    rules: Literal["as_published", "as_released"]
    """Those of the run; they are counted in the paper's order."""
