"""How a figure of Table 1 follows from its questions, as ``per_question.parquet`` has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row
from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.metrics import METRICS
from ncsbench.evaluation.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.results import format_value

FILE_NAME = "per_question.parquet"
_FIGURE = re.compile(rf"(strict_|charged_)?({'|'.join(METRICS)})")
_NAMES = {str(metric): metric for metric in METRICS}


@dataclass(frozen=True)
class Arithmetic:
    """A figure of a row of Table 1, computed from its questions.

    Attributes:
        metric: one of ``METRICS``.
        judge: the similarity that was measured and what it had to exceed, in words.
        query_ids: int32, shape (questions,).
        first_ranks: int32, shape (questions,), from 1, 0 = not found.
        shares: what each question adds, float64, shape (questions,): its reciprocal rank, or 0 or
            1 for Answered@k.
        value: the figure, as Table 1 writes it.
    """

    metric: str
    judge: str
    query_ids: NDArray[np.int32]
    first_ranks: NDArray[np.int32]
    shares: NDArray[np.float64]
    value: str

    @property
    def total(self) -> float:
        """The sum of the shares."""
        return float(self.shares.sum())


def compute_cell(path: Path, row: Row, column: str) -> Arithmetic | None:
    """A figure of a row of Table 1; None where the column is none, or no run is behind the row.

    Args:
        path: a table of ``PER_QUESTION_SCHEMA``.
        row: of Table 1.
        column: of Table 1.

    Raises:
        DataError: where the table cannot be read.
    """
    found = _FIGURE.fullmatch(column)
    if not found:
        return None
    prefix, metric = found[1] or "", _NAMES[found[2]]
    judge, threshold = row.get(f"{prefix}judge"), row.get(f"{prefix}threshold")
    table = read_table(path, PER_QUESTION_SCHEMA)
    table = table.filter(
        pc.and_(pc.equal(table["model"], row["model"]), pc.is_null(table["replicate"]))
    )
    table = table.filter(pc.equal(table["judge"], judge))
    known = {repr(one): one for one in table["threshold"].unique().to_pylist()}
    if judge is None or threshold not in known:
        return None
    table = table.filter(pc.equal(table["threshold"], known[threshold]))
    shares = table["reciprocal_rank" if metric == "mrr" else metric].to_numpy().astype(np.float64)
    total = float(shares.sum())
    return Arithmetic(
        metric=metric,
        judge=f"{judge} above {threshold}",
        query_ids=table["query_id"].to_numpy(),
        first_ranks=table["first_rank"].to_numpy(),
        shares=shares,
        value=format_value(metric, total / len(shares) if metric == "mrr" else total),
    )
