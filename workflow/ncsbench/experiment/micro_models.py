"""Models of the NCS micro-benchmark: those of the configuration with some options changed.

A changed model has a name that says what is changed, such as ``ncs-dimension-250``, so that its
artifacts need no rules of their own; where nothing differs it is the model itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.model_checks import check_model
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.micro_benchmark.micro_options import ChangedModel, MicroBenchmarkOptions
from ncsbench.rankers.registry import find_options
from ncsbench.training.embedding_options import EmbeddingOptions

_WHERE = "config/config.yaml or --config: micro_benchmark"


@dataclass(frozen=True)
class MicroModels:
    """The models of the micro-benchmark.

    Attributes:
        by_name: all of them.
        rows: the name of the model of every row.
        choices: the names of the models that are compared with the first one.
    """

    by_name: dict[str, ModelConfiguration]
    rows: list[str]
    choices: list[str]

    @property
    def words_key(self) -> str | None:
        """Names the folder of the words that queries are cut from; None without models."""
        return next((model.words_key for model in self.by_name.values()), None)


def make_micro_models(
    options: MicroBenchmarkOptions, load: Callable[[str], ModelConfiguration]
) -> MicroModels:
    """The models that the micro-benchmark asks for.

    Args:
        options: its rows and choices.
        load: gives the model of a name.

    Raises:
        ConfigurationError: for options that a model does not have, for a model that builds on
            another one, and for models whose words are not those of the first: all are searched
            with the same queries.
    """
    rows = [change_options(load(row.model), row) for row in options.rows]
    choices = [change_options(load(choice.model), choice) for choice in options.choices]
    made = MicroModels(
        by_name={model.name: model for model in (*rows, *choices)},
        rows=[model.name for model in rows],
        choices=[model.name for model in choices],
    )
    for model in made.by_name.values():
        check_model(model)
        if model.words_key != made.words_key:
            raise ConfigurationError(
                f"{_WHERE}: {model.name} has other 'words' than {next(iter(made.by_name))}, from "
                "which the queries are cut; give their files the same"
            )
    return made


def change_options(model: ModelConfiguration, changes: ChangedModel) -> ModelConfiguration:
    """The model with some options of its word vectors and of its ranker changed."""
    kind, given = model.specification.kind, model.specification.options
    if model.given:
        raise ConfigurationError(
            f"{_WHERE}: {model.name} is a run made elsewhere, which ranks methods for no other "
            "queries; name another model"
        )
    if model.others:
        raise ConfigurationError(
            f"{_WHERE}: {model.name} builds on another model; name one that does not"
        )
    if changes.embedding and model.embedding is None:
        raise ConfigurationError(f"{_WHERE}: {model.name} has no block 'embedding' to change")
    names, embedding, specification = [model.name], model.embedding, model.specification
    if embedding is not None:
        changed = _parse(EmbeddingOptions, embedding.as_json() | changes.embedding, "embedding")
        names += _name_differences(changed, embedding, changes.embedding)
        embedding = changed
    before = _parse(find_options(kind), given, "options")
    after = _parse(find_options(kind), {**given, **changes.options}, "options")
    differences = _name_differences(after, before, changes.options)
    if differences:
        parsed = {key: after.as_json()[key] for key in changes.options}
        specification = specification.model_copy(update={"options": {**given, **parsed}})
    return replace(
        model,
        name="-".join(names + differences),
        specification=specification,
        embedding=embedding,
    )


def _parse(kind: type[StrictModel], values: dict[str, Any], within: str) -> Any:
    return kind.parse(values, where=_WHERE, within=within, texts=True)


def _name_differences(
    changed: StrictModel, before: StrictModel, changes: dict[str, Any]
) -> list[str]:
    """``key-value`` for every key whose value is another one."""
    return [
        f"{key}-{str(getattr(changed, key)).lower()}"
        for key in changes
        if getattr(changed, key) != getattr(before, key)
    ]
