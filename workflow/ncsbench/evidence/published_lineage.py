"""Where a table comes from that was made of evidence: the way that was published with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ncsbench.artifacts.storage import read_json
from ncsbench.evidence.evidence_files import FOLDER, EvidenceFolder, EvidenceRecord
from ncsbench.provenance.artifacts import describe_artifact
from ncsbench.provenance.explanation import KnownLineage
from ncsbench.provenance.lineage import Artifact, Job, read_lineage


def find_published_lineage(table: Path) -> KnownLineage | None:
    """The way of a table in the results of a dataset that has whole evidence; None for others.

    The last step, from runs and judgements to the table, is a job that is added here, with the
    settings of the evidence.

    Raises:
        DataError: where the evidence is not here, or is damaged.
    """
    resolved = table.resolve()
    for folder in resolved.parents:
        evidence = EvidenceFolder(folder / FOLDER)
        if evidence.record_path.is_file():
            return _add_table(evidence, evidence.read_record(), resolved)
    return None


def _add_table(
    evidence: EvidenceFolder, record: EvidenceRecord, table: Path
) -> KnownLineage | None:
    root = evidence.path.parent.parent.parent
    start = table.relative_to(root).as_posix()
    if record.missing or evidence.path in table.parents:
        return None
    evidence.check()
    lineage = read_lineage(evidence.provenance)
    settings = evidence.settings.relative_to(root).as_posix()
    artifacts = {
        **lineage.artifacts,
        start: describe_artifact(str(table)),
        settings: Artifact("settings", content=read_json(evidence.settings)),
    }
    job = Job(
        rule=f"evidence_{record.dataset}",
        command=f"ncsbench evidence tables {evidence.path.relative_to(root).as_posix()}",
        inputs=tuple(sorted((*lineage.tables, settings))),
        outputs=(start,),
    )
    return replace(lineage, artifacts=artifacts, jobs=(*lineage.jobs, job)), root, start
