"""One row or number of a table that a user names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ncsbench.artifacts.csv_tables import Row, read_headed_rows
from ncsbench.artifacts.renamed_columns import rename_column
from ncsbench.artifacts.storage import read_table
from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import DataError
from ncsbench.evaluation.metrics import METRICS
from ncsbench.evaluation.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.results import CEILING, format_value
from ncsbench.provenance.lineage import Job, Lineage, settings_of

_MATCHES = "matches"


@dataclass(frozen=True)
class Selection:
    """What of a table is asked for.

    Attributes:
        row, column: names; None for all.
        rows: the rows of this name; none where no row was asked for.
    """

    row: str | None = None
    column: str | None = None
    rows: tuple[Row, ...] = ()

    @property
    def values(self) -> list[str]:
        """The cells of the column in these rows."""
        return [] if self.column is None else [row[self.column] for row in self.rows]


def select_cells(table: Path, row: str | None, column: str | None) -> Selection:
    """The rows of a CSV table whose ``model`` (else: first column but ``dataset``) is ``row``.

    Args:
        table: the file.
        row: None for the whole table.
        column: that is asked for, None for all.

    Raises:
        DataError: where the table has no rows to name, or no such row or column.
    """
    if row is None:
        return Selection()
    if table.suffix != ".csv":
        raise DataError(f"{table}: only rows of a .csv file have names; leave out {row!r}")
    header, rows = read_headed_rows(table)
    key = min(header, key=lambda name: (name != "model", name == "dataset"))
    found = tuple(one for one in rows if one[key] == row)
    if not found:
        known = list(dict.fromkeys(one[key] for one in rows))
        raise DataError(f"{table}: no row {row!r}; {nearest(row, known, page=str(table))}")
    column = None if column is None else rename_column(table, column, header)
    if column is not None and column not in header:
        raise DataError(f"{table}: no column {column!r}; {nearest(column, header)}")
    return Selection(row, column, found)


def read_dataset(table: Path) -> str:
    """The dataset that a CSV table is of, from its column ``dataset``; empty where it has none."""
    rows = read_headed_rows(table)[1] if table.suffix == ".csv" else []
    return rows[0].get("dataset", "") if rows else ""


def choose_inputs(lineage: Lineage, job: Job, model: str) -> tuple[str, ...]:
    """Inputs of the job that made Table 1 which a row of it depends on; sorted.

    Of what lies in ``runs/`` and ``judgements/`` the files of the row's model, its replicates and
    its ablations are kept, of ``trainings/`` its own, the best matches of the corpus for the
    ceiling alone; all that is not named here. Intervals over repositories are of another table.
    """
    settings = settings_of(job, lineage.artifacts).values()
    wanted, weights = {model}, set[str]()
    for ablation in _read_list(settings, "ablations"):
        if ablation.get("model") == model:
            wanted.update(_read_names(ablation, "whole"), _read_names(ablation, "half"))
    for own in _read_list(settings, "models"):
        if own.get("name") == model:
            wanted.update(_read_names(own, "replicates"))
            weights.add(str(own.get("weights")))

    def is_wanted(path: str) -> bool:
        place = PurePosixPath(path)
        if place.parent.name in ("runs", "judgements"):
            return PurePosixPath(place.name.removesuffix(".gz")).stem in wanted
        if place.parent.name == "trainings":
            return place.name in weights
        if place.parent.name == "repository_intervals":
            return False
        return place.stem != _MATCHES or model == CEILING

    return tuple(path for path in job.inputs if is_wanted(path))


def _read_names(values: Mapping[str, Any], key: str) -> list[str]:
    found = values.get(key)
    return [str(one) for one in found] if isinstance(found, list) else []


def _read_list(settings: Iterable[Any], key: str) -> list[Mapping[str, Any]]:
    """A list of mappings among the settings of a job; empty where it has none."""
    for content in settings:
        value = content.get(key) if isinstance(content, dict) else None
        if isinstance(value, list) and all(isinstance(one, dict) for one in value):
            return value
    return []


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
