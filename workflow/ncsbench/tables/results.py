"""From runs and judgements on disk to the tables of a dataset."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.evaluation.first_ranks import AcceptedPairs, ceiling_ranks, first_ranks, read_accepted
from ncsbench.evaluation.intervals import draw_resamples
from ncsbench.evaluation.metrics import median_lines
from ncsbench.evaluation.runs import read_run, write_qrels
from ncsbench.evaluation.score_sheet import ScoreSheet, write_score_sheet
from ncsbench.records import MATCH_SCHEMA, QUESTION_SCHEMA
from ncsbench.storage import read_table
from ncsbench.tables.table1 import (
    Ceiling,
    Judge,
    ModelResult,
    build_paired_differences,
    build_table1,
    write_paired_differences,
    write_table1,
)


@dataclass(frozen=True)
class _Judged:
    """First ranks of one model and the pairs its run adds to the qrels."""

    result: ModelResult
    accepted: AcceptedPairs


def write_dataset_tables(
    *,
    settings: dict[str, Any],
    questions: Path,
    lines: NDArray[np.int32],
    judgements: Path,
    matches: Path | None,
    output: Path,
) -> None:
    """Write ``table1.csv``, ``paired_differences.csv``, ``score_sheet.csv`` and ``qrels.txt``.

    Args:
        settings: dataset, models, judges, depth, seed and comparisons of the run.
        questions: table of ``records.QUESTION_SCHEMA``.
        lines: lines of every method, int32, shape (methods,).
        judgements: folder with ``<model>.parquet``.
        matches: table of ``records.MATCH_SCHEMA``, the best of the whole corpus, for the ceiling;
            None where the corpus was not searched.
        output: results folder of the dataset, with the runs in ``runs/<model>.trec``.
    """
    table = read_table(questions, QUESTION_SCHEMA, ["row", "stackoverflow_id"])
    rows = table["row"].to_numpy().astype(np.int32)
    judge = Judge(settings["measure"], settings["threshold"])
    strict = Judge(settings["strict_measure"], settings["strict_threshold"])
    depth = settings["depth"]
    judged = [
        _judge_model(model, rows, lines, judgements, output, (judge, strict), depth)
        for model in settings["models"]
    ]
    results = [entry.result for entry in judged]
    draws = draw_resamples(
        len(rows),
        np.random.default_rng(settings["seed"]),
        resamples=settings["bootstrap_samples"],
    )
    ceiling = None if matches is None else _read_ceiling(matches, (judge, strict), rows)
    common = {"dataset": settings["dataset"], "results": results, "draws": draws, "depth": depth}
    write_score_sheet(output / "score_sheet.csv", _score_sheet(table, rows, results))
    write_qrels(
        output / "qrels.txt",
        rows=np.concatenate([entry.accepted.rows for entry in judged]),
        ids=np.concatenate([entry.accepted.ids for entry in judged]),
    )
    write_paired_differences(
        output / "paired_differences.csv",
        build_paired_differences(
            comparisons=settings["comparisons"], judge=judge, strict_judge=strict, **common
        ),
    )
    write_table1(
        output / "table1.csv",
        build_table1(ceiling=ceiling, judge=judge, strict_judge=strict, **common),
    )


def _judge_model(
    model: dict[str, str],
    rows: NDArray[np.int32],
    lines: NDArray[np.int32],
    judgements: Path,
    output: Path,
    judges: tuple[Judge, Judge],
    depth: int,
) -> _Judged:
    name = model["name"]
    run = read_run(output / "runs" / f"{name}.trec")
    accepted, strict = (
        read_accepted(
            judgements / f"{name}.parquet", measure=judge.measure, threshold=judge.threshold
        )
        for judge in judges
    )
    result = ModelResult(
        name=name,
        trained_on=model["trained_on"],
        first_ranks=first_ranks(run, accepted, rows, depth),
        strict_first_ranks=first_ranks(run, strict, rows, depth),
        median_lines=median_lines(run, lines, rows),
    )
    return _Judged(result, accepted)


def _read_ceiling(path: Path, judges: tuple[Judge, Judge], rows: NDArray[np.int32]) -> Ceiling:
    """The questions that the best match of the whole corpus answers."""
    matches = read_table(path, MATCH_SCHEMA, ["measure", "row", "id", "similarity"])
    ranks = []
    for judge in judges:
        above = pc.and_(
            pc.equal(matches["measure"], judge.measure),
            pc.greater(matches["similarity"], judge.threshold),
        )
        found = matches.filter(above)
        accepted = AcceptedPairs(found["row"].to_numpy(), found["id"].to_numpy())
        ranks.append(ceiling_ranks(accepted, rows))
    return Ceiling(*ranks)


def _score_sheet(table: Any, rows: NDArray[np.int32], results: list[ModelResult]) -> ScoreSheet:
    return ScoreSheet(
        rows=rows,
        stackoverflow_ids=tuple(table["stackoverflow_id"].to_pylist()),
        models=tuple(result.name for result in results),
        first_ranks=np.stack([result.first_ranks for result in results], axis=1),
    )
