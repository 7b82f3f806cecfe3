"""Whether a model file says all that its ranker needs, and nothing that it does not take."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ncsbench.configuration.files import without_braces
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.model_files import ModelConfiguration
from ncsbench.rankers.registry import check_base, find_options

_REMEDIES = {
    "embedding": "needs word vectors; add a block 'embedding' or a line 'vectors_of: <model>'",
    "expansion": "needs a table of expansions; add a block 'expansion'",
    "weights": "needs trained weights; add a block 'training'",
    "methods": "needs the text of the methods; add a line 'source_text: true'",
}


def check_model(model: ModelConfiguration) -> None:
    """``ConfigurationError`` that names the model file where a ranker cannot be made from it.

    Looked at are its kind, base and options, whether the file gives what the ranker ``needs``, and
    the same of the models it builds on.
    """
    if model.base is not None:
        check_model(model.base)
    where = model.where
    try:
        check_base(model.specification)
        _check_inputs(model)
    except ConfigurationError as error:
        raise ConfigurationError(f"{where}: {error}") from error
    options = find_options(model.specification.kind)
    options.parse(model.specification.options, where=where, within="options")
    for path in model.files.values():
        if not Path(without_braces(where, path)).exists():
            raise ConfigurationError(f"{where}: options: there is no {path}; mend the path")


def check_trained(models: Iterable[ModelConfiguration], dataset: str, dataset_file: Path) -> None:
    """``ConfigurationError`` where another dataset has not trained what the models take from it.

    Args:
        models: those that have an index.
        dataset: name of the other dataset.
        dataset_file: the file that names it.
    """
    folder = Path("data") / dataset
    command = f"snakemake --cores all trained --config dataset={dataset}"
    if not folder.is_dir():
        raise ConfigurationError(
            f"{dataset_file}: trained_in: no dataset {dataset!r} was run here; run '{command}' "
            "first, or mend the name"
        )
    for model in models:
        for path in (
            model.weights_key and folder / "weights" / model.weights_key,
            model.expansion_key and folder / "expansions" / f"{model.expansion_key}.parquet",
            model.embedding_key and folder / "embeddings" / model.embedding_key,
        ):
            if path and not path.exists():
                raise ConfigurationError(
                    f"{dataset_file}: trained_in: {dataset} has not made {path} for the model "
                    f"{model.name}; run '{command}' first, with the same models, seed and "
                    "'embedding' of the dataset file"
                )


def _check_inputs(model: ModelConfiguration) -> None:
    """Whether the model file gives what ``fit`` needs and what training starts from."""
    kind = model.specification.kind
    given = {
        "embedding": model.embedding is not None,
        "expansion": model.expansion is not None,
        "weights": model.training is not None,
        "methods": model.source_text,
    }
    for needed in find_options(kind).needs:
        if not given.get(needed, False):
            raise ConfigurationError(
                f"a model of kind {kind} {_REMEDIES.get(needed, f'needs {needed!r}')}"
            )
    if model.training is not None and model.embedding is None:
        raise ConfigurationError(
            "training starts from word vectors; add a line 'vectors_of: <model>' or a block "
            "'embedding'"
        )
