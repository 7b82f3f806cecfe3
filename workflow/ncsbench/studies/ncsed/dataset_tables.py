"""Writes the tables of a dataset from its runs and judgements on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row, read_rows, write_rows
from ncsbench.base.files.storage import atomic_folder, read_table, write_json, write_text
from ncsbench.base.runs.trec_files import write_qrels
from ncsbench.corpus.layout.corpus_record import (
    CorpusRecord,
    describe_corpus,
    write_record,
    write_repository_ledger,
)
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.judge.judgement_schemas import (
    ANSWER_COLUMNS,
    MATCH_SCHEMA,
    UNREAD,
    warn_of_unread,
)
from ncsbench.evaluation.measures.judged_rankings import rank_ceiling
from ncsbench.evaluation.measures.per_question import write_per_question
from ncsbench.evaluation.measures.pooled_truth import MeasuredRuns, measure_rankings
from ncsbench.evaluation.measures.rank_figures import (
    SIGNIFICANCE_COLUMNS,
    build_significance,
    measure_values,
)
from ncsbench.evaluation.measures.results import JUDGE_PREFIXES, Judge, Ranks
from ncsbench.evaluation.measures.score_sheet import ScoreSheet, read_score_sheet, write_score_sheet
from ncsbench.evaluation.published.ablations import (
    count_directions,
    find_reasons,
    judge_cells_anew,
    measure_effects,
    write_ablations,
)
from ncsbench.evaluation.published.sheet_agreement import (
    join_published_ranks,
    write_flips,
    write_ncs_2018,
    write_sheet_agreement,
)
from ncsbench.evaluation.published.systems import PublishedTable, read_published_table
from ncsbench.evaluation.published.verdicts import Cell, compare_cells
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.text_formats import to_latex, to_markdown
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.ncsed.judged_results import JudgedResults, read_judged_results
from ncsbench.studies.ncsed.table1 import (
    add_published,
    add_repository_intervals,
    build_paired_differences,
    build_table1,
    collect_metrics,
    write_paired_differences,
)
from ncsbench.studies.ncsed.table1_files import SEED_COLUMNS, DatasetSize, write_table1
from ncsbench.studies.ncsed.table1_text import describe_table1
from ncsbench.studies.ncsed.table_settings import TableSettings


def write_dataset_tables(
    settings: TableSettings,
    questions: Path,
    answers: Path,
    corpus: CorpusFolder,
    judgements: Path,
    published: Path,
    score_sheet: Path,
    results: Path,
    output: Path,
    matches: Path | None = None,
    trainings: Path | None = None,
    repository_intervals: Path | None = None,
) -> None:
    """Write Table 1, its ablations, paired differences, score sheet and qrels of a dataset.

    Args:
        settings: dataset, models with replicates, ablations, judges, depth, seed and comparisons.
        questions: questions as Parquet.
        answers: ``answers.csv``, which says how each answer was read.
        corpus: folder of a built corpus.
        judgements: folder of the judgements, ``<run>.parquet``.
        published: folder of the published figures, with ``published_systems.SYSTEMS_FILE``.
        score_sheet: the published score sheet.
        results: results folder of the dataset, with its runs.
        output: folder of the tables to write: the results folder, or a trial's.
        matches: best matches of the corpus, for the ceiling; None where the corpus was not
            searched.
        trainings: folder of the records of trainings, where models are trained.
        repository_intervals: folder with a table of ``REPOSITORY_COLUMNS`` for each model.
    """
    corpus.check_duplicates(settings.duplicates)
    judged = read_judged_results(
        settings,
        questions=questions,
        lines=corpus.read_lines(),
        judgements=judgements,
        results=results,
        trainings=trainings,
    )
    write_judged_tables(
        judged,
        settings=settings,
        questions=questions,
        answers=answers,
        corpus=describe_corpus(corpus.manifest()),
        matches=matches,
        published=published,
        score_sheet=score_sheet,
        repository_intervals=repository_intervals,
        output=output,
    )
    write_repository_ledger(output, corpus)


def write_judged_tables(
    judged: JudgedResults,
    *,
    settings: TableSettings,
    questions: Path,
    answers: Path,
    corpus: CorpusRecord,
    matches: Path | None,
    published: Path,
    score_sheet: Path,
    repository_intervals: Path | None,
    output: Path,
) -> None:
    """Write the tables of judged runs, all but ``ledger.csv``, into ``output``.

    These are ``table1.csv``, ``table1_long.csv``, ``table1.md``, ``table1.tex``, ``ablations.csv``,
    ``paired_differences.csv``, ``score_sheet.csv``, ``qrels.txt``, ``qrels_strict.txt``,
    ``qrels_charged.txt``, ``significance.csv``, ``per_question.parquet``, ``corpus.json``,
    ``score_sheet_agreement.csv``, ``flips.csv``, ``ncs_2018.csv`` and a file per model in
    ``metrics``. Arguments are those of ``write_dataset_tables``, after the runs; ``corpus`` is the
    corpus that the methods of the runs are from.
    """
    sheet_ranks = join_published_ranks(read_score_sheet(score_sheet), judged.questions.keys)
    systems = read_published_table(published, sheet_ranks=sheet_ranks)
    # Read before anything is written, since a model may name a published system that is unknown.
    depth, verdicts = settings.depth, settings.verdicts
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    cells = compare_cells(judged.models, systems, sampling, depth=depth, options=verdicts)
    write_record(output, corpus)
    write_score_sheet(output / "score_sheet.csv", _score_sheet(judged))
    for name, judge in judged.judges.items():
        _write_qrels(output / name_qrels(name), judged, judge)
    write_paired_differences(
        output / "paired_differences.csv",
        build_paired_differences(
            dataset=settings.dataset,
            results=judged.models,
            comparisons=settings.comparisons,
            judges=judged.judges,
            sampling=sampling,
            depth=depth,
        ),
    )
    asked = read_table(questions, QUESTION_SCHEMA, ["query_id", "stackoverflow_id", "question"])
    pool = list(judged.rankings.values())
    measured = {
        judge: measure_rankings(pool, judge, settings.measures) for judge in judged.judges.values()
    }
    _write_agreement(
        output, settings, judged, measured, asked, sheet_ranks, published, corpus.corpus_hash
    )
    ceiling = None if matches is None else _read_ceiling(matches, judged)
    among = {str(query_id) for query_id in judged.questions.query_ids.tolist()}
    listed = [row for row in read_rows(answers, ANSWER_COLUMNS) if row["query_id"] in among]
    warn_of_unread(listed)
    read = [row for row in listed if row["wrapping"] != UNREAD]
    size = DatasetSize(
        methods=corpus.methods,
        repositories=corpus.repositories.get("taken", 0),
        questions=len(judged.questions.query_ids),
        answers_read=len(read),
        left_out=corpus.left_out.get("duplicates", 0),
        of_ncsed=len(systems.joined) == len(judged.questions.query_ids),
    )
    measures = measure_values(measured, [model.name for model in judged.models], sampling)
    _write_table1(
        output, settings, judged, measures, size, ceiling, systems, cells, repository_intervals
    )


def _write_agreement(
    output: Path,
    settings: TableSettings,
    judged: JudgedResults,
    measured: Mapping[Judge, MeasuredRuns],
    questions: pa.Table,
    sheet_ranks: Mapping[str, NDArray[np.int32]],
    published: Path,
    corpus_hash: str,
) -> None:
    """Write every question's figures; compare models with the baseline and published ranks."""
    published_as = {model.name: model.published_as for model in judged.models}
    ranked: dict[str, Any] = {
        "dataset": settings.dataset,
        "first_ranks": {judge: judged.first_ranks(judge) for judge in judged.judges.values()},
    }
    write_ncs_2018(output / "ncs_2018.csv", published=published, **ranked)
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    tests = build_significance(
        baseline=settings.baseline, sampling=sampling, depth=settings.depth, **ranked
    )
    write_rows(output / "significance.csv", SIGNIFICANCE_COLUMNS, tests)
    common = {
        **ranked,
        "published_as": published_as,
        "published_ranks": sheet_ranks,
        "depth": settings.depth,
    }
    write_sheet_agreement(output / "score_sheet_agreement.csv", sampling=sampling, **common)
    write_flips(output / "flips.csv", questions=questions, **common)
    replicate_of = {one.name: model.name for model in judged.models for one in model.replicates}
    runs = [*published_as, *replicate_of]
    write_per_question(
        output / "per_question.parquet",
        questions=questions,
        first_ranks={judge: judged.first_ranks(judge, runs) for judge in judged.judges.values()},
        replicate_of=replicate_of,
        published_ranks={
            name: sheet_ranks[system]
            for name, system in published_as.items()
            if system in sheet_ranks
        },
        depth=settings.depth,
        corpus_hash=corpus_hash,
        measured=measured,
    )


