"""Which inputs of Table 1 one of its rows, or one of its numbers, depends on.

The columns are those of docs/table1.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from ncsbench.evaluation.results import CEILING
from ncsbench.provenance.lineage import Job, Lineage, settings_of

_OWN = re.compile(r"(strict_|charged_)?(answered_\d+|mrr)(_low|_high)?|median_lines")
_MATCHES = "matches"


def choose_inputs(lineage: Lineage, job: Job, model: str, column: str | None) -> tuple[str, ...]:
    """Inputs of the job that made Table 1 which a row of it depends on; sorted.

    Of what lies in ``runs/`` and ``judgements/`` the files of the row's model are kept, and of its
    ablations and replicates where the verdict is asked for; of ``trainings/`` its own where pairs
    are; the published files where published figures are; the best matches of the corpus for the
    ceiling. Intervals over repositories are of another table. Of a published figure only the
    published files and the questions are kept; else all that is not named here.
    """
    settings = settings_of(job, lineage.artifacts).values()
    verdict = column is None or column.startswith("verdict_")
    wanted = {model} if verdict or column is None or _OWN.fullmatch(column) else set()
    for ablation in _read_list(settings, "ablations") if verdict else []:
        if ablation.get("model") == model:
            halves = [ablation.get("whole"), ablation.get("half")]
            wanted.update(str(name) for one in halves if isinstance(one, list) for name in one)
    own = [one for one in _read_list(settings, "models") if one.get("name") == model]
    weights = {str(one.get("weights")) for one in own}
    for replicates in [one.get("replicates") for one in own] if verdict else []:
        wanted.update(map(str, replicates) if isinstance(replicates, list) else ())

    published = str(column).startswith("published_")

    def is_wanted(path: str) -> bool:
        place = PurePosixPath(path)
        if place.parent.name == "repository_intervals":
            return False
        if place.parent.name in ("runs", "judgements"):
            return PurePosixPath(place.name.removesuffix(".gz")).stem in wanted
        if place.parent.name == "trainings":
            return place.name in weights and column in (None, "training_pairs")
        if path not in lineage.makers and lineage.artifacts[path].kind == "file":
            return verdict or published
        if published:
            kind = lineage.artifacts[path].kind
            return place.stem == "questions" or kind in ("settings", "code")
        return place.stem != _MATCHES or model == CEILING

    return tuple(path for path in job.inputs if is_wanted(path))


def _read_list(settings: Iterable[Any], key: str) -> list[Mapping[str, Any]]:
    """A list of mappings among the settings of a job; empty where it has none."""
    for content in settings:
        value = content.get(key) if isinstance(content, dict) else None
        if isinstance(value, list) and all(isinstance(one, dict) for one in value):
            return value
    return []
