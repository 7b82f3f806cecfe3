"""Which inputs of Table 1 one of its rows, or one of its numbers, depends on.

The columns are those of docs/table1.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Any

from ncsbench.provenance.lineage import Job, Lineage
from ncsbench.provenance.table_cells import Row

_OWN = re.compile(r"(strict_)?(answered_\d+|mrr)(_low|_high)?|median_lines")
_SEEDS = re.compile(r"(strict_)?(answered_\d+|mrr)_(mean|sd)|seeds")
_PUBLISHED = re.compile(r"(published|printed|difference|verdict)_.*")
_DIFFERENCE = re.compile(r"(difference|verdict)_.*")
_CEILING = "ceiling"
_MATCHES = "matches"


def choose_inputs(lineage: Lineage, job: Job, row: Row, column: str | None) -> tuple[str, ...]:
    """Inputs of the job that made Table 1 which a row of it depends on; sorted.

    Runs and judgements are kept of the row's model, of its replicates where their mean is asked
    for, and of its ablations where the verdict is; its weights where their training pairs are; the
    published files where published figures are; the best matches of the corpus for the ceiling.
    All else is kept, and all where the settings of the job do not tell its models.
    """
    models = _read_list(job, "models")
    if not models:
        return job.inputs
    ablations = _read_list(job, "ablations")
    known = {name for model in models for name in _names_of(model)}
    known |= {name for one in ablations for name in _halves_of(one)}
    weights = {str(model.get("weights")) for model in models}
    wanted = _wanted_runs(row.get("model", ""), models, ablations, column)
    own_weights = {
        str(model.get("weights")) for model in models if model.get("name") == row.get("model")
    }

    def is_wanted(path: str) -> bool:
        name = PurePosixPath(path).name
        stem = PurePosixPath(path).stem
        if path not in lineage.makers:
            settings = path in job.settings or lineage.artifacts[path].kind != "file"
            return settings or column is None or bool(_PUBLISHED.fullmatch(column))
        if stem in known:
            return stem in wanted
        if name in weights:
            return name in own_weights and column in (None, "training_pairs")
        return stem != _MATCHES or row.get("model") == _CEILING

    return tuple(path for path in job.inputs if is_wanted(path))


def describe_row(job: Job, row: Row) -> dict[str, list[str]]:
    """The replicates of a row of Table 1 and the published figures beside it, where it has any."""
    models = [one for one in _read_list(job, "models") if one.get("name") == row.get("model")]
    replicates = [name for one in models for name in _names_of(one)[1:]]
    system = row.get("published_as", "")
    figures = [
        f"{name} {value}"
        for name, value in row.items()
        if name.startswith("published_") and name != "published_as" and value
    ]
    about = {"replicates": replicates, "published": [system, *figures] if system else []}
    return {what: names for what, names in about.items() if names}


def _wanted_runs(
    model: str, models: list[dict[str, Any]], ablations: list[dict[str, Any]], column: str | None
) -> Collection[str]:
    own = [one for one in models if one.get("name") == model]
    wanted: set[str] = set()
    if column is None or _SEEDS.fullmatch(column):
        wanted.update(name for one in own for name in _names_of(one))
    if column is None or column.startswith("verdict_"):
        wanted.update(
            name for one in ablations if one.get("model") == model for name in _halves_of(one)
        )
    if column is None or _OWN.fullmatch(column) or _DIFFERENCE.fullmatch(column):
        wanted.update(str(one["name"]) for one in own)
    return wanted


def _names_of(model: dict[str, Any]) -> list[str]:
    return [str(model.get("name")), *map(str, model.get("replicates") or [])]


def _halves_of(ablation: dict[str, Any]) -> list[str]:
    return [str(name) for what in ("whole", "half") for name in ablation.get(what) or []]


def _read_list(job: Job, key: str) -> list[dict[str, Any]]:
    """A list of mappings among the settings of a job; empty where it has none."""
    for values in job.settings.values():
        try:
            value = json.loads(str(values.get(key, "")))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list) and all(isinstance(one, dict) for one in value):
            return value
    return []
