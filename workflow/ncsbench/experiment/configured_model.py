"""A model file as it is read outside of a run: with the values of the configuration."""

from __future__ import annotations

import sys
from pathlib import Path

from ncsbench.configuration.files import read_yaml
from ncsbench.experiment.learnt_models import CONFIGURATION
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.model_files import load_model
from ncsbench.experiment.model_yaml import is_path
from ncsbench.experiment.run_options import RunOptions


def find_home() -> Path:
    """The folder with ``config/``: the checkout of the library, or what was installed with it."""
    checkout = Path(__file__).resolve().parents[3]
    installed = Path(sys.prefix) / "share" / "ncsbench"
    return checkout if (checkout / CONFIGURATION).is_file() else installed


def load_configured(name: str) -> ModelConfiguration:
    """A model by its name in ``config/models`` or by the path of its file.

    Raises:
        ConfigurationError: where there is no such model.
    """
    home = find_home()
    models = home / "config" / "models"
    if is_path(name) and Path(name).resolve().parent == models.resolve():
        name = Path(name).stem
    options = RunOptions.parse(read_yaml(home / CONFIGURATION), where=str(home / CONFIGURATION))
    return load_model(name, root=home, stop_words=options.stop_words, seed=options.seed)
