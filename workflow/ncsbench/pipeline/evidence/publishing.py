"""Publishing evidence: copying the files of a finished run that tables need into ``results/``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from ncsbench.base.configuration.strict_model import read_settings
from ncsbench.base.files.storage import (
    atomic_folder,
    copy_file,
    read_table,
    write_json,
    write_table,
    write_text,
)
from ncsbench.base.runs.rankings import Run
from ncsbench.base.runs.trec_files import path_of_run, read_run, write_run
from ncsbench.corpus.layout.corpus_record import (
    describe_corpus,
    write_record,
    write_repository_ledger,
)
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.pipeline.evidence.evidence_files import FOLDER, EvidenceFolder, EvidenceRecord
from ncsbench.pipeline.evidence.evidence_tables import (
    join_pairs,
    read_pairs,
    write_methods,
    write_new_pairs,
)
from ncsbench.pipeline.provenance.job_graph import Metadata, trace_tables
from ncsbench.pipeline.provenance.lineage import (
    Lineage,
    describe_checkout,
    read_lineage,
    write_lineage,
)
from ncsbench.posts.questions.question_entries import TEXT_FIELDS
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.ncsed.table_settings import TableSettings


class FinishedRun:
    """The files of a finished run of a dataset, as rules name them from the project's folder.

    Attributes:
        data: folder of the dataset's data.
        results: folder of its results, with the runs.
        settings: settings of its tables.
        questions: questions of the dataset.
        corpus: corpus of the dataset.
        evidence: evidence of the dataset.
    """

    def __init__(self, dataset: str) -> None:
        self.data = Path("data", dataset)
        self.results = Path("results", dataset)
        self.settings = self.data / "settings" / "table.json"
        self.questions = self.data / "questions.parquet"
        self.corpus = CorpusFolder(self.data / "corpus")
        self.evidence = EvidenceFolder(self.results / FOLDER)

    def of(self, run: str) -> tuple[Path, Path]:
        """Return the files of a run and of its judgements."""
        return path_of_run(self.results, run), self.data / "judgements" / f"{run}.parquet"


def publish_evidence(dataset: str, *, anew: bool = False) -> EvidenceRecord:
    """Write ``results/<dataset>/evidence`` and its record from the finished runs, atomically.

    Runs that were published before and are absent here are kept, where they are of the same corpus:
    a long remake is published bit by bit. The evidence of a run is its ranking, with scores in
    single precision, and the similarities of its results; a pair that is judged already is not
    stored again.

    Args:
        dataset: name of the dataset, whose data lies in ``data/`` and ``results/`` of the working
            directory.
        anew: leave out runs that were published before.

    Raises:
        DataError: where nothing is finished, the code is not that of one commit, the evidence
            published before is not here or is of another corpus, or a pair has other similarities
            in the earlier evidence.
    """
    finished = FinishedRun(dataset)
    evidence = finished.evidence
    settings = read_settings(finished.settings, TableSettings)
    made = [run for run in settings.list_runs() if all(path.is_file() for path in finished.of(run))]
    if not made:
        raise DataError(
            f"{finished.data}: has no run with judgements; make some: snakemake --cores all "
            f"judgements --config dataset={dataset}"
        )
    earlier = None if anew or not evidence.record_path.exists() else evidence.check()
    corpus = describe_corpus(finished.corpus.manifest())
    if earlier is not None and earlier.corpus_hash != corpus.corpus_hash:
        raise DataError(
            f"{evidence.record_path}: is of corpus {earlier.corpus_hash[:12]}, and what is "
            f"finished of {corpus.corpus_hash[:12]}; publish it anew: --anew"
        )
    lineage, commit = trace_commits(
        dataset,
        [path.as_posix() for run in made for path in finished.of(run)],
        earlier=None if earlier is None else read_lineage(evidence.provenance),
    )
    published = {} if earlier is None else earlier.commits
    kept = [run for run in published if run not in made]
    shown = choose_finished(settings, {*made, *kept})
    parts = sorted(path.stem for path in (finished.data / "settings" / "parts").glob("*.json"))
    with atomic_folder(evidence.path) as temporary:
        new = EvidenceFolder(temporary)
        write_json(new.settings, shown.as_json())
        _write_questions(new.questions, finished.questions)
        for name in parts:
            copy_file(finished.data / "settings" / "parts" / f"{name}.json", new.part(name))
        write_record(temporary, corpus)
        write_repository_ledger(temporary, finished.corpus)
        write_methods(new.methods, finished.corpus, corpus.corpus_hash)
        for run in made:
            ranking = read_run(finished.of(run)[0])
            # Scores in single precision, as tools of the trec_eval family read them.
            scores = [float(str(score)) for score in ranking.scores.astype(np.float32)]
            write_run(
                path_of_run(temporary, run),
                Run(ranking.query_ids, ranking.ids, np.array(scores, np.float64)),
                tag=run,
                corpus_hash=corpus.corpus_hash,
            )
        for run in kept:
            copy_file(path_of_run(evidence.path, run), path_of_run(temporary, run))
        write_new_pairs(
            new.judgements,
            earlier=[] if earlier is None else sorted(evidence.judgements.glob("*.parquet")),
            judged=[finished.of(run)[1] for run in made],
            corpus_hash=corpus.corpus_hash,
        )
        _copy_made_or_published(shown, finished, evidence, new)
        write_lineage(new.provenance, lineage)
    record = EvidenceRecord(
        dataset=dataset,
        corpus_hash=corpus.corpus_hash,
        commits={run: commit if run in made else published[run] for run in shown.list_runs()},
        missing=tuple(one for one in settings.list_runs() if one not in {*made, *kept}),
        parts=tuple(parts),
        files=evidence.describe_files(),
    )
    write_json(evidence.record_path, record.as_json())
    return record


def choose_finished(settings: TableSettings, runs: Collection[str]) -> TableSettings:
    """Return the settings of the tables for the rows that have a run; other rows are left out."""
    models = tuple(
        model.model_copy(
            update={"replicates": tuple(one for one in model.replicates if one in runs)}
        )
        for model in settings.models
        if model.name in runs
    )
    names = {model.name for model in models}
    return settings.model_copy(
        update={
            "models": models,
            "comparisons": tuple(two for two in settings.comparisons if names.issuperset(two)),
            "ablations": tuple(
                one for one in settings.ablations if {*one.whole, *one.half}.issubset(runs)
            ),
        }
    )


def _write_questions(path: Path, questions: Path) -> None:
    """Write the questions' ids without texts, since the published file has its own licence."""
    table = read_table(questions, QUESTION_SCHEMA)
    for name in (*TEXT_FIELDS, "examples", "examples_url"):
        if name == "stackoverflow_id":
            continue
        field = QUESTION_SCHEMA.field(name)
        empty: str | list[str] = "" if pa.types.is_string(field.type) else []
        column = pa.array([empty] * len(table), field.type)
        table = table.set_column(table.schema.get_field_index(name), field, column)
    write_table(path, table, QUESTION_SCHEMA)


