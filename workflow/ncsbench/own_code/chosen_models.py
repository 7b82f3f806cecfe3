"""Which model an index has: by the size of the code, or the one that was asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import ncsbench
from ncsbench.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.learnt_models import CONFIGURATION
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.model_files import load_model
from ncsbench.experiment.related_models import list_made
from ncsbench.experiment.run_options import RunOptions

DEFAULT_MODELS: tuple[tuple[int | None, str], ...] = ((None, "elasticsearch_class_names"),)
"""The most methods of a size class, and its model; chosen on docstrings (docs/own-code.md)."""


def find_home() -> Path:
    """The folder with ``config/``: the checkout of the library, or what was installed with it."""
    checkout = Path(str(ncsbench.__file__)).resolve().parents[2]
    installed = Path(sys.prefix) / "share" / "ncsbench"
    return checkout if (checkout / CONFIGURATION).is_file() else installed


def default_model(methods: int) -> str:
    """Name of the model for so many methods."""
    return next(name for most, name in DEFAULT_MODELS if most is None or methods <= most)


def load_chosen(name: str) -> ModelConfiguration:
    """A model file by its name.

    Raises:
        ConfigurationError: where there is no such model.
    """
    home = find_home()
    options = RunOptions.parse(read_yaml(home / CONFIGURATION), where=str(home / CONFIGURATION))
    return load_model(name, root=home, stop_words=options.stop_words, seed=options.seed)


def check_searches(model: ModelConfiguration) -> None:
    """``ConfigurationError`` for a run made elsewhere: it answers no question but its own."""
    if model.given:
        raise ConfigurationError(
            f"{model.name}: is a run made elsewhere, which answers the questions of its dataset "
            "alone and cannot be searched; choose another model"
        )


def check_learnt(model: ModelConfiguration) -> None:
    """``ConfigurationError`` for a model that learns from pairs or threads, which nobody has here.

    A run made elsewhere is refused, too.
    """
    check_searches(model)
    trees = any(one.trees is not None for one in list_made([model.indexed]))
    if model.indexed.pair_sets or trees:
        raise ConfigurationError(
            f"{model.name}: learns from training pairs or threads; take what a dataset of the "
            "workflow has: --vectors DATASET (docs/own-code.md)"
        )
