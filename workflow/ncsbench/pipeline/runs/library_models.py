"""Models that a user of the library names, with the parameters that they learnt."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ncsbench.base.configuration.files import read_yaml
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pipeline.files.dataset_file import DatasetFile
from ncsbench.pipeline.files.model_configuration import ModelConfiguration, change_dimension
from ncsbench.pipeline.files.model_files import (
    is_path,
    load_model,
    name_models,
    name_rows,
    place_model,
)
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.runs.run import load_run
from ncsbench.pipeline.trials.variants import vary_seed
from ncsbench.rankers.learnt_kinds import LEARNT, LearntBlocks, LearntModel
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import find_options

CONFIGURATION = Path("config/config.yaml")


def read_workflow(option: str) -> dict[str, Any]:
    """Read the configuration of the workflow, whose folder must be the working directory.

    Raises:
        ConfigurationError: in another folder; names ``option``, which needs the workflow.
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
    """Return a model as configured for a dataset of the workflow, and the parameters it learnt.

    Args:
        name: name of the model, or path of its file.
        dataset: name or file of the dataset, as for ``snakemake``; the working directory must be
            the folder of the workflow.
        option: the option that asks for the model, for messages.
        seed: seed of the model; None for that of the dataset's run.

    Raises:
        ConfigurationError: where the dataset has no such row, or its model is not trained yet. A
            model that only orders or combines what rows learnt need not be a row.
    """
    configured = {**read_workflow(option), "dataset": dataset}
    run = load_run(configured, root=Path())
    [row] = name_rows([name])
    wanted = row if seed in (None, configured.get("seed")) else f"{row}-seed{seed}"
    folder = Path("data", run.trained_in or run.dataset)
    model = run.runs.get(wanted)
    if model is None and wanted == row and row in name_models(Path()):
        model = _build_on_rows(row, configured, folder)
    command = f"snakemake --cores all results/{run.dataset}/table1.csv --config dataset={dataset}"
    if model is None or (is_path(name) and Path(model.where).resolve() != Path(name).resolve()):
        key = "replicates" if row in run.models and wanted != row else "models"
        raise ConfigurationError(
            f"{option}: has no row {wanted}; it has {', '.join(run.models)}; rows of trials do not "
            f"count: add it to '{key}' of the configuration, then run {command}"
        )
    remedy = f"make it first: {command}"
    try:
        return model, describe_learnt(model, folder)
    except DataError as error:
        raise ConfigurationError(f"{option}: {error}; {remedy}") from error


def _build_on_rows(
    row: str, configured: Mapping[str, Any], folder: Path
) -> ModelConfiguration | None:
    """Return a model that is no row, where rows learnt all that it needs; else None."""
    models = [*configured.get("models", ()), row]
    model = load_run({**configured, "models": models}, root=Path()).runs.get(row)
    with suppress(DataError):
        if model is not None and describe_learnt(model, folder):
            return model
    return None


def describe_learnt(model: ModelConfiguration, folder: Path | None) -> LearntModel:
    """Describe the model whose index a model searches, with its learnt parameters.

    Args:
        model: the model.
        folder: ``data/<dataset>``, the folder of the parameters; None where none are learnt yet.

    Raises:
        DataError: where a file or folder of parameters is absent.
    """
    indexed = model.indexed
    learnt = {kind: folder / path for kind, path in indexed.learnt.items()} if folder else {}
    for path in learnt.values():
        if not path.exists():
            raise DataError(f"{path} is not there")
    return LearntModel(
        ranker=indexed.specification,
        seed=indexed.seed,
        words=indexed.words,
        learnt=learnt,
        parts={name: describe_learnt(part, folder) for name, part in indexed.parts.items()},
        **{
            kind.block: getattr(indexed.learns, kind.block)
            for kind in LEARNT.values()
            if kind.of_words
        },
    )


def find_home() -> Path:
    """Find the folder with ``config/``: the library's checkout, or the folder installed with it."""
    checkout = Path(__file__).resolve().parents[4]
    installed = Path(sys.prefix) / "share" / "ncsbench"
    return checkout if (checkout / CONFIGURATION).is_file() else installed


def load_configured(name: str) -> ModelConfiguration:
    """Load a model by its name in ``config/models`` or by the path of its file.

    Raises:
        ConfigurationError: where there is no such model.
    """
    home = find_home()
    models = home / "config" / "models"
    if is_path(name) and Path(name).resolve().parent == models.resolve():
        name = Path(name).stem
    options = RunOptions.parse(read_yaml(home / CONFIGURATION), where=str(home / CONFIGURATION))
    return load_model(name, root=home, stop_words=options.stop_words, seed=options.seed)


def choose_model(
    name: str, given: Mapping[str, Any], *, dimension: int | None, seed: int
) -> ModelConfiguration:
    """Make a model of ``config/models``, of a model file, or of a kind of ranker without a file.

    Args:
        name: name of the model, path of its file, or the kind.
        given: ``options``, each of which replaces that of the model; ``base`` and ``parts``, which
            replace those of the model. With the path of a model file, this must be empty.
        dimension: length of word vectors; None for the model's.
        seed: seed of everything that draws.
    """
    if is_path(name):
        if given:
            raise ConfigurationError(
                f"{name}: a model file has its own {', '.join(given)}; write them into the file"
            )
        model = load_configured(place_model(name))
    elif name in name_models(find_home()):
        model = load_configured(name)
        made = {**model.specification.model_dump(), **given}
        made["options"] = model.specification.options | given.get("options", {})
        specification = RankerSpecification.parse(made, where="model")
        if given.keys() & {"base", "parts"}:
            model = _describe(specification, name, seed, model.words)
        model = replace(model, specification=specification)
    else:
        specification = RankerSpecification.parse({"kind": name, **given}, where="model")
        model = _describe(specification, name, seed, WordOptions())
    model = model if seed == model.seed else vary_seed(model, seed)
    return model if dimension is None else change_dimension(model, dimension)


def find_dimension(corpus: Path) -> int | None:
    """Return the length of word vectors that the dataset file of a corpus sets, or None.

    A corpus in ``data/<dataset>/corpus`` belongs to the dataset of this name in
    ``config/datasets``; None is also returned for any other corpus.
    """
    folder = corpus.resolve()
    file = find_home() / "config" / "datasets" / f"{folder.parent.name}.yaml"
    if folder.name != "corpus" or not file.is_file():
        return None
    return DatasetFile.parse(read_yaml(file), where=str(file), texts=True).embedding.dimension


def _describe(
    specification: RankerSpecification, name: str, seed: int, words: WordOptions
) -> ModelConfiguration:
    """Describe a model without a file; word vectors, where it needs them, are those of ``ncs``."""
    needs = {need for kind in specification.kinds for need in find_options(kind).needs}
    return ModelConfiguration(
        name=name,
        trained_on="",
        specification=specification,
        words=words,
        seed=seed,
        learns=LearntBlocks(
            embedding=load_configured("ncs").learns.embedding if "embedding" in needs else None
        ),
        parts={
            part: _describe(one, part, seed, words) for part, one in specification.parts.items()
        },
    )
