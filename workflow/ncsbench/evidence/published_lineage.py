"""Where a table comes from that was made of evidence: the way that was published with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ncsbench.artifacts.csv_tables import read_rows
from ncsbench.artifacts.storage import read_json
from ncsbench.evidence.evidence_files import find_table_evidence
from ncsbench.provenance.explanation import KnownLineage
from ncsbench.provenance.lineage import Artifact, Job, describe_artifact, read_lineage
from ncsbench.published.system_list import SYSTEM_COLUMNS, SYSTEMS_FILE

_PUBLISHED = "config/published"


def find_published_lineage(table: Path) -> KnownLineage | None:
    """The way of a table that is made of evidence; None for other files.

    The last step, from runs and judgements to the table, is a job that is added here, with the
    settings of the evidence and the published files.

    Raises:
        DataError: where the evidence is not here, or is damaged.
    """
    resolved = table.resolve()
    evidence = find_table_evidence(resolved)
    if evidence is None:
        return None
    root = evidence.path.parent.parent.parent
    start = resolved.relative_to(root).as_posix()
    record = evidence.check()
    lineage = read_lineage(evidence.provenance)
    folder = evidence.path.relative_to(root).as_posix()
    settings = evidence.settings.relative_to(root).as_posix()
    published = [f"{_PUBLISHED}/{name}" for name in _list_published(root / _PUBLISHED)]
    artifacts = {
        **lineage.artifacts,
        **{name: describe_artifact(str(root / name)) for name in published},
        start: describe_artifact(str(resolved)),
        settings: Artifact("settings", content=read_json(evidence.settings)),
    }
    job = Job(
        rule=f"evidence_{record.dataset}",
        command=f"ncsbench stage evidence_tables --evidence {folder}",
        inputs=tuple(sorted((*lineage.tables, settings, *published))),
        outputs=(start,),
    )
    return replace(lineage, artifacts=artifacts, jobs=(*lineage.jobs, job)), root, start


def _list_published(folder: Path) -> list[str]:
    """The score sheet, and the files that the published systems of Table 1 are read from."""
    listed = read_rows(folder / SYSTEMS_FILE, SYSTEM_COLUMNS)
    return sorted({"score_sheet.csv", SYSTEMS_FILE, *(row["file"] for row in listed)})
