"""How a figure of Table 1 follows from its questions, as ``per_question.parquet`` has them."""

from __future__ import annotations

import re
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row
from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.metrics import METRICS
from ncsbench.evaluation.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.results import format_value

FILE_NAME = "per_question.parquet"
_FIGURE = re.compile(rf"(strict_|charged_)?({'|'.join(METRICS)})")
_NAMES = {str(metric): metric for metric in METRICS}
_MOST_QUESTIONS = 100
"""Questions of one rank whose ids are shown; the rest is counted."""


def describe_cell(path: Path, row: Row, column: str) -> tuple[str, list[str]] | None:
    """A figure as its questions give it, and lines that compute it from their first ranks.

    Args:
        path: a table of ``PER_QUESTION_SCHEMA``.
        row: of Table 1.
        column: of Table 1.

    Returns:
        None where the column is no MRR or Answered@k, or no run is behind the row.

    Raises:
        DataError: where the table cannot be read.
    """
    found = _FIGURE.fullmatch(column)
    if not found:
        return None
    prefix, metric = found[1] or "", _NAMES[found[2]]
    judge, threshold = row.get(f"{prefix}judge"), row.get(f"{prefix}threshold")
    table = read_table(path, PER_QUESTION_SCHEMA).to_pandas()
    table = table[(table["model"] == row["model"]) & table["replicate"].isna()]
    table = table[(table["judge"] == judge) & (table["threshold"].astype(str) == threshold)]
    if table.empty:
        return None
    shares = table["reciprocal_rank" if metric == "mrr" else metric].astype(float)
    total, count = float(shares.sum()), len(table)
    lines = [f"judge: {judge} above {threshold}"]
    for rank, some in table[shares > 0].groupby("first_rank"):
        share = f", reciprocal rank {1 / rank:.6f}" if metric == "mrr" else ""
        lines.append(f"first rank {rank}{share}: {_count_questions(some['query_id'].tolist())}")
    lines.append(f"not counted: {_count_questions(table['query_id'][shares <= 0].tolist())}")
    if metric != "mrr":
        value = format_value(metric, total)
        return value, [*lines, f"counted: {value} of {count} questions"]
    mean = total / count
    lines.append(f"sum of reciprocal ranks / questions = {total!r} / {count} = {mean!r}")
    return format_value(metric, mean), lines


def _count_questions(ids: list[int]) -> str:
    if not ids:
        return "no question"
    plural = "s" if ids[1:] else ""
    shown = ", ".join(map(str, ids[:_MOST_QUESTIONS]))
    more = f" and {len(ids) - _MOST_QUESTIONS} more" if ids[_MOST_QUESTIONS:] else ""
    return f"{len(ids)} question{plural}, query id{plural} {shown}{more}"
