"""``table1_sensitivity.csv``: the figures of Table 1 under every measure.

Every measure has the threshold of Table 1; the project's own measure has also the one that the
judge study chose for it. The measures are not on one scale, so that equal thresholds are not
equally strict: the figures say how much hangs on the choice, not which measure is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.evaluation.first_ranks import AcceptedPairs, ceiling_ranks
from ncsbench.evaluation.metrics import METRICS, measure_ranks
from ncsbench.records import MATCH_SCHEMA, MEASURES
from ncsbench.storage import read_table
from ncsbench.tables.csv_rows import Row, write_rows
from ncsbench.tables.judged_rankings import (
    JudgedRanking,
    read_judged_runs,
    read_study_questions,
)
from ncsbench.tables.table1 import CEILING, Judge, format_value

COLUMNS = ("dataset", "measure", "threshold", "model", "questions", *METRICS)
"""Columns, in order."""


def write_sensitivity(
    *,
    settings: dict[str, Any],
    questions: Path,
    judgements: Path,
    results: Path,
    matches: Path,
    output: Path,
) -> None:
    """Write Table 1 under every measure.

    Args:
        settings: dataset, models, depth, and thresholds of Table 1 and of the own measure.
        questions: table of ``records.QUESTION_SCHEMA``.
        judgements: folder with ``<model>.parquet``.
        results: folder with the runs in ``runs/<model>.trec``.
        matches: table of ``records.MATCH_SCHEMA``: the best method of the corpus for each question
            under each measure, where it is above the lowest threshold asked for here.
        output: file to write.
    """
    rows = read_study_questions(questions).rows
    depth = settings["depth"]
    rankings = read_judged_runs(
        settings["models"], rows=rows, depth=depth, results=results, judgements=judgements
    )
    found = read_table(matches, MATCH_SCHEMA, ["measure", "row", "id", "similarity"])
    written: list[Row] = []
    for judge in list_judges(settings):
        for name, ranks in _rank_models(rankings, found, judge, rows):
            written.append(
                {
                    "dataset": settings["dataset"],
                    "measure": judge.measure,
                    "threshold": f"{judge.threshold:.10g}",
                    "model": name,
                    "questions": str(len(rows)),
                    **{
                        metric: format_value(metric, measure_ranks(ranks, metric, depth))
                        for metric in METRICS
                    },
                }
            )
    write_rows(output, COLUMNS, written)


def list_judges(settings: dict[str, Any]) -> list[Judge]:
    """Every measure with the threshold of Table 1, and the own one with its own."""
    judges = [Judge(measure, settings["threshold"]) for measure in MEASURES]
    own = Judge(settings["own_measure"], settings["own_threshold"])
    return judges if own in judges else [*judges, own]


def _rank_models(
    rankings: Sequence[JudgedRanking], matches: pa.Table, judge: Judge, rows: NDArray[np.int32]
) -> list[tuple[str, NDArray[np.int32]]]:
    """First ranks of the models, then of a perfect ranking of the corpus."""
    above = pc.and_(
        pc.equal(matches["measure"], judge.measure),
        pc.greater(matches["similarity"], judge.threshold),
    )
    found = matches.filter(above)
    accepted = AcceptedPairs(found["row"].to_numpy(), found["id"].to_numpy())
    ranked = [(r.name, r.first_ranks(judge.measure, judge.threshold)) for r in rankings]
    return [*ranked, (CEILING, ceiling_ranks(accepted, rows))]
