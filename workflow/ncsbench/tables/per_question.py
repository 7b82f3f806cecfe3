"""``per_question.parquet``: what every run reached on every question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.evaluation.metrics import PUBLISHED_DEPTH, question_shares
from ncsbench.records import PER_QUESTION_SCHEMA
from ncsbench.storage import write_tables
from ncsbench.tables.table1 import Judge


def write_per_question(
    path: Path,
    *,
    questions: pa.Table,
    first_ranks: Mapping[Judge, Mapping[str, NDArray[np.int32]]],
    replicate_of: Mapping[str, str],
    published_ranks: Mapping[str, NDArray[np.int32]],
    depth: int = PUBLISHED_DEPTH,
) -> None:
    """Write a table of ``records.PER_QUESTION_SCHEMA``, atomically.

    Rows go by judge and run in the order given, then by question.

    Args:
        path: file to write.
        questions: ``row`` and ``stackoverflow_id`` of the questions, as in
            ``records.QUESTION_SCHEMA``.
        first_ranks: for every judge, the first ranks of every run, replicates too, int32, shape
            (questions,), 0 = not found.
        replicate_of: the model of every run that is a replicate.
        published_ranks: for models with a published counterpart, its first ranks on these
            questions, int32, shape (questions,), 0 = not found, -1 = not in the sheet.
        depth: the last rank that counts; deeper ones are written, with a reciprocal rank of 0.

    Raises:
        ValueError: where a number of questions differs.
    """
    write_tables(
        path,
        _iterate_runs(questions, first_ranks, replicate_of, published_ranks, depth),
        PER_QUESTION_SCHEMA,
    )


def _iterate_runs(
    questions: pa.Table,
    first_ranks: Mapping[Judge, Mapping[str, NDArray[np.int32]]],
    replicate_of: Mapping[str, str],
    published_ranks: Mapping[str, NDArray[np.int32]],
    depth: int,
) -> Iterator[pa.Table]:
    """One table per judge and run."""
    count = len(questions)
    for judge, runs in first_ranks.items():
        for run, ranks in runs.items():
            model = replicate_of.get(run, run)
            published = published_ranks.get(model, np.full(count, -1, dtype=np.int32))
            if len(ranks) != count or len(published) != count:
                raise ValueError(
                    f"{run}: {len(ranks)} first ranks and {len(published)} published ones for "
                    f"{count} questions"
                )
            counted = question_shares(ranks, "mrr", depth) > 0
            columns = {
                "measure": pa.repeat(judge.measure, count),
                "threshold": pa.repeat(float(judge.threshold), count),
                "row": questions["row"],
                "stackoverflow_id": questions["stackoverflow_id"],
                "model": pa.repeat(model, count),
                "replicate": pa.repeat(
                    pa.scalar(run if run != model else None, pa.string()), count
                ),
                "first_rank": ranks,
                "reciprocal_rank": np.where(counted, 1.0 / np.maximum(ranks, 1), 0.0),
                "published_rank": pa.array(published, mask=published < 0),
            }
            for metric in ("answered_1", "answered_5", "answered_10"):
                columns[metric] = question_shares(ranks, metric, depth) > 0
            yield pa.table(columns)
