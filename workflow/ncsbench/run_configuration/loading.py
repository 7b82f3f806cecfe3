"""Snakemake's configuration, checked and resolved."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.configuration import load_dataset, nearest, validate_configuration
from ncsbench.errors import ConfigurationError
from ncsbench.fingerprints import Fingerprints
from ncsbench.run_configuration.code import RuleCode, describe_code, kinds_of
from ncsbench.run_configuration.inputs import RawInputs, find_raw_inputs
from ncsbench.run_configuration.models import (
    CONTROLS,
    ModelConfiguration,
    load_model,
    name_models,
    read_stop_words,
)
from ncsbench.run_configuration.pair_sets import load_pair_sets, name_pair_sets
from ncsbench.run_configuration.settings import choose_baseline, make_settings
from ncsbench.run_configuration.variants import Variants, make_variants


@dataclass(frozen=True)
class RunConfiguration:
    """A checked configuration.

    Attributes:
        dataset: name of the dataset.
        repositories: path of its repository list.
        questions: paths of its questions files.
        questions_are_selected: whether the workflow itself makes that file, from the posts.
        posts: where the dump of posts lies and how it is read; None where the dataset has none.
        selection: how evaluation questions are selected from posts.
        curation: path of the file of decisions about candidate questions; None where none is.
        shards: number of parts the corpus is worked on in.
        ceiling: whether the whole corpus is judged.
        models: rows of the table in order, the controls first where they were not asked for.
        left_out: models that were asked for and cannot be, and why.
        notices: lines for the user about what was asked for and is not done.
        variants: models that the tables look at beside the rows.
        runs: everything that makes a ranking, the rows and their variants, by name.
        indexes: the models that need an index of their own, by name.
        pairs: options of the sets of training pairs that can be made, by name.
        inputs: files and folders that the run reads and did not make.
        settings: what each stage is configured with, by path below the data folder.
    """

    dataset: str
    repositories: str
    questions: list[str]
    questions_are_selected: bool
    posts: dict[str, Any] | None
    selection: dict[str, Any]
    curation: str | None
    shards: int
    ceiling: bool
    models: dict[str, ModelConfiguration]
    left_out: dict[str, str]
    notices: list[str]
    variants: Variants
    runs: dict[str, ModelConfiguration]
    indexes: dict[str, ModelConfiguration]
    pairs: dict[str, dict[str, Any]]
    inputs: RawInputs
    settings: dict[str, Any]

    def describe(
        self, *, fingerprints: Fingerprints, rules: Mapping[str, RuleCode], library: Path
    ) -> dict[str, Any]:
        """Content of every settings file: what is configured, the raw inputs and the code.

        Args:
            fingerprints: content of the raw inputs.
            rules: what each rule executes.
            library: folder of the package ``ncsbench``.
        """
        kinds = [kind for model in self.runs.values() for kind in kinds_of(model.specification)]
        code = describe_code(rules, kinds, library)
        folder = f"{self.dataset}/settings"
        return {
            **self.settings,
            **{f"{folder}/code/{name}.json": value for name, value in code.items()},
            **{
                f"{folder}/inputs/{name}.json": value
                for name, value in self.inputs.describe(fingerprints).items()
            },
        }


def load_run(
    config: dict[str, Any],
    *,
    root: Path,
    are_published: Callable[[list[Path]], bool] = lambda paths: False,
    published_systems: Collection[str] | None = None,
    count_repositories: Callable[[Path], int] = lambda path: 2,
    can_be_made: Callable[[ModelConfiguration], bool] = lambda model: True,
) -> RunConfiguration:
    """Check Snakemake's configuration and everything it names.

    What only higher floors can know is asked of them.

    Args:
        config: the merged configuration.
        root: folder of the Snakefile, with ``config/`` and ``workflow/schemas/``.
        are_published: whether the questions of some files are published ones, with a score sheet.
        published_systems: names that ``published_as`` may have; None for any.
        count_repositories: how many a list has; one cannot be halved.
        can_be_made: whether the options of a model are possible ones.

    Raises:
        ConfigurationError: with one line that says what is wrong and where.
    """
    schemas = root / "workflow" / "schemas"
    run = validate_configuration(
        config, schema=schemas / "config.schema.yaml", source="configuration"
    )
    _drop_own_seed(run)
    dataset = load_dataset(_dataset_path(run["dataset"], root), schemas / "dataset.schema.yaml")
    pairs, absent = load_pair_sets(root, with_posts=dataset["posts"] is not None)
    inputs = find_raw_inputs(dataset, pairs, Path(os.path.relpath(root / "config" / "published")))
    selected = not dataset["questions"]
    if selected:
        dataset["questions"] = [f"results/{dataset['name']}/selected/questions.json"]
    _check_names(run, root)
    names = list(dict.fromkeys([*run["models"], *dataset["further_models"]]))
    models, left_out = _load_models(run, names, root, pairs, absent)
    _check_models(run, models, published_systems)
    published = not selected and are_published([Path(path) for path in dataset["questions"]])
    if published and count_repositories(Path(dataset["repositories"])) < 2:
        run["ablations"] = [what for what in run["ablations"] if what != "repositories"]
    variants = make_variants(run, models, published=published, can_be_made=can_be_made)
    runs = {**models, **variants.by_name}
    stop_words = read_stop_words(root / run["stop_words"])
    return RunConfiguration(
        dataset=dataset["name"],
        repositories=dataset["repositories"],
        questions=dataset["questions"],
        questions_are_selected=selected,
        posts=dataset["posts"],
        selection=run["selection"],
        curation=dataset["curation"],
        shards=dataset["shards"],
        ceiling=dataset["ceiling"],
        models=models,
        left_out=left_out,
        notices=_make_notices(run, models, left_out),
        variants=variants,
        runs=runs,
        indexes={model.indexed.name: model.indexed for model in runs.values()},
        pairs=pairs,
        inputs=inputs,
        settings=make_settings(run, dataset, models, variants, pairs, stop_words),
    )


def _load_models(
    run: dict[str, Any],
    asked: list[str],
    root: Path,
    pairs: dict[str, dict[str, Any]],
    absent: dict[str, str],
) -> tuple[dict[str, ModelConfiguration], dict[str, str]]:
    names = [*(name for name in CONTROLS if name not in asked), *asked]
    known = name_pair_sets(root)
    models, left_out = {}, {}
    for name in names:
        model = load_model(name, root=root, stop_words=run["stop_words"], seed=run["seed"])
        for pair_set in sorted(model.pair_sets - set(known)):
            raise ConfigurationError(
                f"config/models/{model.name}.yaml: pairs {pair_set!r} are unknown; "
                f"{nearest(pair_set, known)}"
            )
        missing = sorted(model.pair_sets - set(pairs))
        if missing:
            left_out[name] = f"it learns from the pairs {missing[0]!r}, and {absent[missing[0]]}"
        else:
            models[name] = model
    return models, left_out


def _drop_own_seed(run: dict[str, Any]) -> None:
    """The model with the run's own seed is the model itself, not one more replicate of it."""
    seeds = [seed for seed in run["replicates"]["seeds"] if seed != run["seed"]]
    run["replicates"] = {**run["replicates"], "seeds": seeds}


