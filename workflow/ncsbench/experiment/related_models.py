"""Models with those that they build on: what is made for them, and changes that all share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ncsbench.experiment.model_configuration import ModelConfiguration, change_others


def list_made(models: Iterable[ModelConfiguration]) -> list[ModelConfiguration]:
    """The models, those whose indexes they search, those that these refer to, and all parts."""
    listed = list(models)
    for model in listed:  # It grows on the way.
        others = (model.indexed, model.referred, *model.parts.values())
        listed += [other for other in others if other is not None and other is not model]
    return listed


def share_indexes(runs: Iterable[ModelConfiguration]) -> dict[str, ModelConfiguration]:
    """The model whose index each one searches: the first with the same, which is made once."""
    first: dict[str, ModelConfiguration] = {}
    return {
        model.name: first.setdefault(model.indexed.index_key, model.indexed)
        for model in list_made(runs)
    }


def change_dimension(model: ModelConfiguration, dimension: int) -> ModelConfiguration:
    """The model and those it builds on with word vectors of another length, where they have some.

    Raises:
        ConfigurationError: where the other options of the word vectors do not allow it.
    """
    embedding = model.embedding
    if embedding is not None:
        embedding = embedding.changed(dimension=dimension)
    changed = change_others(model, lambda other: change_dimension(other, dimension))
    return replace(changed, embedding=embedding)