def _write_table1(
    output: Path,
    settings: TableSettings,
    judged: JudgedResults,
    measures: Sequence[Row],
    size: DatasetSize,
    ceiling: Ranks | None,
    published: PublishedTable,
    cells: Sequence[Cell],
    repository_intervals: Path | None,
) -> None:
    """Write Table 1 with the reasons for its differences from the published table."""
    depth = settings.depth
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    effects = measure_effects(judged.ablations, cells, sampling, depth)
    anew = judge_cells_anew(
        judged.ablations, judged.models, published, sampling, depth=depth, options=settings.verdicts
    )
    directions = count_directions(effects, cells, anew)
    reasons = find_reasons(effects, cells, directions)
    rows = build_table1(
        dataset=settings.dataset,
        results=judged.models,
        ceiling=ceiling,
        judges=judged.judges,
        sampling=sampling,
        depth=depth,
    )
    rows = add_published(
        rows,
        results=judged.models,
        published=published,
        cells=cells,
        reasons=reasons,
        depth=depth,
    )
    given = {model.name for model in settings.models if model.given}
    rows = [
        {**row, **dict.fromkeys(SEED_COLUMNS, "")} if row["model"] in given else row for row in rows
    ]
    if repository_intervals is not None:
        searched = [model.name for model in settings.models if not model.given]
        rows = add_repository_intervals(rows, repository_intervals, searched)
    write_ablations(output / "ablations.csv", settings.dataset, effects, reasons)
    write_table1(output, rows, size, measures)
    with atomic_folder(output / "metrics") as folder:
        for model, metrics in collect_metrics(rows).items():
            write_json(folder / f"{model}.json", metrics)
    report = describe_table1(rows, size, notes=published.notes, directions=directions, given=given)
    write_text(output / "table1.md", to_markdown(report))
    write_text(output / "table1.tex", to_latex(report))