def _copy_made_or_published(
    settings: TableSettings, finished: FinishedRun, earlier: EvidenceFolder, new: EvidenceFolder
) -> None:
    """Copy answers, matches, trainings, intervals over repositories: made now, else published."""
    made = {"answers.csv": finished.results, "matches.parquet": finished.data}
    for model in settings.models:
        made[f"repository_intervals/{model.name}.csv"] = finished.data
        if model.weights:
            made[f"trainings/{model.weights}"] = finished.data
    for name, folder in made.items():
        for place in (folder / name, earlier.path / name):
            if place.is_file():
                copy_file(place, new.path / name)
                break
            if place.is_dir():
                for path in sorted(place.iterdir()):
                    if not path.name.startswith("."):
                        copy_file(path, new.path / name / path.name)
                break


def trace_commits(
    dataset: str, paths: Sequence[str], *, earlier: Lineage | None
) -> tuple[Lineage, str]:
    """Trace files to publish back to their sources, and find the commit that has their code.

    Args:
        dataset: name of the dataset.
        paths: runs and judgements, as the rules name them.
        earlier: lineage of the evidence published before, which is joined to the new one.

    Raises:
        DataError: where nobody recorded how a file was made, or the checkout has changes or is not
            a git checkout.
    """
    code = describe_checkout(Path())  # the checkout whose Snakefile ran here
    if code.commit is None or code.changed:
        raise DataError(f"only what a clean commit made is published, and this is {code}")
    lineage = trace_tables(
        paths,
        dataset=dataset,
        metadata=Metadata(),
        settings=Path("data", dataset, "settings"),
        code=code,
        made=["data", f"results/{dataset}"],
    )
    if lineage.notes:
        raise DataError(f"{lineage.notes[0]}; publish what one run made")
    if earlier is None:
        return lineage, code.commit
    makers = lineage.makers
    return (
        Lineage(
            dataset=dataset,
            artifacts={**earlier.artifacts, **lineage.artifacts},
            jobs=(
                *lineage.jobs,
                *(job for job in earlier.jobs if makers.keys().isdisjoint(job.outputs)),
            ),
            tables=tuple(sorted({*earlier.tables, *lineage.tables})),
        ),
        code.commit,
    )


def write_agreement(dataset: str, output: Path) -> None:
    """Compare runs made again with the evidence of a dataset; an error lists runs that differ.

    A run agrees where each question has the same methods in the same order, each with the same
    similarities.

    Args:
        dataset: name of the dataset, whose runs lie in the working directory.
        output: text file to write; it gets one line.

    Raises:
        DataError: where runs differ, no run is here, or the evidence is not whole or of another
            corpus.
    """
    finished = FinishedRun(dataset)
    evidence = finished.evidence
    record, pairs = evidence.check(), read_pairs(evidence.judgements)
    compared, different, absent = list[str](), list[str](), list[str]()
    for run in record.commits:
        ranking, judged = finished.of(run)
        if not (ranking.is_file() and judged.is_file()):
            absent.append(run)
            continue
        compared.append(run)
        here, there = read_run(ranking), read_run(path_of_run(evidence.path, run))
        same = np.array_equal(here.query_ids, there.query_ids) and np.array_equal(
            here.ids, there.ids
        )
        if not same or not _has_pairs(pairs, judged):
            different.append(run)
    rest = f"; not made here: {', '.join(absent)}" if absent else ""
    if not compared:
        raise DataError(f"{dataset}: has no run here that could be compared{rest}")
    if different:
        raise DataError(
            f"{dataset}: {len(different)} of {len(compared)} runs differ from the evidence: "
            f"{', '.join(different)}{rest}"
        )
    told = f"{len(compared)} runs and their judgements as published{rest}"
    write_text(output, f"{dataset}: {told}\n")


def _has_pairs(pairs: pa.Table, judgements: Path) -> bool:
    """Return True if all judgements are among judged pairs, with the same similarities."""
    try:
        joined = join_pairs([pairs, read_table(judgements, JUDGEMENT_SCHEMA)])
    except DataError:
        return False
    return len(joined) == len(pairs)
