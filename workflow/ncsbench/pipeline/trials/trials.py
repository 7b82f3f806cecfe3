"""A trial: tables of some models beside those of the dataset, made from shared artifacts.

Rankings, judgements, indexes and all data are the dataset's, so that nothing is made twice. Only
the tables and their settings lie in folders of the trial.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ncsbench.base.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError

TRIALS = "trials"
"""Folder of the trials in ``results/<dataset>/`` and ``data/<dataset>/settings/``."""
QUESTION_PARTS = "parts"
"""Folder of the tables of parts of the questions."""
DATA = Path("data")
"""Folder that has the settings with which artifacts were made."""
_OF_TABLES = (
    *("table", "gold_table", "haystacks/table", "study/tables"),
    "micro_benchmark/table",
)
"""Settings of stages that write tables, ``TABLE_SETTINGS`` in the rules."""
SHARED = ("runs/", "answers.csv", "examples.csv", "selected/", "pairs/", "duplicates.csv")
"""Files and folders in ``results/<dataset>/`` that trials share with the tables of the dataset."""
_RULE = "trial"
_OF_DATASET = ("table1", "card")
"""Rules that a trial does not have."""
_OF_RANKINGS = ("retrieval", "matches", "repositories/retrieval", "repositories/intervals")
_SEEDED = "models/random"  # a row of every table


def read_configured_models(root: Path) -> list[str]:
    """Read the rows of the dataset's tables, as ``config/config.yaml`` names them."""
    models = read_yaml(root / "config" / "config.yaml").get("models", [])
    return [str(name) for name in models] if isinstance(models, list) else []


def share_settings(
    whole: Mapping[str, Any], own: Mapping[str, Any], *, dataset: str, trial: str
) -> dict[str, Any]:
    """Return the settings files of a trial.

    Args:
        whole: settings of a run of the models of the dataset's tables and of the trial.
        own: settings of a run of the trial's models alone.
        dataset: name of the dataset.
        trial: name of the trial.
    """
    folder = f"{dataset}/settings"
    of_tables = {f"{folder}/{name}.json" for name in _OF_TABLES}
    # configured.json says which dataset has its table in results/, which a trial does not change.
    shared = {
        path: value
        for path, value in whole.items()
        if path not in of_tables and path != "configured.json"
    }
    moved = {
        f"{folder}/{TRIALS}/{trial}/{name}.json": own[f"{folder}/{name}.json"]
        for name in _OF_TABLES
        if f"{folder}/{name}.json" in own
    }
    return {**shared, **moved}


def check_shared(settings: Mapping[str, Any], *, dataset: str, where: str) -> None:
    """Raise ``ConfigurationError`` where a trial would make rankings of the dataset anew."""
    for name in (*_OF_RANKINGS, _SEEDED):
        path = f"{dataset}/settings/{name}.json"
        try:
            before = json.loads((DATA / path).read_bytes())
        except (OSError, ValueError):
            continue
        now = settings.get(path)
        if isinstance(before, dict) and isinstance(now, dict) and before != now:
            keys = [key for key in {**before, **now} if before.get(key) != now.get(key)]
            raise ConfigurationError(
                f"{where}: trial: shares its rankings and judgements with the tables of {dataset}, "
                f"which were made with other options ({keys[0]} in data/{path}); give the "
                "same ones, or make the tables of the dataset with the new ones first"
            )


def check_targets(
    targets: Iterable[str], *, dataset: str, trial: str | None, part: str | None, judged: bool
) -> None:
    """Raise ``ConfigurationError`` for a target that only a trial makes, or that a trial does not.

    Targets of a part of the questions are checked likewise. Without this check, Snakemake would say
    of a table that exists that nothing is to be done, and of a rule of the other kind of run that
    nothing produces it.
    """
    results = f"results/{dataset}"
    folder = "/".join(
        [results, *([TRIALS, trial] if trial else []), *([QUESTION_PARTS, part] if part else [])]
    )
    made = (f"{folder}/", *(f"{results}/{name}" for name in SHARED))
    what, rule = (f"trial {trial}", _RULE) if trial else (f"part {part}", "tables")
    for target in targets:
        if not judged and target.startswith("results/") and Path(target).stem == "table1":
            raise ConfigurationError(
                f"{target}: needs answers, and {dataset} has gold alone; ask for {folder}/gold.csv"
            )
        if trial is None and target == _RULE:
            raise ConfigurationError(
                "a trial has a name: snakemake --cores all trial --config trial=mine "
                "'models=[bm25,my_models/mine.yaml]' (docs/add-a-model.md)"
            )
        if folder != results and (
            target in _OF_DATASET or (target.startswith("results/") and not target.startswith(made))
        ):
            instead = f", or for {made[0]}{Path(target).name}" if "/" in target else ""
            without = (
                f", or for {target} without a {what.split()[0]}" if target in _OF_DATASET else ""
            )
            raise ConfigurationError(
                f"{what}: does not make {target}; ask for {rule}{instead}{without}"
            )


def describe_trial(dataset: str, trial: str) -> str:
    """Write the line that says where the tables of a trial go."""
    return (
        f"trial {trial}: its tables go to results/{dataset}/{TRIALS}/{trial}; the other tables in "
        f"results/{dataset} and results/table1.csv stay as they are"
    )
