"""A cell of the grid: a training set, a model and a seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.cleaning_file import name_cell
from ncsbench.pairs.set_names import PairSetName


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


def change_options(
    model: FieldEncoderOptions | None, changes: Mapping[str, Any], training_set: str, *, where: str
) -> FieldEncoderOptions:
    """The block ``field_encoder`` of a model file with other values, for a training set.

    Args:
        model: the block; None where a model has none.
        changes: options that differ from it.
        training_set: what it is trained on.
        where: what messages call the model.

    Raises:
        ConfigurationError: for a model without the block, and for an option that there is not.
    """
    if model is None:
        raise ConfigurationError(f"{where}: has no block 'field_encoder'; take DeepCS or CARLCS")
    given = {**model.as_json(), **changes, "pairs": [training_set]}
    return FieldEncoderOptions.parse(given, where=where, within="training")
