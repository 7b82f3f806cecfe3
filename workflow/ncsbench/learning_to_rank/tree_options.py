"""Options of the trees that rank candidates."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ncsbench.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.evaluation.evaluation_options import JudgeOptions
from ncsbench.pairs.set_names import ThreadPart

FEATURE_NAME = re.compile("[a-z][a-z0-9_]*")
"""Names of features and of groups of them."""
TRAINED_PARTS: tuple[ThreadPart, ...] = ("fold0", "fold1")
"""The parts of threads that trees are trained on."""


class GainOptions(StrictModel):
    """Gain of a candidate by which judges accept it, 0 where none does; 2 counts twice 1."""

    written: ClassVar[tuple[str, ...]] = ("default", "strict", "both")
    default: int = Field(0, ge=0, le=10)
    """The lenient judge alone."""
    strict: int = Field(1, ge=0, le=10)
    """The strict judge alone."""
    both: int = Field(2, ge=1, le=10)
    """Both judges."""


class TreeOptions(StrictModel):
    """How trees are trained; defaults were chosen between the folds (docs/learning-to-rank.md)."""

    written: ClassVar[tuple[str, ...]] = (
        *("gains", "negatives", "rounds", "learning_rate", "leaves", "minimum_in_leaf"),
        *("feature_share", "l2", "truncation", "left_out"),
    )
    gains: GainOptions = GainOptions()
    """What candidates are worth."""
    negatives: int = Field(100, ge=1, le=5000)
    """Wrong candidates of a thread at most, drawn by the seed; right ones are all kept."""
    rounds: int = Field(100, ge=1)
    """How many trees."""
    learning_rate: float = Field(0.05, gt=0, le=1)
    """What each tree adds, as a share."""
    leaves: int = Field(7, ge=2, le=131072)
    """Leaves of a tree at most; LightGBM has no more than 131,072."""
    minimum_in_leaf: int = Field(200, ge=1)
    """Candidates in a leaf at least."""
    feature_share: float = Field(0.3, gt=0, le=1)
    """Of the features the share that a tree sees, drawn by the seed for each tree."""
    l2: float = Field(10, ge=0)
    """Weight of the squared values of leaves (``lambda_l2``)."""
    truncation: int = Field(30, ge=1)
    """Pairs count of which one candidate stands at this rank or above."""
    left_out: Names = ()
    """Features, and groups of features, that the trees do not see."""


class MeasuredTreeOptions(TreeOptions):
    """The block ``trees`` of a model file: how trees are trained, and what is said of them."""

    parts_measured: Annotated[
        tuple[Literal["selection", "test"], ...], Distinct, Field(min_length=1)
    ] = ("selection",)
    """Parts of the threads, apart from the folds, that figures are made for; name `test` for the
    one look at it."""


class TreeSettings(TreeOptions, JudgeOptions):
    """Settings of the stage ``learning-to-rank trees``: options of the trees, seed and judges."""

    compared: str = "fusion"
    """The feature by which candidates stand before the trees; figures of its order are beside
    those of the trees."""
