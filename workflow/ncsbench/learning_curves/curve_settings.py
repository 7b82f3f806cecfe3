"""What learning curves are drawn of."""

from __future__ import annotations

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.evaluation.evaluation_options import EvaluationOptions


class CurvePoint(StrictModel):
    """One run of a learning curve."""

    model: str
    """The row of Table 1."""
    share: str
    """Share of the pairs, as the table says it."""
    run: str
    """Name of the run."""
    seed: int
    """Seed of its training."""
    weights: str
    """Name of the folder of its weights."""


class CurveSettings(EvaluationOptions):
    """Settings of the stage ``learning_curve_table``."""

    dataset: str
    """Name of the dataset."""
    points: tuple[CurvePoint, ...]
    """Runs, by model from the fewest pairs to all."""
