"""``per_question.parquet``: the first rank of every run on every question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import write_tables
from ncsbench.evaluation.measures.metrics import PUBLISHED_DEPTH, question_shares, reciprocal_ranks
from ncsbench.evaluation.measures.results import Judge

PER_QUESTION_SCHEMA = pa.schema(
    [
        pa.field("judge", pa.string(), nullable=False),
        pa.field("threshold", pa.float64(), nullable=False),
        pa.field("query_id", pa.int32(), nullable=False),
        pa.field("stackoverflow_id", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("replicate", pa.string()),
        pa.field("first_rank", pa.int32(), nullable=False),
        pa.field("reciprocal_rank", pa.float64(), nullable=False),
        pa.field("answered_1", pa.bool_(), nullable=False),
        pa.field("answered_5", pa.bool_(), nullable=False),
        pa.field("answered_10", pa.bool_(), nullable=False),
        pa.field("published_rank", pa.int32()),
    ]
)
"""A row is the first rank of one run on question ``query_id`` under one judge. ``replicate`` is
null for the model's own run; ranks are from 1, 0 = not found; ``published_rank`` is that of the
model's published counterpart, null without a counterpart or where its sheet lacks the question."""


def write_per_question(
    path: Path,
    *,
    questions: pa.Table,
    first_ranks: Mapping[Judge, Mapping[str, NDArray[np.int32]]],
    replicate_of: Mapping[str, str],
    published_ranks: Mapping[str, NDArray[np.int32]],
    depth: int = PUBLISHED_DEPTH,
    corpus_hash: str | None = None,
) -> None:
    """Write a table of ``PER_QUESTION_SCHEMA``, atomically.

    Rows go by judge and run in the order given, then by question.

    Args:
        path: file to write.
        questions: ``query_id`` and ``stackoverflow_id`` of the questions, as in
            ``QUESTION_SCHEMA``.
        first_ranks: for every judge, the first ranks of every run, replicates too, int32, shape
            (questions,), 0 = not found.
        replicate_of: the model of every run that is a replicate.
        published_ranks: for models with a published counterpart, its first ranks on these
            questions, int32, shape (questions,), 0 = not found, -1 = not in the sheet.
        depth: the last rank that counts; deeper ones are written, with a reciprocal rank of 0.
        corpus_hash: the corpus that was searched.

    Raises:
        ValueError: where a number of questions differs.
    """
    write_tables(
        path,
        _iterate_runs(questions, first_ranks, replicate_of, published_ranks, depth),
        PER_QUESTION_SCHEMA,
        corpus_hash=corpus_hash,
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
            columns = {
                "judge": pa.repeat(judge.similarity, count),
                "threshold": pa.repeat(float(judge.threshold), count),
                "query_id": questions["query_id"],
                "stackoverflow_id": questions["stackoverflow_id"],
                "model": pa.repeat(model, count),
                "replicate": pa.repeat(
                    pa.scalar(run if run != model else None, pa.string()), count
                ),
                "first_rank": ranks,
                "reciprocal_rank": reciprocal_ranks(ranks, depth),
                "published_rank": pa.array(published, mask=published < 0),
            }
            for metric in ("answered_1", "answered_5", "answered_10"):
                columns[metric] = question_shares(ranks, metric, depth) > 0
            yield pa.table(columns)
