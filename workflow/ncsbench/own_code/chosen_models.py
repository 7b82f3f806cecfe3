"""Which model an index has: by the size of the code, or the one that was asked for."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import ncsbench
from ncsbench.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.model_files import load_model
from ncsbench.experiment.related_models import list_made
from ncsbench.experiment.run import load_run
from ncsbench.experiment.run_options import RunOptions

DEFAULT_MODELS: tuple[tuple[int | None, str], ...] = ((None, "elasticsearch_class_names"),)
"""The most methods of a size class, and its model; chosen on docstrings (docs/own-code.md)."""

_CONFIGURATION = Path("config/config.yaml")


@dataclass(frozen=True)
class LearntInputs:
    """What a model learnt elsewhere, as files or folders; None where it needs none.

    Attributes:
        parts: the same of its parts, by name.
    """

    embedding: Path | None = None
    expansion: Path | None = None
    weights: Path | None = None
    encoder: Path | None = None
    field_encoder: Path | None = None
    translation: Path | None = None
    trees: Path | None = None
    parts: Mapping[str, LearntInputs] = field(default_factory=dict, kw_only=True)

    def fingerprint(self) -> list[list[str]]:
        """Names and checksums of the files."""
        found = []
        learnt = (getattr(self, one.name) for one in fields(self) if one.name != "parts")
        for path in filter(None, learnt):
            for file in [path] if path.is_file() else sorted(path.rglob("*")):
                if file.is_file():
                    with file.open("rb") as opened:
                        digest = hashlib.file_digest(opened, "sha256").hexdigest()
                    found.append([file.relative_to(path.parent).as_posix(), digest])
        for name, part in self.parts.items():
            found += [[name, *entry] for entry in part.fingerprint()]
        return found


def find_home() -> Path:
    """The folder with ``config/``: the checkout of the library, or what was installed with it."""
    checkout = Path(str(ncsbench.__file__)).resolve().parents[2]
    installed = Path(sys.prefix) / "share" / "ncsbench"
    return checkout if (checkout / _CONFIGURATION).is_file() else installed


def default_model(methods: int) -> str:
    """Name of the model for so many methods."""
    return next(name for most, name in DEFAULT_MODELS if most is None or methods <= most)


def load_chosen(name: str) -> ModelConfiguration:
    """A model file by its name.

    Raises:
        ConfigurationError: where there is no such model.
    """
    home = find_home()
    options = RunOptions.parse(read_yaml(home / _CONFIGURATION), where=str(home / _CONFIGURATION))
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


def read_workflow(option: str) -> dict[str, Any]:
    """The configuration of the workflow in whose folder one stands.

    Raises:
        ConfigurationError: in another folder; it names ``option``, which needs that one.
    """
    if not _CONFIGURATION.is_file():
        raise ConfigurationError(
            f"{option}: must be called from the folder of the workflow, a checkout of ncsbench; "
            f"there is no {_CONFIGURATION} here"
        )
    return dict(read_yaml(_CONFIGURATION))


def borrow(name: str, dataset: str) -> tuple[ModelConfiguration, LearntInputs]:
    """A model as a dataset of the workflow has it, and what it learnt there.

    Args:
        name: of the model.
        dataset: name or file, as for ``snakemake``, asked from the folder of the workflow.

    Raises:
        ConfigurationError: where the dataset has no such row, or it was not trained yet.
    """
    run = load_run({**read_workflow(f"--vectors {dataset}"), "dataset": dataset}, root=Path())
    model = run.runs.get(name)
    if model is None:
        raise ConfigurationError(
            f"--vectors {dataset}: has no row {name}; it has {_list(run.models)}"
        )
    folder = Path("data", run.trained_in or run.dataset)
    remedy = (
        f"make it first: snakemake --cores all results/{run.dataset}/table1.csv --config "
        f"dataset={dataset}"
    )
    try:
        return model, _find_learnt(model, folder)
    except DataError as error:
        raise ConfigurationError(f"--vectors {dataset}: {error}; {remedy}") from error


def _find_learnt(model: ModelConfiguration, folder: Path) -> LearntInputs:
    indexed = model.indexed
    keys = {
        "embeddings": indexed.embedding_key,
        "expansions": indexed.expansion_key and f"{indexed.expansion_key}.parquet",
        "weights": indexed.weights_key,
        "encoders": indexed.encoder_key,
        "field_encoders": indexed.field_encoder_key,
        "translations": indexed.translation_key,
        "trees": indexed.trees_key,
    }
    paths = {kind: folder / kind / key for kind, key in keys.items() if key}
    for path in paths.values():
        if not path.exists():
            raise DataError(f"{path} is not there")
    parts = {name: _find_learnt(part, folder) for name, part in indexed.parts.items()}
    return LearntInputs(*map(paths.get, keys), parts=parts)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
