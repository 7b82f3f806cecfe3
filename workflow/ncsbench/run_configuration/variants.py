"""Variants of a model: the same with another seed, or with a part of what it has.

A variant is a model of its own with a name that says what it is, so that every artifact of it has
its place beside those of the model: ``ncs-seed2020``, ``ncs-repositories-1-of-2``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ncsbench.errors import ConfigurationError
from ncsbench.run_configuration.models import ModelConfiguration

_REASONS = {
    "repositories": "fewer_repositories",
    "pairs": "fewer_pairs",
    "dimension": "other_dimension",
}
_HALF = 2


@dataclass(frozen=True)
class Variants:
    """The variants of the models of a table.

    Attributes:
        by_name: all of them.
        replicates: names of the variants with other seeds, by model.
        ablations: what may explain a difference: reason, model, runs with the whole of something
            and runs with half of it.
        curves: points of a learning curve by model, the fewest pairs first: n, where it has one
            n-th of the pairs, and name of the run; the model and its replicates are the last ones.
    """

    by_name: dict[str, ModelConfiguration]
    replicates: dict[str, list[str]]
    ablations: list[tuple[str, str, list[str], list[str]]]
    curves: dict[str, list[tuple[int, str]]]

    @property
    def for_tables(self) -> list[str]:
        """Names of the variants that Table 1 reads."""
        replicates = [name for names in self.replicates.values() for name in names]
        halves = [run for *_, runs in self.ablations for run in runs]
        return list(dict.fromkeys([*replicates, *halves]))


def make_variants(
    run: Mapping[str, Any],
    models: Mapping[str, ModelConfiguration],
    *,
    published: bool,
    can_be_made: Callable[[ModelConfiguration], bool] = lambda model: True,
) -> Variants:
    """The variants that a configuration asks for.

    Args:
        run: the checked configuration, with ``replicates``, ``ablations`` and ``learning_curves``.
        models: rows of the table.
        published: whether the questions are published ones; only then there are ablations.
        can_be_made: whether the options of a half are possible; where not, there is no ablation.

    Raises:
        ConfigurationError: where a variant has the name of a model.
    """
    replicates = {
        name: [vary_seed(models[name], seed) for seed in run["replicates"]["seeds"]]
        for name in run["replicates"]["models"]
        if name in models
    }
    halves = [
        (_REASONS[what], model, whole, half)
        for what in run["ablations"]
        for model in models.values()
        if published and model.published_as
        for whole, half in [_make_halves(model, what, replicates.get(model.name, []), run)]
        if half and can_be_made(half[0])
    ]
    curves = {
        name: _make_curve(models[name], run["learning_curves"]["parts"], run["replicates"]["seeds"])
        for name in run["learning_curves"]["models"]
        if name in models
    }
    listed: list[ModelConfiguration] = []
    for made in (*(half for *_, half in halves), *replicates.values()):
        listed += made
    for points in curves.values():
        listed += [variant for _, variant in points if variant.name not in models]
    by_name = {variant.name: variant for variant in listed}
    for name in sorted(by_name.keys() & models.keys()):
        raise ConfigurationError(f"config/models/{name}.yaml: a variant has this name; rename it")
    return Variants(
        by_name=by_name,
        replicates={name: [one.name for one in made] for name, made in replicates.items()},
        ablations=[
            (reason, model.name, _name_all(whole), _name_all(half))
            for reason, model, whole, half in halves
        ],
        curves={name: [(part, one.name) for part, one in made] for name, made in curves.items()},
    )


def _make_halves(
    model: ModelConfiguration,
    what: str,
    replicates: list[ModelConfiguration],
    run: Mapping[str, Any],
) -> tuple[list[ModelConfiguration], list[ModelConfiguration]]:
    """Runs with the whole and runs with half of something; the second is empty where it has none.

    Both halves of the repositories are searched. What training draws is drawn again with each seed.
    """
    if what == "repositories":
        return [model], [take_repositories(model, number, _HALF) for number in range(1, _HALF + 1)]
    half = take_part(model, what, _HALF)
    if half is None:
        return [model], []
    seeds = run["replicates"]["seeds"] if replicates else []
    return [model, *replicates], [half, *(vary_seed(half, seed) for seed in seeds)]


def _name_all(models: list[ModelConfiguration]) -> list[str]:
    return [model.name for model in models]


def _make_curve(
    model: ModelConfiguration, parts: list[int], seeds: list[int]
) -> list[tuple[int, ModelConfiguration]]:
    points = [(part, take_part(model, "pairs", part)) for part in sorted(parts, reverse=True)]
    return [
        (part, one)
        for part, whole in [*points, (1, model)]
        if whole is not None
        for one in [whole, *(vary_seed(whole, seed) for seed in seeds)]
    ]


def vary_seed(model: ModelConfiguration, seed: int) -> ModelConfiguration:
    """The model and its bases with other draws."""
    return _vary(model, f"-seed{seed}", lambda one: {"seed": seed})


def take_repositories(model: ModelConfiguration, number: int, count: int) -> ModelConfiguration:
    """The model, searching one of ``count`` parts of the repositories; numbers count from 1."""
    name = f"{model.name}-repositories-{number}-of-{count}"
    return replace(model, name=name, repositories_part=(number, count), whole=model)


def take_part(model: ModelConfiguration, what: str, part: int) -> ModelConfiguration | None:
    """The model with the first of ``part`` equal parts of its pairs or dimensions.

    Returns:
        None where the model has no such thing.
    """
    suffix = f"-{what}-1-of-{part}"
    if what == "pairs" and any(one.training is not None for one in _chain(model)):
        return _vary(model, suffix, lambda one: _divide(one, "training", "share", part))
    if what == "dimension" and any(one.embedding is not None for one in _chain(model)):
        return _vary(model, suffix, lambda one: _divide(one, "embedding", "dimension", part))
    return None


def _chain(model: ModelConfiguration) -> list[ModelConfiguration]:
    return [model] if model.base is None else [model, *_chain(model.base)]


def _divide(model: ModelConfiguration, block: str, key: str, part: int) -> dict[str, Any]:
    options = getattr(model, block)
    if options is None:
        return {}
    # A dimension is a whole number, a share is none, even where a file has 1 for 1.0.
    value = options[key] // part if key == "dimension" else options[key] / part
    return {block: {**options, key: value}}


def _vary(
    model: ModelConfiguration,
    suffix: str,
    change: Callable[[ModelConfiguration], dict[str, Any]],
) -> ModelConfiguration:
    base = None if model.base is None else _vary(model.base, suffix, change)
    return replace(model, name=f"{model.name}{suffix}", base=base, **change(model))
