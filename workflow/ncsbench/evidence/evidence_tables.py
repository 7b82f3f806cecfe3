"""Tables of a dataset from its evidence alone."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from ncsbench.artifacts.storage import copy_file, read_json
from ncsbench.configuration.strict_model import read_settings
from ncsbench.corpus.corpus_record import CorpusRecord
from ncsbench.evidence.evidence_files import EvidenceFolder
from ncsbench.evidence.judged_pairs import read_lines, read_pairs
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
