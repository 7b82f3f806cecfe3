"""``per_question.parquet``: first rank and measures of every run on every question."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_table, write_tables
from ncsbench.evaluation.measures.graded_measures import Values
from ncsbench.evaluation.measures.metrics import PUBLISHED_DEPTH, question_shares, reciprocal_ranks
from ncsbench.evaluation.measures.pooled_truth import MeasuredRuns
from ncsbench.evaluation.measures.results import Judge

MEASURES = pa.map_(pa.string(), pa.float64())
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
        pa.field("measures", MEASURES),
    ]
)
"""A row is the first rank of one run on question ``query_id`` under one judge. ``replicate`` is
null for the model's own run; ranks are from 1, 0 = not found; ``published_rank`` is that of the
model's published counterpart, null without a counterpart or where its sheet lacks the question;
``measures`` are values in [0, 1] by the names of ir_measures, null in tables of former versions."""


def write_per_question(
    path: Path,
    *,
    questions: pa.Table,
    first_ranks: Mapping[Judge, Mapping[str, NDArray[np.int32]]],
    replicate_of: Mapping[str, str],
    published_ranks: Mapping[str, NDArray[np.int32]],
    depth: int = PUBLISHED_DEPTH,
    corpus_hash: str | None = None,
    measured: Mapping[Judge, MeasuredRuns] | None = None,
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
        measured: for every judge, values of measures of every run, replicates too.

    Raises:
        ValueError: where a number of questions differs.
    """
    write_tables(
        path,
        _iterate_runs(questions, first_ranks, replicate_of, published_ranks, depth, measured),
        PER_QUESTION_SCHEMA,
        corpus_hash=corpus_hash,
    )


def _iterate_runs(
    questions: pa.Table,
    first_ranks: Mapping[Judge, Mapping[str, NDArray[np.int32]]],
    replicate_of: Mapping[str, str],
    published_ranks: Mapping[str, NDArray[np.int32]],
    depth: int,
    measured: Mapping[Judge, MeasuredRuns] | None,
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
                "measures": _pack_measures(measured[judge][run] if measured else {}, count),
            }
            for metric in ("answered_1", "answered_5", "answered_10"):
                columns[metric] = question_shares(ranks, metric, depth) > 0
            yield pa.table(columns)


def _pack_measures(values: Mapping[str, Values], count: int) -> pa.Array:
    """Pack values of questions by measure into a map for each question, of type ``MEASURES``."""
    if not values:
        return pa.nulls(count, MEASURES)
    offsets = np.arange(count + 1, dtype=np.int32) * len(values)
    items = np.stack(list(values.values()), axis=1).ravel()
    return pa.MapArray.from_arrays(offsets, pa.array(list(values) * count), items)


def read_measures(path: Path, models: Collection[str]) -> dict[Judge, dict[str, dict[str, Values]]]:
    """Read values of measures of models' own runs by judge, model and measure, shape (questions,).

    A table of a former version has no measures.
    """
    columns = ["judge", "threshold", "model", "replicate", "measures"]
    frame = read_table(path, PER_QUESTION_SCHEMA, columns).to_pandas()
    own = frame[frame["replicate"].isna() & frame["model"].isin(list(models))]
    found: dict[Judge, dict[str, dict[str, Values]]] = {}
    for (similarity, threshold, model), rows in own.groupby(columns[:3], sort=False)["measures"]:
        values = pd.DataFrame(map(dict, rows.dropna()))
        of_judge = found.setdefault(Judge(similarity, threshold), {})
        of_judge[model] = {str(name): values[name].to_numpy(np.float64) for name in values}
    return found
