"""The model that a user of the library names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ncsbench.configuration.files import read_yaml
from ncsbench.corpus.corpus_settings import WordOptions
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.configured_model import find_home, load_configured
from ncsbench.experiment.dataset_file import DatasetFile
from ncsbench.experiment.model_configuration import ModelConfiguration, change_dimension
from ncsbench.experiment.model_yaml import is_path, name_models, place_model
from ncsbench.experiment.variants import vary_seed
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import find_options


def choose_model(
    name: str, given: Mapping[str, Any], *, dimension: int | None, seed: int
) -> ModelConfiguration:
    """A model of ``config/models`` or of a file with all of its keys, or a bare kind of ranker.

    Args:
        name: of the model, path of its file, or the kind.
        given: ``options``, of which each replaces the model's; ``base`` and ``parts``, which
            replace the model's. A model file is not changed so.
        dimension: length of word vectors; None for the model's.
        seed: of everything that draws.
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
    """The length of word vectors that a dataset's file sets; None where it sets none.

    The dataset is that of ``config/datasets`` for a corpus in ``data/<dataset>/corpus``.
    """
    folder = corpus.resolve()
    file = find_home() / "config" / "datasets" / f"{folder.parent.name}.yaml"
    if folder.name != "corpus" or not file.is_file():
        return None
    return DatasetFile.parse(read_yaml(file), where=str(file), texts=True).embedding.dimension


def _describe(
    specification: RankerSpecification, name: str, seed: int, words: WordOptions
) -> ModelConfiguration:
    """A model of a ranker without a file: word vectors, where it needs them, as of ``ncs``."""
    needs = {need for kind in specification.kinds for need in find_options(kind).needs}
    return ModelConfiguration(
        name=name,
        trained_on="",
        specification=specification,
        words=words,
        embedding=load_configured("ncs").embedding if "embedding" in needs else None,
        seed=seed,
        parts={
            part: _describe(one, part, seed, words) for part, one in specification.parts.items()
        },
    )