def _read_ceiling(path: Path, judged: JudgedResults) -> Ranks:
    """Find the questions that the best match of the whole corpus answers."""
    matches = read_table(path, MATCH_SCHEMA, ["judge", "query_id", "similarity"])
    return {
        name: rank_ceiling(matches, judge, judged.questions.query_ids)
        for name, judge in judged.judges.items()
    }


def _score_sheet(judged: JudgedResults) -> ScoreSheet:
    return ScoreSheet(
        rows=judged.questions.query_ids,
        stackoverflow_ids=tuple(id_ for id_, _ in judged.questions.keys),
        models=tuple(model.name for model in judged.models),
        first_ranks=np.stack([model.first_ranks for model in judged.models], axis=1),
    )


def name_qrels(judge: str) -> str:
    """Name the file of the accepted results under the judge of this name."""
    return f"qrels_{JUDGE_PREFIXES[judge]}".removesuffix("_") + ".txt"


def _write_qrels(path: Path, judged: JudgedResults, judge: Judge) -> None:
    """Write the accepted results of every run of the tables, with replicates and ablations."""
    rows, ids, relevant = [], [], []
    for ranking in judged.rankings.values():
        retrieved = ranking.ids >= 0
        rows.append(judged.questions.query_ids[np.nonzero(retrieved)[0]])
        ids.append(ranking.ids[retrieved])
        relevant.append(ranking.accepted(judge.similarity, judge.threshold)[retrieved])
    write_qrels(
        path,
        query_ids=np.concatenate(rows),
        ids=np.concatenate(ids),
        relevant=np.concatenate(relevant),
        questions=judged.questions.query_ids,
    )
