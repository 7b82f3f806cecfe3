"""Settings files: what each stage is configured with.

One file per stage, so that a changed option reruns what depends on it and nothing else.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from ncsbench.records import MEASURES
from ncsbench.run_configuration.models import CONTROLS, ModelConfiguration
from ncsbench.run_configuration.variants import Variants

_JUDGING = (
    *("measure", "threshold", "strict_measure", "strict_threshold"),
    *("depth", "seed", "bootstrap_samples"),
)


def make_settings(
    run: dict[str, Any],
    dataset: dict[str, Any],
    models: Mapping[str, ModelConfiguration],
    variants: Variants,
    pair_sets: Mapping[str, dict[str, Any]],
    stop_words: list[str],
) -> dict[str, Any]:
    """Content of every settings file, by path below the data folder."""
    folder = f"{dataset['name']}/settings"
    corpus = {key: dataset[key] for key in ("repositories", "source", "shards")}
    settings = {
        "configured.json": {"dataset": dataset["name"]},
        f"{folder}/corpus.json": corpus,
        f"{folder}/questions.json": {"questions": dataset["questions"]},
        f"{folder}/retrieval.json": {"depth": run["depth"]},
        f"{folder}/matches.json": {"limits": _unique_limits(run), "count": run["examples"]},
        f"{folder}/table.json": _table_settings(run, dataset["name"], models, variants),
        f"{folder}/learning_curves.json": _curve_settings(run, dataset["name"], models, variants),
    }
    settings |= _study_settings(run, dataset["name"], list(models))
    settings |= _model_settings(folder, [*models.values(), *variants.by_name.values()], stop_words)
    if dataset["posts"] is not None:
        settings |= _post_settings(folder, run, dataset)
    for name, options in pair_sets.items():
        # The other kinds have no site: posts that come or go must not train their models again.
        site = {"site": dataset["posts"]["site"]} if options["kind"] == "posts" else {}
        settings[f"{folder}/pairs/{name}.json"] = {**options, **site, "name": name}
    return settings


def choose_baseline(run: dict[str, Any], models: Container[str]) -> str:
    """The model that every other is tested against: a table without it still has the controls."""
    baseline: str = run["baseline"]
    return baseline if baseline in models else CONTROLS[0]


def _table_settings(
    run: dict[str, Any],
    dataset: str,
    models: Mapping[str, ModelConfiguration],
    variants: Variants,
) -> dict[str, Any]:
    return {
        "dataset": dataset,
        "models": [
            {
                "name": model.name,
                "trained_on": model.trained_on,
                "published_as": model.published_as,
                "replicates": variants.replicates.get(model.name, []),
                "weights": model.weights_key,
            }
            for model in models.values()
        ],
        "comparisons": [
            pair for pair in run["comparisons"] if all(name in models for name in pair)
        ],
        "ablations": [
            {"reason": reason, "model": model, "whole": whole, "half": half}
            for reason, model, whole, half in variants.ablations
        ],
        **{key: run[key] for key in _JUDGING},
        "other_measures": [name for name in run["other_measures"] if name != run["measure"]],
        "baseline": choose_baseline(run, models),
    }


def _curve_settings(
    run: dict[str, Any],
    dataset: str,
    models: Mapping[str, ModelConfiguration],
    variants: Variants,
) -> dict[str, Any]:
    runs = {**models, **variants.by_name}
    return {
        "dataset": dataset,
        "points": [
            {"model": name, "share": f"1 of {part}", "run": run_name}
            | {"seed": runs[run_name].seed, "weights": runs[run_name].weights_key}
            for name, points in variants.curves.items()
            for part, run_name in points
        ],
        **{key: run[key] for key in _JUDGING},
    }


def _model_settings(
    folder: str, models: list[ModelConfiguration], stop_words: list[str]
) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for model in [*models, *(model.indexed for model in models)]:
        ranker = {"ranker": model.specification, "seed": model.seed}
        settings[f"{folder}/models/{model.name}.json"] = ranker
        settings[f"{folder}/words/{model.words_key}.json"] = model.words
        if model.embedding is not None:
            options = {**model.embedding, "seed": model.seed}
            settings[f"{folder}/embeddings/{model.embedding_key}.json"] = options
        if model.expansion is not None:
            options = {**model.expansion, "stop_words": stop_words}
            settings[f"{folder}/expansions/{model.expansion_key}.json"] = options
        if model.training is not None:
            options = {"training": model.training, "words": model.words, "seed": model.seed}
            settings[f"{folder}/weights/{model.weights_key}.json"] = options
    return settings


def _post_settings(folder: str, run: dict[str, Any], dataset: dict[str, Any]) -> dict[str, Any]:
    posts, selection = dataset["posts"], run["selection"]
    limit = [run["measure"], run["threshold"]]
    return {
        f"{folder}/posts.json": {
            key: posts[key] for key in ("path", "users", "tags", "parts", "maximum_broken")
        },
        f"{folder}/selection/candidates.json": {**selection, "site": posts["site"]},
        f"{folder}/selection/matches.json": {"limits": [limit], "count": run["examples"]},
        f"{folder}/selection/questions.json": {
            "measure": run["measure"],
            "curation": dataset["curation"],
        },
    }


def _study_settings(run: dict[str, Any], dataset: str, models: list[str]) -> dict[str, Any]:
    folder = f"{dataset}/settings/study"
    measures = dict.fromkeys(MEASURES, run["threshold"])
    own = {run["own_measure"]: min(run["threshold"], run["own_threshold"])}
    keys = ("measure", "threshold", "own_measure", "own_threshold", "depth")
    return {
        f"{folder}/pairs.json": {
            "seed": run["seed"],
            "depth": run["depth"],
            "count": run["study_methods"],
        },
        f"{folder}/matches.json": {
            "dataset": dataset,
            "limits": [[*limit] for limit in (measures | own).items()],
            "count": run["examples"],
        },
        f"{folder}/tables.json": {
            "dataset": dataset,
            "models": models,
            "thresholds": sorted(
                {*run["study_thresholds"], run["threshold"], run["own_threshold"]}
            ),
            **{key: run[key] for key in keys},
        },
    }


def _unique_limits(run: dict[str, Any]) -> list[list[Any]]:
    default = [run["measure"], run["threshold"]]
    strict = [run["strict_measure"], run["strict_threshold"]]
    return [default] if strict == default else [default, strict]
