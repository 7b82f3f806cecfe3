"""Tables of a dataset from its evidence alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from ncsbench.artifacts.csv_tables import read_rows
from ncsbench.artifacts.storage import copy_file, read_json
from ncsbench.configuration.strict_model import read_settings
from ncsbench.corpus.corpus_record import CorpusRecord
from ncsbench.evidence.evidence_files import EvidenceFolder, find_table_evidence
from ncsbench.evidence.judged_pairs import read_lines, read_pairs
from ncsbench.provenance.explanation import KnownLineage
from ncsbench.provenance.lineage import Artifact, Job, describe_artifact, read_lineage
from ncsbench.published.verdict_options import SYSTEM_COLUMNS, SYSTEMS_FILE
from ncsbench.tables.dataset_tables import write_judged_tables
from ncsbench.tables.judged_results import read_judged_results
from ncsbench.tables.table_settings import TableSettings


def write_evidence_tables(
    evidence: EvidenceFolder,
    questions: Path,
    published: Path,
    score_sheet: Path,
    output: Path,
) -> None:
    """Write Table 1 and what belongs to it, from evidence alone.

    Args:
        evidence: folder of the evidence of a dataset, with all files of its record.
        questions: questions of the evidence, or of a part of it, as Parquet.
        published: folder with the published figures.
        score_sheet: the published score sheet.
        output: folder to write to.

    Raises:
        DataError: where a file is absent or not the one of the record.
    """
    evidence.check()
    settings = read_settings(evidence.settings, TableSettings)
    # Repositories were drawn with all questions: of a part there are no such intervals.
    whole = questions == evidence.questions and evidence.repository_intervals.exists()
    judged = read_judged_results(
        settings,
        questions=questions,
        lines=read_lines(evidence.methods),
        judgements=read_pairs(evidence.judgements),
        results=evidence.path,
        trainings=evidence.trainings if evidence.trainings.exists() else None,
    )
    write_judged_tables(
        judged,
        settings=settings,
        questions=questions,
        answers=evidence.answers,
        corpus=TypeAdapter(CorpusRecord).validate_python(read_json(evidence.corpus)),
        matches=evidence.matches if evidence.matches.exists() else None,
        published=published,
        score_sheet=score_sheet,
        repository_intervals=evidence.repository_intervals if whole else None,
        output=output,
    )
    copy_file(evidence.ledger, output / evidence.ledger.name)


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
    # The score sheet, and the files that the published systems of Table 1 are read from.
    listed = read_rows(root / _PUBLISHED / SYSTEMS_FILE, SYSTEM_COLUMNS)
    files = {"score_sheet.csv", SYSTEMS_FILE, *(row["file"] for row in listed)}
    published = [f"{_PUBLISHED}/{name}" for name in sorted(files)]
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
