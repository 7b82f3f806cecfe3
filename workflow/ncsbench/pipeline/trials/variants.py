"""Variants of a model: the same with another seed, with a part of what it has, or of the corpus.

A variant is a model of its own with a name that says what it is, so that every artifact of it has
its place beside those of the model: ``ncs-seed2020``, ``ncs-pairs-1-of-2``,
``ncs-haystack-100000``.
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
"""Block and key of a model file that say how much of something there is."""
_HALF = 2
_PUBLISHED_DIMENSION = 500
"""Of NCS (section 3.2.1). Halving shows what more dimensions would do, which published systems with
no more than ours did not have."""


@dataclass(frozen=True)
class Variants:
    """The variants of the models of a table.

    Attributes:
        by_name: all of them.
        replicates: names of the variants with other seeds, by model.
        ablations: what may explain a difference: reason, model, runs with the whole of something
            and runs with half of it.
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
    """The variants that a configuration asks for.

    Args:
        models: rows of the table.
        replicates: other seeds, none of which is the run's own.
        ablations: what models are made again with half of; where the options of a half are not
            possible, there is no ablation.
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
    """Runs with the whole and runs with half of something; the second is empty where it has none.

    What training draws is drawn again with each seed.
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
    """The model and those it builds on with other draws."""
    return _vary(model, f"-seed{seed}", lambda one: replace(one, seed=seed))


def take_haystack(model: ModelConfiguration, haystack: str) -> ModelConfiguration:
    """The model, searching among a part of the corpus."""
    name = f"{model.name}-haystack-{haystack}"
    return replace(model, name=name, haystack=haystack, whole=model)


def take_part(model: ModelConfiguration, what: str, part: int) -> ModelConfiguration | None:
    """The model with the first of ``part`` equal parts of its pairs or dimensions.

    Returns:
        None where the model has no such thing, or where its options do not allow half of it.
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
        by_name: all of them.
        rows: the name of the model of every row.
    """

    by_name: dict[str, ModelConfiguration]
    rows: list[str]

    @property
    def words_key(self) -> str | None:
        """Names the folder of the words that queries are cut from; None without models."""
        return next((model.keys["words"] for model in self.by_name.values()), None)


def make_micro_models(
    options: MicroBenchmarkOptions, load: Callable[[str], ModelConfiguration]
) -> MicroModels:
    """The models that the micro-benchmark asks for.

    Args:
        options: its rows.
        load: gives the model of a name.

    Raises:
        ConfigurationError: for options that a model does not have, for a model that builds on
            another one, and for models whose words are not those of the first: all are searched
            with the same queries.
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
    """``key-value`` for every key whose value is another one."""
    return [
        f"{key}-{str(getattr(changed, key)).lower()}"
        for key in changes
        if getattr(changed, key) != getattr(before, key)
    ]
