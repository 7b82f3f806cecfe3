"""Models that are compared on threads of posts: variants with several seeds, and what is published.

A variant with another seed than the run's is a model of its own, such as ``fused-seed2020``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ncsbench.errors import ConfigurationError
from ncsbench.experiment.model_checks import check_model
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.variants import vary_seed
from ncsbench.learning_to_rank.thread_options import ThreadComparisonOptions

_WHERE = "config/config.yaml or --config: thread_comparison"


@dataclass(frozen=True)
class ThreadModels:
    """The models that are compared on threads.

    Attributes:
        part: the part of the threads that they search for.
        by_name: all of them; none where nothing is compared.
        variants: names of the runs of each variant, the simplest first.
    """

    part: str
    by_name: dict[str, ModelConfiguration]
    variants: dict[str, tuple[str, ...]]


def make_thread_models(
    options: ThreadComparisonOptions,
    seed: int,
    load: Callable[[str], ModelConfiguration],
    explain_missing: Callable[[ModelConfiguration], str | None],
) -> ThreadModels:
    """The models that the comparison on threads asks for.

    Args:
        options: what is compared.
        seed: of the run; a variant with it is the model itself.
        load: gives the model of a name.
        explain_missing: says why the dataset cannot have a model; None where it can.

    Raises:
        ConfigurationError: for a model that the dataset cannot have, for one that was made
            elsewhere, and where there is nothing to compare the variants with.
    """
    if not options.variants:
        return ThreadModels(options.part, {}, {})
    if not options.judged_against:
        raise ConfigurationError(
            f"{_WHERE}.judged_against: is empty; name the models that variants are compared with"
        )
    asked = {name: load(name) for name in (*options.judged_against, *options.variants)}
    for name, model in asked.items():
        check_model(model)
        if model.given:
            raise ConfigurationError(
                f"{_WHERE}: {name} is a run made elsewhere, which ranks methods for no other "
                "queries; name another model"
            )
        reason = explain_missing(model)
        if reason is not None:
            raise ConfigurationError(f"{_WHERE}: {name} cannot be: {reason}; name another model")
    by_name = {name: asked[name] for name in options.judged_against}
    variants = {}
    for name in options.variants:
        model = asked[name]
        made = [model if one == seed else vary_seed(model, one) for one in options.seeds]
        variants[name] = tuple(one.name for one in made)
        by_name |= {one.name: one for one in made}
    return ThreadModels(options.part, by_name, variants)
