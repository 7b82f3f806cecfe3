"""The files of the evidence of a dataset, and the record of them that git keeps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.base.files.hashes import known_hash
from ncsbench.base.files.storage import read_json
from ncsbench.errors import DataError

FOLDER = "evidence"
"""Folder of the evidence in ``results/<dataset>/``; DVC brings it."""
TABLES = (
    *("table1.csv", "table1_long.csv", "table1.md", "table1.tex", "score_sheet.csv"),
    *("corpus.json", "ledger.csv", "per_question.parquet"),
    *("qrels.txt", "qrels_strict.txt", "qrels_charged.txt"),
    *("ablations.csv", "paired_differences.csv", "significance.csv"),
    *("score_sheet_agreement.csv", "flips.csv", "ncs_2018.csv"),
)
"""Files made of evidence (``evidence_tables``), in the folder above it and in folders of parts."""
RECORD = "evidence.json"
"""File beside the folder: the origin of the evidence, and the checksums of its files."""


class PublishedFile(StrictModel):
    """A file of the evidence."""

    sha256: str
    size: int
    """Size in bytes."""


class EvidenceRecord(StrictModel):
    """``evidence.json``: the origin of a dataset's evidence, and its files."""

    dataset: str
    corpus_hash: str
    """Hash of the corpus whose method ids the evidence uses (``corpus_record.CorpusRecord``)."""
    commits: dict[str, str]
    """Commit of the code that made each run and its judgements, by name of the run."""
    missing: tuple[str, ...] = ()
    """Runs of the tables that are not published yet; tables are made once all are there."""
    parts: tuple[str, ...]
    """Parts of the questions that have tables of their own, beside the tables of all questions."""
    files: dict[str, PublishedFile]
    """Files of the folder by their path in it."""


class EvidenceFolder:
    """Evidence of a dataset, as ``publishing`` lays it out.

    Attributes:
        path: the folder, ``results/<dataset>/evidence``.
        record_path: the record, beside the folder.
        settings: settings that tables are made with (``TableSettings``).
        questions: ids of the questions (``QUESTION_SCHEMA``); the texts are empty.
        answers: reading of each answer (``ANSWER_COLUMNS``).
        corpus: the corpus in numbers (``CorpusRecord``).
        ledger: counts of the corpus for each repository (``repository_ledger``).
        methods: all methods of the corpus (``METHOD_TABLE_SCHEMA``).
        judgements: judged pairs (``JUDGEMENT_SCHEMA``), each in one file of this folder.
        matches: best matches of the whole corpus (``MATCH_SCHEMA``); absent where the corpus was
            not searched.
        trainings: records of trainings, a folder each.
        repository_intervals: intervals over repositories, ``<model>.csv`` each.
        provenance: the way from runs and judgements back to the raw sources (``Lineage``).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.record_path = path.parent / RECORD
        self.settings = path / "table.json"
        self.questions = path / "questions.parquet"
        self.answers = path / "answers.csv"
        self.corpus = path / "corpus.json"
        self.ledger = path / "ledger.csv"
        self.methods = path / "methods.parquet"
        self.judgements = path / "judgements"
        self.matches = path / "matches.parquet"
        self.trainings = path / "trainings"
        self.repository_intervals = path / "repository_intervals"
        self.provenance = path / "provenance.json"

    def part(self, name: str) -> Path:
        """Return the path of a part's list of questions (``QuestionPart``)."""
        return self.path / "parts" / f"{name}.json"

    def read_record(self) -> EvidenceRecord:
        """Read the record.

        Raises:
            DataError: where there is no such file, or it is not a record.
        """
        return EvidenceRecord.parse(read_json(self.record_path), where=str(self.record_path))

    def describe_files(self) -> dict[str, PublishedFile]:
        """Describe the files of the folder by their path in it, sorted."""
        files = sorted(path for path in self.path.rglob("*") if path.is_file())
        return {
            path.relative_to(self.path).as_posix(): PublishedFile(
                sha256=known_hash(path), size=path.stat().st_size
            )
            for path in files
        }

    def check(self) -> EvidenceRecord:
        """Read the record, and check that the folder has exactly the files that the record names.

        Raises:
            DataError: with the first file that is absent, has other bytes, or is not in the record,
                and a line that says how to mend it.
        """
        record, bring = self.read_record(), f"bring it: dvc pull --force {self.path}"
        for name, told in record.files.items():
            path = self.path / name
            if not path.is_file():
                raise DataError(f"{path}: is not there; {bring}")
            if path.stat().st_size != told.size or known_hash(path) != told.sha256:
                raise DataError(f"{path}: is not the file of {self.record_path}; {bring}")
        for path in sorted(self.path.rglob("*")):
            if path.is_file() and path.relative_to(self.path).as_posix() not in record.files:
                raise DataError(f"{path}: is not in {self.record_path}; remove it")
        return record


def find_table_evidence(table: Path) -> EvidenceFolder | None:
    """Find the evidence that a table of results is made of; None for a file of another kind.

    Args:
        table: absolute path that ends as ``results/<dataset>/table1.csv`` or
            ``results/<dataset>/parts/<part>/table1.csv``.
    """
    folder = table.parent.parent.parent if table.parent.parent.name == "parts" else table.parent
    evidence = EvidenceFolder(folder / FOLDER)
    if table.name not in TABLES or not evidence.record_path.is_file():
        return None
    return None if evidence.read_record().missing else evidence


def list_evidence(results: Path) -> list[EvidenceFolder]:
    """List the evidence that lacks no run, found by the records ``results/<dataset>/``, sorted."""
    found = [EvidenceFolder(path.parent / FOLDER) for path in sorted(results.glob(f"*/{RECORD}"))]
    return [evidence for evidence in found if not evidence.read_record().missing]


def check_at_hand(targets: Iterable[str], published: Iterable[EvidenceFolder]) -> None:
    """End with an error where a table is asked for whose evidence has not been brought.

    Raises:
        DataError: with a line that says how to bring the evidence.
    """
    for evidence in published:
        of_dataset = f"{evidence.path.parent.as_posix()}/"
        asked = [target for target in targets if target.startswith(of_dataset)]
        if asked and not evidence.path.is_dir():
            raise DataError(
                f"{asked[0]}: is made of evidence that is not here yet; bring it: dvc pull "
                f"{evidence.path}"
            )
