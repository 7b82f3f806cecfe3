"""Variants of a model: with another seed, a part of its pairs or dimensions, or of the corpus.

A variant is a model with a name that tells the change, so that its artifacts have a place beside
those of the model: ``ncs-seed2020``, ``ncs-pairs-1-of-2``, ``ncs-haystack-100000``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.published.verdict_options import Halving
from ncsbench.pipeline.files.dataset_file import ReplicateOptions
from ncsbench.pipeline.files.model_checks import check_model
from ncsbench.pipeline.files.model_configuration import (
    ModelConfiguration,
    change_block,
    change_others,
)
from ncsbench.rankers.registry import find_options
from ncsbench.studies.ncs_2018.micro_options import ChangedModel, MicroBenchmarkOptions

_REASONS: dict[str, Halving] = {
    "pairs": "fewer_pairs",
    "dimension": "other_dimension",
}
_DIVIDED = {"pairs": ("training", "share"), "dimension": ("embedding", "dimension")}
"""Block and key of a model file with the amount that an ablation halves, by name of ablation."""
_HALF = 2
_PUBLISHED_DIMENSION = 500
"""Dimension of NCS (section 3.2.1). Halving a smaller dimension shows the effect of having more,
which explains no difference for a model that has at least as many as the published one."""


@dataclass(frozen=True)
class Variants:
    """The variants of the models of a table.

    Attributes:
        by_name: all variants.
        replicates: names of the variants with other seeds, by model.
        ablations: possible explanations of a difference: reason, model, runs with the whole of the
            pairs or dimensions, and runs with half.
        haystacks: the runs among parts of the corpus by model, and by haystack in the order of
            ``haystack_options.name_haystacks``.
    """

    by_name: dict[str, ModelConfiguration]
    replicates: dict[str, list[str]]
    ablations: list[tuple[Halving, str, list[str], list[str]]]
    haystacks: dict[str, dict[str, str]]

    @property
    def for_tables(self) -> list[str]:
        """Names of the variants that Table 1 reads."""
        replicates = [name for names in self.replicates.values() for name in names]
        halves = [run for *_, runs in self.ablations for run in runs]
        return list(dict.fromkeys([*replicates, *halves]))


def make_variants(
    models: Mapping[str, ModelConfiguration],
    *,
    replicates: ReplicateOptions,
    ablations: Sequence[str],
    haystacks: Sequence[str] = (),
) -> Variants:
    """Make the variants that a configuration asks for.

    Args:
        models: rows of the table.
        replicates: other seeds than the run's own, and the models that are made with them.
        ablations: names of the amounts that are halved, ``pairs`` or ``dimension``; a model whose
            options do not allow a half has no ablation.
        haystacks: parts of the corpus that every model searches.

    Rankings that were made elsewhere have neither other seeds nor haystacks.

    Raises:
        ConfigurationError: where a variant has the name of a model.
    """
    seeds = replicates.seeds
    seeded = {
        name: [vary_seed(models[name], seed) for seed in seeds]
        for name in replicates.models
        if name in models and not models[name].given
    }
    halves = [
        (_REASONS[what], model, whole, half)
        for what in ablations
        for model in models.values()
        if model.published_as
        for whole, half in [_make_halves(model, what, seeded.get(model.name, []), seeds)]
        if half
    ]
    among = {
        name: [take_haystack(model, haystack) for haystack in haystacks]
        for name, model in models.items()
        if not model.given
    }
    listed: list[ModelConfiguration] = []
    for made in (*(half for *_, half in halves), *seeded.values(), *among.values()):
        listed += made
    by_name = {variant.name: variant for variant in listed}
    for name in sorted(by_name.keys() & models.keys()):
        raise ConfigurationError(f"{models[name].where}: a variant has this name; rename it")
    return Variants(
        by_name=by_name,
        replicates={name: [one.name for one in made] for name, made in seeded.items()},
        ablations=[
            (reason, model.name, _name_all(whole), _name_all(half))
            for reason, model, whole, half in halves
        ],
        haystacks={
            name: {variant.haystack: variant.name for variant in made}
            for name, made in among.items()
            if made
        },
    )


def _make_halves(
    model: ModelConfiguration,
    what: str,
    replicates: list[ModelConfiguration],
    seeds: Sequence[int],
) -> tuple[list[ModelConfiguration], list[ModelConfiguration]]:
    """Make models with the whole and models with half of pairs or dimensions.

    The second list is empty where the model has no such amount to halve. Where the model has
    replicates, the half is made with their seeds, too.
    """
    if what == "dimension":
        embedding = model.learns.embedding
        if embedding is None or embedding.dimension >= _PUBLISHED_DIMENSION:
            return [model], []
    half = take_part(model, what, _HALF)
    if half is None:
        return [model], []
    drawn = seeds if replicates else []
    return [model, *replicates], [half, *(vary_seed(half, seed) for seed in drawn)]


def _name_all(models: list[ModelConfiguration]) -> list[str]:
    return [model.name for model in models]


def vary_seed(model: ModelConfiguration, seed: int) -> ModelConfiguration:
    """Return the model, and the models that it builds on, with another seed."""
    return _vary(model, f"-seed{seed}", lambda one: replace(one, seed=seed))


def take_haystack(model: ModelConfiguration, haystack: str) -> ModelConfiguration:
    """Return the model as it searches a part of the corpus."""
    name = f"{model.name}-haystack-{haystack}"
    return replace(model, name=name, haystack=haystack, whole=model)


def take_part(model: ModelConfiguration, what: str, part: int) -> ModelConfiguration | None:
    """Return the model with the first of ``part`` equal parts of its pairs or dimensions.

    Returns:
        The model; None where it has no pairs or dimensions, or its options do not allow the part.
    """
    suffix = f"-{what}-1-of-{part}"
    block, key = _DIVIDED[what]
    if not any(getattr(one.learns, block) is not None for one in _chain(model)):
        return None
    try:
        return _vary(model, suffix, lambda one: _divide(one, block, key, part))
    except ConfigurationError:
        return None


def _chain(model: ModelConfiguration) -> list[ModelConfiguration]:
    return [model, *(one for other in model.others for one in _chain(other))]


def _divide(model: ModelConfiguration, block: str, key: str, part: int) -> ModelConfiguration:
    options: StrictModel | None = getattr(model.learns, block)
    if options is None:
        return model
    value = getattr(options, key)
    divided = value // part if isinstance(value, int) else value / part
    return change_block(model, block, options.changed(**{key: divided}))


def _vary(
    model: ModelConfiguration,
    suffix: str,
    change: Callable[[ModelConfiguration], ModelConfiguration],
) -> ModelConfiguration:
    changed = change_others(model, lambda other: _vary(other, suffix, change))
    return replace(change(changed), name=f"{model.name}{suffix}")


_WHERE = "config/config.yaml or --config: micro_benchmark"


@dataclass(frozen=True)
class MicroModels:
    """The models of the micro-benchmark.

    Attributes:
        by_name: all models of the micro-benchmark.
        rows: the name of the model of every row.
    """

    by_name: dict[str, ModelConfiguration]
    rows: list[str]

    @property
    def words_key(self) -> str | None:
        """Name of the folder of the words that queries are cut from; None without models."""
        return next((model.keys["words"] for model in self.by_name.values()), None)


def make_micro_models(
    options: MicroBenchmarkOptions, load: Callable[[str], ModelConfiguration]
) -> MicroModels:
    """Make the models that the micro-benchmark asks for.

    Args:
        options: options of the micro-benchmark, with its rows.
        load: function that gives the model of a name.

    Raises:
        ConfigurationError: for options that a model does not have, for a model that builds on
            another one, and for models whose words are not those of the first model: all models
            are searched with the same queries.
    """
    rows = [change_options(load(row.model), row) for row in options.rows]
    made = MicroModels(
        by_name={model.name: model for model in rows},
        rows=[model.name for model in rows],
    )
    for model in made.by_name.values():
        check_model(model)
        if model.keys["words"] != made.words_key:
            raise ConfigurationError(
                f"{_WHERE}: {model.name} has other 'words' than {next(iter(made.by_name))}, from "
                "which the queries are cut; give their files the same"
            )
    return made


def change_options(model: ModelConfiguration, changes: ChangedModel) -> ModelConfiguration:
    """Return the model with changes of some options of its word vectors and of its ranker."""
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
    embedding = model.learns.embedding
    if changes.embedding and embedding is None:
        raise ConfigurationError(f"{_WHERE}: {model.name} has no block 'embedding' to change")
    names, specification = [model.name], model.specification
    if embedding is not None:
        changed = _parse(type(embedding), embedding.as_json() | changes.embedding, "embedding")
        names += _name_differences(changed, embedding, changes.embedding)
        model = change_block(model, "embedding", changed)
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
    )


def _parse(kind: type[StrictModel], values: dict[str, Any], within: str) -> Any:
    return kind.parse(values, where=_WHERE, within=within, texts=True)


def _name_differences(
    changed: StrictModel, before: StrictModel, changes: dict[str, Any]
) -> list[str]:
    """Return ``key-value`` for every changed key whose value differs from the value before."""
    return [
        f"{key}-{str(getattr(changed, key)).lower()}"
        for key in changes
        if getattr(changed, key) != getattr(before, key)
    ]
