"""Snakemake's configuration, checked and resolved."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.configuration import load_dataset, nearest, read_yaml, validate_configuration
from ncsbench.errors import ConfigurationError
from ncsbench.run_configuration.models import (
    CONTROLS,
    ModelConfiguration,
    load_model,
    read_stop_words,
)
from ncsbench.run_configuration.settings import make_settings
from ncsbench.storage import write_json

_NAME = re.compile(r"[A-Za-z0-9_-]+")


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
        indexes: the models that need an index of their own, by name.
        pairs: options of the sets of training pairs that can be made, by name.
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
    indexes: dict[str, ModelConfiguration]
    pairs: dict[str, dict[str, Any]]
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
    selected = not dataset["questions"]
    if selected:
        dataset["questions"] = [f"results/{dataset['name']}/selected/questions.json"]
    pairs = _load_pair_sets(root, with_posts=dataset["posts"] is not None)
    models, left_out = _load_models(run, root, pairs)
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
        indexes={model.indexed.name: model.indexed for model in models.values()},
        pairs=pairs,
        settings=make_settings(run, dataset, models, pairs, stop_words),
    )


def _load_models(
    run: dict[str, Any], root: Path, pairs: dict[str, dict[str, Any]]
) -> tuple[dict[str, ModelConfiguration], dict[str, str]]:
    controls = [name for name in CONTROLS if name not in run["models"]]
    names = [*controls, *run["models"]]
    loaded = [load_model(name, root=root, stop_words=run["stop_words"]) for name in names]
    known = _pair_set_names(root)
    models, left_out = {}, {}
    for model in loaded:
        for name in sorted(model.pair_sets - set(known)):
            raise ConfigurationError(
                f"config/models/{model.name}.yaml: pairs {name!r} are unknown; "
                f"{nearest(name, known)}"
            )
        missing = sorted(model.pair_sets - set(pairs))
        if missing:
            left_out[model.name] = (
                f"it learns from the pairs {missing[0]!r}, and the dataset has no 'posts'"
            )
        else:
            models[model.name] = model
    return models, left_out


def _load_pair_sets(root: Path, *, with_posts: bool) -> dict[str, dict[str, Any]]:
    """Sets of training pairs that the dataset has the sources of."""
    schema = root / "workflow" / "schemas" / "pairs.schema.yaml"
    sets = {}
    for name in _pair_set_names(root):
        path = root / "config" / "pairs" / f"{name}.yaml"
        options = validate_configuration(read_yaml(path), schema=schema, source=str(path))
        if with_posts or options["kind"] != "posts":
            sets[name] = options
    return sets


def _pair_set_names(root: Path) -> list[str]:
    names = sorted(path.stem for path in (root / "config" / "pairs").glob("*.yaml"))
    for name in names:
        if not _NAME.fullmatch(name):
            raise ConfigurationError(
                f"config/pairs/{name}.yaml: the name may have letters, digits, '-' and '_' only"
            )
    return names


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


def _read_or_none(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
