"""A model as a dataset of the workflow has it, with what it learnt there, for another corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ncsbench.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.run import load_run
from ncsbench.rankers.learnt_model import LearntModel

CONFIGURATION = Path("config/config.yaml")


def read_workflow(option: str) -> dict[str, Any]:
    """The configuration of the workflow in whose folder one stands.

    Raises:
        ConfigurationError: in another folder; it names ``option``, which needs that one.
    """
    if not CONFIGURATION.is_file():
        raise ConfigurationError(
            f"{option}: must be called from the folder of the workflow, a checkout of ncsbench; "
            f"there is no {CONFIGURATION} here"
        )
    return dict(read_yaml(CONFIGURATION))


def borrow(
    name: str, dataset: str, *, option: str, seed: int | None = None
) -> tuple[ModelConfiguration, LearntModel]:
    """A model as a dataset of the workflow has it, and what it learnt there.

    Args:
        name: of the model.
        dataset: name or file, as for ``snakemake``, asked from the folder of the workflow.
        option: what asks for it, for messages.
        seed: of the model; that of the dataset's run where it is None.

    Raises:
        ConfigurationError: where the dataset has no such row, or it was not trained yet.
    """
    configured = read_workflow(option)
    run = load_run({**configured, "dataset": dataset}, root=Path())
    wanted = name if seed in (None, configured.get("seed")) else f"{name}-seed{seed}"
    model = run.runs.get(wanted)
    if model is None:
        rows = ", ".join(run.models)
        raise ConfigurationError(f"{option}: has no row {wanted}; it has {rows}")
    folder = Path("data", run.trained_in or run.dataset)
    remedy = (
        f"make it first: snakemake --cores all results/{run.dataset}/table1.csv --config "
        f"dataset={dataset}"
    )
    try:
        return model, describe_learnt(model, folder)
    except DataError as error:
        raise ConfigurationError(f"{option}: {error}; {remedy}") from error


def describe_learnt(model: ModelConfiguration, folder: Path | None) -> LearntModel:
    """The model whose index a model searches, with what it learnt.

    Args:
        model: the model.
        folder: ``data/<dataset>``, where it learnt; None where it learnt nothing yet.

    Raises:
        DataError: where something is not there.
    """
    indexed = model.indexed
    keys = {
        "embedding": ("embeddings", indexed.embedding_key),
        "expansion": ("expansions", indexed.expansion_key and f"{indexed.expansion_key}.parquet"),
        "weights": ("weights", indexed.weights_key),
        "encoder": ("encoders", indexed.encoder_key),
        "field_encoder": ("field_encoders", indexed.field_encoder_key),
        "translation": ("translations", indexed.translation_key),
    }
    learnt = {}
    for name, (kind, key) in keys.items():
        if folder is not None and key:
            learnt[name] = folder / kind / key
            if not learnt[name].exists():
                raise DataError(f"{learnt[name]} is not there")
    return LearntModel(
        ranker=indexed.specification,
        seed=indexed.seed,
        words=indexed.words,
        embedding=indexed.embedding,
        learnt=learnt,
        parts={name: describe_learnt(part, folder) for name, part in indexed.parts.items()},
    )
