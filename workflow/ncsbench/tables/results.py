"""From runs and judgements on disk to the tables of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.evaluation.first_ranks import AcceptedPairs, ceiling_ranks
from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.evaluation.rank_agreement import join_published_ranks
from ncsbench.evaluation.runs import write_qrels
from ncsbench.evaluation.score_sheet import ScoreSheet, read_score_sheet, write_score_sheet
from ncsbench.records import MATCH_SCHEMA, QUESTION_SCHEMA
from ncsbench.storage import read_table, write_json, write_text
from ncsbench.tables.ablations import (
    build_ablations,
    count_directions,
    find_reasons,
    judge_cells_anew,
    measure_effects,
    write_ablations,
)
from ncsbench.tables.judged_results import JudgedResults, read_judged_results
from ncsbench.tables.per_question import write_per_question
from ncsbench.tables.published_systems import PublishedTable, read_published_table
from ncsbench.tables.sheet_agreement import write_flips, write_sheet_agreement
from ncsbench.tables.significance import write_significance
from ncsbench.tables.table1 import (
    Ceiling,
    Judge,
    build_paired_differences,
    build_table1,
    collect_metrics,
    write_paired_differences,
    write_table1,
)
from ncsbench.tables.table1_text import describe_table1
from ncsbench.tables.text_formats import to_latex, to_markdown
from ncsbench.tables.verdicts import Cell, add_published, compare_cells


def write_dataset_tables(
    *,
    settings: Mapping[str, Any],
    questions: Path,
    lines: NDArray[np.int32],
    judgements: Path,
    matches: Path | None,
    published: Path,
    score_sheet: Path,
    weights: Path | None,
    output: Path,
) -> None:
    """Write Table 1 (CSV, Markdown, LaTeX) and what belongs to it, into ``output``.

    That is ``table1.csv``, ``table1.md``, ``table1.tex``, ``ablations.csv``,
    ``paired_differences.csv``, ``score_sheet.csv``, ``qrels.txt``, ``significance.csv``,
    ``per_question.parquet``, ``score_sheet_agreement.csv`` and ``flips.csv``.

    Args:
        settings: dataset, models with replicates, ablations, judges, depth, seed and comparisons.
        questions: table of ``records.QUESTION_SCHEMA``.
        lines: lines of every method, int32, shape (methods,).
        judgements: folder with ``<run>.parquet``.
        matches: table of ``records.MATCH_SCHEMA``, the best of the whole corpus, for the ceiling;
            None where the corpus was not searched.
        published: folder with the published figures and ``published_systems.SYSTEMS_FILE``.
        score_sheet: the published score sheet.
        weights: folder with the trained weights that the settings name; None where none does.
        output: results folder of the dataset, with the runs in ``runs/<run>.trec``.
    """
    judged = read_judged_results(
        settings,
        questions=questions,
        lines=lines,
        judgements=judgements,
        results=output,
        weights=weights,
    )
    sheet_ranks = join_published_ranks(read_score_sheet(score_sheet), judged.questions.keys)
    systems = read_published_table(published, sheet_ranks=sheet_ranks)
    # Before anything is written, since a model may name a system that there is not.
    cells = compare_cells(judged.models, systems, **_resampling(settings))
    draws = draw_resamples(
        len(judged.questions.rows),
        np.random.default_rng(settings["seed"]),
        resamples=settings["bootstrap_samples"],
    )
    write_score_sheet(output / "score_sheet.csv", _score_sheet(judged))
    _write_qrels(output / "qrels.txt", judged)
    write_paired_differences(
        output / "paired_differences.csv",
        build_paired_differences(
            dataset=settings["dataset"],
            results=judged.models,
            comparisons=settings["comparisons"],
            judge=judged.judge,
            strict_judge=judged.strict_judge,
            draws=draws,
            depth=settings["depth"],
        ),
    )
    asked = read_table(questions, QUESTION_SCHEMA, ["row", "stackoverflow_id", "question"])
    _write_statistics(output, settings, judged, draws)
    _write_agreement(output, settings, judged, asked, sheet_ranks)
    ceiling = None if matches is None else _read_ceiling(matches, judged)
    _write_table1(output, settings, judged, ceiling, systems, cells, draws)


def _write_statistics(
    output: Path,
    settings: Mapping[str, Any],
    judged: JudgedResults,
    draws: NDArray[np.int32],
) -> None:
    """Tests of all models against the baseline."""
    write_significance(
        output / "significance.csv",
        dataset=settings["dataset"],
        first_ranks={judge: judged.first_ranks(judge) for judge in judged.judges},
        baseline=settings["baseline"],
        draws=draws,
        seed=settings["seed"],
        depth=settings["depth"],
    )


def _write_agreement(
    output: Path,
    settings: Mapping[str, Any],
    judged: JudgedResults,
    questions: pa.Table,
    sheet_ranks: Mapping[str, NDArray[np.int32]],
) -> None:
    """Every first rank, and how those of the models go with the published ones."""
    published_as = {model.name: model.published_as for model in judged.models}
    common = {
        "dataset": settings["dataset"],
        "first_ranks": {judge: judged.first_ranks(judge) for judge in judged.judges},
        "published_as": published_as,
        "published_ranks": sheet_ranks,
        "depth": settings["depth"],
    }
    write_sheet_agreement(output / "score_sheet_agreement.csv", **common)
    write_flips(output / "flips.csv", questions=questions, **common)
    replicate_of = {one.name: model.name for model in judged.models for one in model.replicates}
    runs = [*published_as, *replicate_of]
    write_per_question(
        output / "per_question.parquet",
        questions=questions,
        first_ranks={judge: judged.first_ranks(judge, runs) for judge in judged.judges},
        replicate_of=replicate_of,
        published_ranks={
            name: sheet_ranks[system]
            for name, system in published_as.items()
            if system in sheet_ranks
        },
        depth=settings["depth"],
    )


def _write_table1(
    output: Path,
    settings: Mapping[str, Any],
    judged: JudgedResults,
    ceiling: Ceiling | None,
    published: PublishedTable,
    cells: Sequence[Cell],
    draws: NDArray[np.int32],
) -> None:
    """Table 1 with what explains its differences from the published one."""
    depth = settings["depth"]
    effects = measure_effects(judged.ablations, draws, depth)
    anew = judge_cells_anew(judged.ablations, judged.models, published, **_resampling(settings))
    directions = count_directions(effects, cells, anew)
    reasons = find_reasons(effects, cells, directions)
    rows = build_table1(
        dataset=settings["dataset"],
        results=judged.models,
        ceiling=ceiling,
        judge=judged.judge,
        strict_judge=judged.strict_judge,
        draws=draws,
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
    write_ablations(
        output / "ablations.csv", build_ablations(settings["dataset"], effects, reasons)
    )
    write_table1(output / "table1.csv", rows)
    write_json(output / "metrics.json", collect_metrics(rows))
    report = describe_table1(rows, notes=published.notes, directions=directions)
    write_text(output / "table1.md", to_markdown(report))
    write_text(output / "table1.tex", to_latex(report))


def _resampling(settings: Mapping[str, Any]) -> dict[str, int]:
    """How the questions of the score sheet are drawn, and the last rank that counts."""
    return {
        "seed": settings["seed"],
        "resamples": settings["bootstrap_samples"],
        "depth": settings["depth"],
    }


def _read_ceiling(path: Path, judged: JudgedResults) -> Ceiling:
    """The questions that the best match of the whole corpus answers."""
    matches = read_table(path, MATCH_SCHEMA, ["measure", "row", "id", "similarity"])

    def rank(judge: Judge) -> NDArray[np.int32]:
        above = pc.and_(
            pc.equal(matches["measure"], judge.measure),
            pc.greater(matches["similarity"], judge.threshold),
        )
        found = matches.filter(above)
        accepted = AcceptedPairs(found["row"].to_numpy(), found["id"].to_numpy())
        return ceiling_ranks(accepted, judged.questions.rows)

    return Ceiling(rank(judged.judge), rank(judged.strict_judge))


def _score_sheet(judged: JudgedResults) -> ScoreSheet:
    return ScoreSheet(
        rows=judged.questions.rows,
        stackoverflow_ids=tuple(id_ for id_, _ in judged.questions.keys),
        models=tuple(model.name for model in judged.models),
        first_ranks=np.stack([model.first_ranks for model in judged.models], axis=1),
    )


def _write_qrels(path: Path, judged: JudgedResults) -> None:
    """The accepted results of every run that the tables read, replicates and ablations too."""
    rows, ids = [], []
    for ranking in judged.rankings.values():
        accepted = ranking.accepted(judged.judge.measure, judged.judge.threshold)
        rows.append(judged.questions.rows[np.nonzero(accepted)[0]])
        ids.append(ranking.ids[accepted])
    write_qrels(path, rows=np.concatenate(rows), ids=np.concatenate(ids))
