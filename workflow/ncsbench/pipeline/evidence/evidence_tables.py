"""The contents of evidence, judged pairs and methods; and tables of a dataset, made of evidence.

A judged pair of question and method is stored once, however many runs found it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pydantic import TypeAdapter

from ncsbench.base.configuration.strict_model import read_settings
from ncsbench.base.files.corpus_stamps import of_corpus
from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import copy_file, read_json, read_table, write_table, write_tables
from ncsbench.corpus.layout.corpus_record import CorpusRecord
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.evaluation.published.verdict_options import SYSTEM_COLUMNS, SYSTEMS_FILE
from ncsbench.pipeline.evidence.evidence_files import EvidenceFolder, find_table_evidence
from ncsbench.pipeline.provenance.explanation import KnownLineage
from ncsbench.pipeline.provenance.lineage import Artifact, Job, describe_artifact, read_lineage
from ncsbench.studies.ncsed.dataset_tables import write_judged_tables
from ncsbench.studies.ncsed.judged_results import read_judged_results
from ncsbench.studies.ncsed.table_settings import TableSettings


def write_evidence_tables(
    evidence: EvidenceFolder,
    questions: Path,
    published: Path,
    score_sheet: Path,
    output: Path,
) -> None:
    """Write Table 1 and the tables around it, from evidence alone.

    Args:
        evidence: folder of the evidence of a dataset, with all files of its record.
        questions: questions of the evidence, or of a part of it, as Parquet.
        published: folder with the published figures.
        score_sheet: the published score sheet.
        output: folder to write to.

    Raises:
        DataError: where a file is absent or not the file of the record.
    """
    evidence.check()
    settings = read_settings(evidence.settings, TableSettings)
    # Repositories were drawn with all questions: a part of the questions has no such intervals.
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
    """Trace a table that is made of evidence to its sources; None for other files.

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


def read_pairs(folder: Path) -> pa.Table:
    """Read all pairs of a folder's files, sorted by question and method (``JUDGEMENT_SCHEMA``)."""
    return join_pairs([read_table(path, JUDGEMENT_SCHEMA) for path in sorted(folder.glob("*"))])


def write_new_pairs(
    folder: Path, *, earlier: list[Path], judged: list[Path], corpus_hash: str
) -> None:
    """Copy the files of earlier pairs, and add a file with the pairs that these do not have."""
    for path in earlier:
        copy_file(path, folder / path.name)
    known = join_pairs([read_table(path, JUDGEMENT_SCHEMA) for path in earlier])
    found = join_pairs([read_table(path, JUDGEMENT_SCHEMA) for path in judged])
    together = join_pairs([known, found])
    new = leave_out(together, known)
    if len(new):
        path = folder / f"{len(earlier) + 1:04}.parquet"
        write_table(path, new, JUDGEMENT_SCHEMA, corpus_hash=corpus_hash, compact=True)


def join_pairs(tables: list[pa.Table]) -> pa.Table:
    """Join judged pairs of several tables of ``JUDGEMENT_SCHEMA``, each once, sorted.

    Raises:
        DataError: where two tables give a pair different similarities.
    """
    keys = [("query_id", "ascending"), ("id", "ascending")]
    schema = JUDGEMENT_SCHEMA.remove_metadata()
    if not tables:
        return schema.empty_table()
    joined = pa.concat_tables([table.cast(schema) for table in tables])
    once = joined.group_by(joined.column_names).aggregate([]).cast(schema).sort_by(keys)
    queries, ids = once["query_id"].to_numpy(), once["id"].to_numpy()
    twice = np.flatnonzero((queries[1:] == queries[:-1]) & (ids[1:] == ids[:-1]))
    if len(twice):
        raise DataError(
            f"method {ids[twice[0]]} of question {queries[twice[0]]} was judged otherwise before "
            f"({len(twice)} such pairs); publish everything anew: --anew"
        )
    return once


def leave_out(table: pa.Table, known: pa.Table) -> pa.Table:
    """Return the pairs of ``table`` that are not in ``known``; both are of ``JUDGEMENT_SCHEMA``."""
    width = max(pc.max(one["id"]).as_py() or 0 for one in (table, known)) + 1
    keys, there = (
        one["query_id"].to_numpy().astype(np.int64) * width + one["id"].to_numpy()
        for one in (table, known)
    )
    return table.filter(pa.array(~np.isin(keys, there)))


_HASHED = 8  # bytes
METHOD_TABLE_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            pa.field("repository", pa.string(), nullable=False),
            pa.field("commit", pa.string()),
            pa.field("path", pa.string(), nullable=False),
            pa.field("start_line", pa.int32(), nullable=False),
            pa.field("end_line", pa.int32(), nullable=False),
            pa.field("class_name", pa.string(), nullable=False),
            pa.field("method_name", pa.string(), nullable=False),
            pa.field("code_hash", pa.binary(_HASHED), nullable=False),
        ]
    )
)
"""A row for each method of the corpus, by ascending id from 0. ``code_hash`` is the first 8 bytes
of the SHA-256 of the method's code as UTF-8: whoever has the repository can check the method."""
_COLUMNS = [name for name in METHOD_TABLE_SCHEMA.names if name != "code_hash"]


def write_methods(path: Path, corpus: CorpusFolder, corpus_hash: str) -> None:
    """Write all methods, a row group for each shard of the corpus."""

    def iterate() -> Iterator[pa.Table]:
        for table in corpus.iterate_methods([*_COLUMNS, "code"]):
            hashes = [
                hashlib.sha256(code.encode()).digest()[:_HASHED]
                for code in table["code"].to_pylist()
            ]
            kept = table.select(_COLUMNS)
            yield kept.append_column("code_hash", pa.array(hashes, pa.binary(_HASHED)))

    write_tables(path, iterate(), METHOD_TABLE_SCHEMA, corpus_hash=corpus_hash, compact=True)


def read_lines(path: Path) -> NDArray[np.int32]:
    """Return the number of lines of every method, int32, shape (methods,), index = method id."""
    places = read_table(path, METHOD_TABLE_SCHEMA, ["start_line", "end_line"])
    lines: NDArray[np.int32] = places["end_line"].to_numpy() - places["start_line"].to_numpy() + 1
    return lines


@dataclass(frozen=True)
class PublishedMethods:
    """The published table read as a corpus without texts (``documents.MethodList``).

    Attributes:
        path: the table.
        corpus_hash: hash of the corpus whose methods the table has.
    """

    path: Path
    corpus_hash: str

    @cached_property
    def _places(self) -> pa.Table:
        columns = ["id", "repository", "path", "start_line"]
        table = read_table(self.path, METHOD_TABLE_SCHEMA, columns)
        filepaths = pc.binary_join_element_wise(table["repository"], table["path"], "/")
        return table.append_column("filepath", filepaths)

    def manifest(self) -> dict[str, Any]:
        """Return the hash of the corpus, and the number of methods."""
        return {"corpus_hash": self.corpus_hash, "methods": len(self._places)}

    def iterate_methods(self, columns: list[str]) -> Iterator[pa.Table]:
        """Give ``id``, ``filepath`` and ``start_line`` of all methods, in one table."""
        yield self._places.select(columns)
