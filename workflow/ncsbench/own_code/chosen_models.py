"""Which model an index has: by the size of the code, or the one that was asked for."""

from __future__ import annotations

from ncsbench.errors import ConfigurationError
from ncsbench.experiment.model_configuration import ModelConfiguration

DEFAULT_MODELS: tuple[tuple[int | None, str], ...] = ((None, "elasticsearch_class_names"),)
"""The most methods of a size class, and its model; chosen on docstrings (docs/own-code.md)."""


def default_model(methods: int) -> str:
    """Name of the model for so many methods."""
    return next(name for most, name in DEFAULT_MODELS if most is None or methods <= most)


def check_searches(model: ModelConfiguration) -> None:
    """``ConfigurationError`` for a run made elsewhere: it answers no question but its own."""
    if model.given:
        raise ConfigurationError(
            f"{model.name}: is a run made elsewhere, which answers the questions of its dataset "
            "alone and cannot be searched; choose another model"
        )


def check_learnt(model: ModelConfiguration) -> None:
    """``ConfigurationError`` for a model that learns from training pairs, which nobody has here.

    A run made elsewhere is refused, too.
    """
    check_searches(model)
    if model.indexed.pair_sets:
        raise ConfigurationError(
            f"{model.name}: learns from training pairs; take what a dataset of the workflow has: "
            "--vectors DATASET (docs/own-code.md)"
        )
