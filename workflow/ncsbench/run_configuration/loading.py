"""What one run of the workflow computes: dataset, models and settings, checked and resolved."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.configuration import (
    fingerprint,
    load_dataset,
    nearest,
    read_yaml,
    validate_configuration,
)
from ncsbench.errors import ConfigurationError
from ncsbench.records import MEASURES
from ncsbench.storage import write_json

CONTROLS = ("random", "random_long", "longest_first")
"""Rows that every table has, asked for or not: without them the judge's figures say little."""


@dataclass(frozen=True)
class ModelConfiguration:
    """One row of the table: how to make its ranker, and which artifacts that reads.

    Attributes:
        name: name of the row and of the file in ``config/models/``.
        trained_on: what the model learnt from, as the table says it.
        specification: ``kind``, ``options`` and, where it builds on another model, ``base``.
        words: options of the word extraction.
        embedding: options of the word vectors; None where the model needs none.
        base: the model whose candidates it orders; None for most.
    """

    name: str
    trained_on: str
    specification: dict[str, Any]
    words: dict[str, Any]
    embedding: dict[str, Any] | None
    base: ModelConfiguration | None = None

    @property
    def indexed(self) -> ModelConfiguration:
        """The model whose index it searches: the last base, or itself."""
        return self if self.base is None else self.base.indexed

    @property
    def words_key(self) -> str:
        """Names the folder of its words."""
        return fingerprint(self.words)

    @property
    def embedding_key(self) -> str | None:
        """Names the folder of its word vectors."""
        return None if self.embedding is None else fingerprint([self.words, self.embedding])


@dataclass(frozen=True)
class RunConfiguration:
    """A checked configuration.

    Attributes:
        dataset: name of the dataset.
        repositories: path of its repository list.
        questions: paths of its questions files.
        shards: number of parts the corpus is worked on in.
        ceiling: whether the whole corpus is judged.
        models: rows of the table in order, the controls first where they were not asked for.
        indexes: the models that need an index of their own, by name.
        settings: what each stage is configured with, by path below the data folder.
    """

    dataset: str
    repositories: str
    questions: list[str]
    shards: int
    ceiling: bool
    models: dict[str, ModelConfiguration]
    indexes: dict[str, ModelConfiguration]
    settings: dict[str, Any]

    def write_settings(self, data: Path) -> None:
        """Write every settings file whose content is new; the others keep their time."""
        for name, value in self.settings.items():
            path = data / name
            if not path.exists() or _read_or_none(path) != value:
                write_json(path, value)


def load_run(config: dict[str, Any], *, root: Path) -> RunConfiguration:
    """Check Snakemake's configuration and everything it names.

    Args:
        config: the merged configuration.
        root: folder of the Snakefile, with ``config/`` and ``workflow/schemas/``.

    Raises:
        ConfigurationError: with one line that says what is wrong and where.
    """
    schemas = root / "workflow" / "schemas"
    run = validate_configuration(
        config, schema=schemas / "config.schema.yaml", source="configuration"
    )
    dataset = load_dataset(_dataset_path(run["dataset"], root), schemas / "dataset.schema.yaml")
    controls = [name for name in CONTROLS if name not in run["models"]]
    names = [*controls, *run["models"]]
    models = {name: _load_model(name, run, root, schemas) for name in names}
    return RunConfiguration(
        dataset=dataset["name"],
        repositories=dataset["repositories"],
        questions=dataset["questions"],
        shards=dataset["shards"],
        ceiling=dataset["ceiling"],
        models=models,
        indexes={model.indexed.name: model.indexed for model in models.values()},
        settings=_settings(run, dataset, models),
    )


def _settings(
    run: dict[str, Any], dataset: dict[str, Any], models: dict[str, ModelConfiguration]
) -> dict[str, Any]:
    folder = f"{dataset['name']}/settings"
    corpus = {key: dataset[key] for key in ("repositories", "source", "shards")}
    if dataset["source"]["kind"] == "directory":
        corpus["state"] = _folder_state(Path(dataset["source"]["path"].split("{", 1)[0]))
    judges = ("measure", "threshold", "strict_measure", "strict_threshold")
    settings: dict[str, Any] = {
        "configured.json": {"dataset": dataset["name"]},
        f"{folder}/corpus.json": corpus,
        f"{folder}/questions.json": {"questions": dataset["questions"]},
        f"{folder}/retrieval.json": {"depth": run["depth"]},
        f"{folder}/matches.json": {
            "limits": _unique_limits(run),
            "count": run["examples"],
        },
        f"{folder}/table.json": {
            "dataset": dataset["name"],
            "models": [{"name": m.name, "trained_on": m.trained_on} for m in models.values()],
            "comparisons": [
                pair for pair in run["comparisons"] if all(name in models for name in pair)
            ],
            **{key: run[key] for key in (*judges, "depth", "seed", "bootstrap_samples")},
        },
    }
    settings |= _study_settings(run, dataset["name"], settings[f"{folder}/table.json"]["models"])
    for model in [*models.values(), *(model.indexed for model in models.values())]:
        ranker = {"ranker": model.specification, "seed": run["seed"]}
        settings[f"{folder}/models/{model.name}.json"] = ranker
        settings[f"{folder}/words/{model.words_key}.json"] = model.words
        if model.embedding is not None:
            options = {**model.embedding, "seed": run["seed"]}
            settings[f"{folder}/embeddings/{model.embedding_key}.json"] = options
    return settings


def _study_settings(
    run: dict[str, Any], dataset: str, models: list[dict[str, str]]
) -> dict[str, Any]:
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
            "models": [model["name"] for model in models],
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


def _load_model(
    name: str, run: dict[str, Any], root: Path, schemas: Path, above: tuple[str, ...] = ()
) -> ModelConfiguration:
    known = sorted(path.stem for path in (root / "config" / "models").glob("*.yaml"))
    if name not in known:
        raise ConfigurationError(f"model {name!r} is unknown; {nearest(name, known)}")
    if name in above:
        raise ConfigurationError(f"config/models/{name}.yaml: builds on itself")
    path = root / "config" / "models" / f"{name}.yaml"
    model = validate_configuration(
        read_yaml(path), schema=schemas / "model.schema.yaml", source=str(path)
    )
    specification = {"kind": model["kind"], "options": dict(model["options"])}
    words, embedding, base = model["words"], model.get("embedding"), None
    if model.get("stop_words"):
        specification["options"]["stop_words"] = _read_stop_words(root / run["stop_words"])
    if "base" in model:
        base = _load_model(model["base"], run, root, schemas, (*above, name))
        specification["base"] = base.specification
        words, embedding = base.words, base.embedding
    return ModelConfiguration(name, model["trained_on"], specification, words, embedding, base)


def _read_stop_words(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"stop_words: {path} cannot be read ({error})") from error
    return sorted({line.strip().lower() for line in lines if line.strip() and line[0] != "#"})


def _folder_state(folder: Path) -> str:
    """Changes when a file below ``folder`` is added, removed or written."""
    digest = hashlib.sha256()
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            status = os.lstat(Path(parent) / name)
            digest.update(
                f"{parent}/{name}:{status.st_size}:{status.st_mtime_ns};".encode(
                    "utf-8", "surrogateescape"
                )
            )
    return digest.hexdigest()


def _read_or_none(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