def _check_models(
    run: dict[str, Any], models: dict[str, ModelConfiguration], systems: Collection[str] | None
) -> None:
    """What is said about a model must be true of it."""
    for name, model in models.items():
        if model.published_as and systems is not None and model.published_as not in systems:
            raise ConfigurationError(
                f"config/models/{name}.yaml: published_as: {model.published_as!r} is no published "
                f"system; {nearest(model.published_as, sorted(systems))}"
            )
        if name in run["learning_curves"]["models"] and model.training is None:
            raise ConfigurationError(
                f"configuration: learning_curves.models: {name!r} is not trained on pairs: "
                f"config/models/{name}.yaml has no block 'training'"
            )


def _make_notices(
    run: dict[str, Any], models: dict[str, ModelConfiguration], left_out: dict[str, str]
) -> list[str]:
    notices = [f"{name} is left out: {reason}" for name, reason in left_out.items()]
    baseline = choose_baseline(run, models)
    if baseline != run["baseline"]:
        notices.append(
            f"every model is tested against {baseline}, since the baseline {run['baseline']} is "
            "not among the models"
        )
    return notices


def _check_names(run: dict[str, Any], root: Path) -> None:
    """Names of models that need not be rows, but must be models."""
    known = name_models(root)
    for key, names in (
        ("baseline", [run["baseline"]]),
        ("comparisons", [name for pair in run["comparisons"] for name in pair]),
        ("replicates.models", run["replicates"]["models"]),
        ("learning_curves.models", run["learning_curves"]["models"]),
    ):
        for name in names:
            if name not in known:
                raise ConfigurationError(
                    f"configuration: {key}: {name!r} is no model; {nearest(name, known)}"
                )


def _dataset_path(name: str, root: Path) -> Path:
    if name.endswith((".yaml", ".yml")) or "/" in name:
        return Path(name)
    known = sorted(path.stem for path in (root / "config" / "datasets").glob("*.yaml"))
    if name not in known:
        raise ConfigurationError(
            f"dataset {name!r} is neither in config/datasets nor the path of a .yaml file; "
            f"{nearest(name, known)}"
        )
    return root / "config" / "datasets" / f"{name}.yaml"
