"""Two runs on the same questions: how far each model's figures moved, paired by question.

For what one table cannot hold, such as another corpus or other code. Both runs are read from their
``per_question.parquet``; differences of models within a table are ``paired_differences.csv``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row
from ncsbench.artifacts.storage import read_table
from ncsbench.errors import DataError
from ncsbench.evaluation.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.rank_differences import compare_ranks
from ncsbench.evaluation.resampling import Sampling
from ncsbench.evaluation.results import Judge

RUN_DIFFERENCE_COLUMNS = (
    *("judge", "threshold", "model", "old_model", "measure"),
    *("old", "new", "difference", "low", "high"),
)
"""Columns of a comparison of two runs, in order; ``low`` and ``high`` bound the difference."""

_COLUMNS = ["judge", "threshold", "query_id", "stackoverflow_id", "model", "replicate"]


def compare_runs_by_question(
    old: Path,
    new: Path,
    *,
    renamed: Mapping[str, str],
    seed: int,
    resamples: int,
    depth: int,
) -> list[Row]:
    """Rows of ``RUN_DIFFERENCE_COLUMNS``: new minus old for every judge, model and measure of both.

    Args:
        old: a ``per_question.parquet``, or the folder with it.
        new: the same of another run on the same questions.
        renamed: the name in the old run of models of the new one that had another.
        seed: of the questions that are drawn.
        resamples: number of resamples behind each interval.
        depth: the last rank the MRR counts.

    Raises:
        DataError: where the questions differ or the runs have no model in common.
    """
    (old_questions, before), (new_questions, after) = read_first_ranks(old), read_first_ranks(new)
    if old_questions != new_questions:
        raise DataError(f"{new}: has other questions than {old}; compare runs on the same ones")
    sampling = Sampling(seed, resamples)
    rows = []
    for (judge, model), ranks in after.items():
        old_model = renamed.get(model, model)
        if (judge, old_model) not in before:
            continue
        both = {"new": ranks, "old": before[judge, old_model]}
        for row in compare_ranks(both, [("new", "old")], sampling, depth=depth):
            figures = {"old": row["baseline_value"], "new": row["value"]}
            named = {"model": model, "old_model": old_model, "measure": row["measure"]}
            by = {"judge": judge.similarity, "threshold": repr(judge.threshold)}
            bounds = {name: row[name] for name in ("difference", "low", "high")}
            rows.append({**by, **named, **figures, **bounds})
    if not rows:
        raise DataError(f"{new}: has no model and judge in common with {old}")
    return rows


def read_first_ranks(
    path: Path,
) -> tuple[Sequence[str], dict[tuple[Judge, str], NDArray[np.int32]]]:
    """What a table's rows reached.

    Args:
        path: a ``per_question.parquet``, or the folder with it.

    Returns:
        Stack Overflow ids of the questions; by judge, in the order of the file, and row without its
        replicates the first ranks, int32, shape (questions,), 0 = not found.
    """
    file = path / "per_question.parquet" if path.is_dir() else path
    table = read_table(file, PER_QUESTION_SCHEMA, [*_COLUMNS, "first_rank"])
    table = table.filter(pc.is_null(table["replicate"]))
    questions: list[str] = []
    ranks: dict[tuple[Judge, str], list[int]] = {}
    for row in table.to_pylist():
        key = Judge(row["judge"], row["threshold"]), row["model"]
        ranks.setdefault(key, []).append(row["first_rank"])
        if len(ranks) == 1:
            questions.append(row["stackoverflow_id"])
    return questions, {key: np.array(found, dtype=np.int32) for key, found in ranks.items()}
