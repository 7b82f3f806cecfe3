"""Checks that a model file says all that its ranker needs, and nothing that it does not take."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from ncsbench.base.configuration.files import without_braces
from ncsbench.base.files.csv_tables import read_rows
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.pipeline.files.dataset_file import DatasetFile
from ncsbench.pipeline.files.model_configuration import ModelConfiguration
from ncsbench.pipeline.files.model_files import is_path, name_models, name_rows
from ncsbench.pipeline.files.run_options import WHERE, RunOptions
from ncsbench.rankers.learnt_kinds import INPUTS, list_kinds
from ncsbench.rankers.registry import check_base, find_options


def check_model(model: ModelConfiguration) -> None:
    """Raise ``ConfigurationError``, naming the model file, where no ranker can be made from it.

    Checks are made of the kind, the base and the options, and that the file has all that the ranker
    ``needs``; and likewise of the models that this model builds on.
    """
    for other in model.others:
        check_model(other)
    where = model.where
    try:
        check_base(model.specification)
        _check_inputs(model)
        _check_index(model)
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}: {error}") from error
    options = find_options(model.specification.kind)
    options.parse(model.specification.options, where=where, within="options")
    for path in model.files.values():
        if not Path(without_braces(where, path)).exists():
            raise ConfigurationError(f"{where}: options: there is no {path}; mend the path")


def check_packages(model: ModelConfiguration) -> None:
    """Raise ``ConfigurationError`` where a package that a model's rankers need is not installed."""
    for one in model.specification.chain:
        options = find_options(one.kind).parse(one.options, where=model.where, within="options")
        try:
            options.check_packages()
        except ConfigurationError as error:
            raise ConfigurationError(f"{model.where}: {error}") from error


def check_models(models: Iterable[ModelConfiguration], systems: Collection[str]) -> None:
    """Check each model, and that ``published_as`` and ``beside`` name published systems."""
    for model in models:
        check_model(model)
        for key in ("published_as", "beside"):
            system = getattr(model, key)
            if system and system not in systems:
                raise ConfigurationError(
                    f"{model.where}: {key}: {system!r} is no published system; "
                    f"{nearest(system, sorted(systems))}"
                )


_COMPARISONS = Path("config/comparisons.csv")


def read_comparisons(root: Path) -> list[list[str]]:
    """Read the pairs of a model and its baseline, in the order of the tables that report them.

    Raises:
        NcsbenchError: for a file of another form, or a name that no file in ``config/models`` has.
    """
    path, known = root / _COMPARISONS, name_models(root)
    pairs = [list(row.values()) for row in read_rows(path, ("model", "baseline"))]
    for name in (name for pair in pairs for name in pair):
        if name not in known:
            raise ConfigurationError(f"{path}: {name!r} is no model; {nearest(name, known)}")
    return pairs


_OWN = "one of your own is named by the path of its .yaml file"


def check_names(
    run: RunOptions,
    dataset: DatasetFile,
    root: Path,
    dataset_file: Path,
    changed: Iterable[str] = (),
) -> None:
    """Raise ``ConfigurationError`` for any name of a model in the options that no model has."""
    rows, further = map(name_rows, (run.models, dataset.further_models))
    given = name_rows(filter(is_path, (*run.models, *dataset.further_models)))
    known = [*name_models(root), *given, *changed]
    micro = run.micro_benchmark
    for key, names in (
        (f"{WHERE}: models", rows),
        (f"{dataset_file}: further_models", further),
        (f"{WHERE}: micro_benchmark.rows", [row.model for row in micro.rows]),
        (f"{WHERE}: baseline", [run.baseline]),
        (f"{WHERE}: comparisons", [name for pair in run.comparisons for name in pair]),
        (f"{dataset_file}: replicates.models", dataset.replicates.models),
    ):
        for name in names:
            if name not in known:
                hint = f"; {_OWN}" if key.endswith("models") else ""
                near = nearest(name, known, page="docs/models.md")
                raise ConfigurationError(f"{key}: {name!r} is no model; {near}{hint}")


def check_trained(models: Iterable[ModelConfiguration], dataset: str, dataset_file: Path) -> None:
    """Raise ``ConfigurationError`` where another dataset lacks what the models take from it.

    Args:
        models: models that have an index.
        dataset: name of the other dataset.
        dataset_file: the dataset file that names the other dataset.
    """
    folder = Path("data") / dataset
    command = f"snakemake --cores all trained --config dataset={dataset}"
    if not folder.is_dir():
        raise ConfigurationError(
            f"{dataset_file}: trained_in: no dataset {dataset!r} was run here; run '{command}' "
            "first, or mend the name"
        )
    for model in models:
        for found in model.learnt.values():
            if not (folder / found).exists():
                raise ConfigurationError(
                    f"{dataset_file}: trained_in: {dataset} has not made {folder / found} for the "
                    f"model {model.name}; run '{command}' first, with the same models, seed and "
                    "'embedding' of the dataset file"
                )


def _check_index(model: ModelConfiguration) -> None:
    """Raise an error where a model's own index would have to hold that of a base with parts.

    The indexes of the parts lie elsewhere.
    """
    if model.base is not None and model.all_parts and model.indexed is model:
        if model.referred is None:
            raise ConfigurationError(
                f"a model of kind {model.specification.kind} has an index of its own, which cannot "
                f"hold that of its base {model.base.name}, a model with parts; name another base"
            )


def _check_inputs(model: ModelConfiguration) -> None:
    """Raise an error where the model file lacks what ``fit`` needs or what training starts from."""
    kind = model.specification.kind
    given = {
        name
        for _, learnt, block in list_kinds(model.learns)
        for name in learnt.inputs
        if getattr(block, name, "no option") is not None
    }
    for needed in find_options(kind).needs:
        if needed not in given and not (needed == "methods" and model.source_text):
            found = INPUTS.get(needed)
            unknown = f"{needed!r}, which is not one of {', '.join(INPUTS)}"
            remedy = f"{found.what}; add {found.added_by}" if found else unknown
            raise ConfigurationError(f"a model of kind {kind} needs {remedy}")
    if model.learns.training is not None and model.learns.embedding is None:
        raise ConfigurationError(
            "training starts from word vectors; add a line 'vectors_of: <model>' or a block "
            "'embedding'"
        )
