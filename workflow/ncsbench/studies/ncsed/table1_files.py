"""Table 1 in two files: ``table1.csv`` for people, ``table1_long.csv`` with every figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ncsbench.base.files.csv_tables import Row, read_rows, write_rows
from ncsbench.base.files.storage import copy_file
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.evaluation.measures.results import JUDGE_PREFIXES

COLUMNS = (
    *("dataset", "model", "trained_on", "judge", "threshold", "questions"),
    *(*METRICS, "mrr_low", "mrr_high"),
    *("strict_judge", "strict_threshold", *(f"strict_{metric}" for metric in METRICS)),
    *("charged_judge", "charged_threshold", *(f"charged_{metric}" for metric in METRICS)),
    *("median_lines", "training_pairs"),
    *("published_as", "published_questions", *(f"published_{metric}" for metric in METRICS)),
    *(f"verdict_{metric}" for metric in METRICS),
    *(f"verdict_alone_{metric}" for metric in METRICS),
)
"""Columns of ``table1.csv``, in order."""

LONG_COLUMNS = (
    *("dataset", "model", "judge", "threshold", "measure", "statistic"),
    *("value", "low", "high"),
)
"""Columns of ``table1_long.csv``, in order. Rows without a model describe the dataset; figures of
further measures follow the other figures of a model."""

LONG_FILE = "table1_long.csv"
"""Name of the long table, beside ``table1.csv``."""

PUBLISHED_REPOSITORIES = 24_549
"""Repositories of NCSED's released list, on which the published figures are based."""

TEST_STATISTICS = (
    *("margin", "smallest_margin", "smallest_margin_alone"),
    *("equivalence_p", "equivalence_p_holm", "difference_p", "difference_p_holm"),
)
"""Statistics of a difference from a published figure (``equivalence.FamilyTest``)."""

BOUNDS = {"value": "", "low": "_low", "high": "_high"}
"""Ends of the names of the columns of a figure and of its bounds."""


class Figure(NamedTuple):
    """The place of a figure of a row: a column of the row, and a line of the long table.

    Attributes:
        column: column of the row.
        judge: prefix of the columns of its judge; None where the figure has no judge.
        measure: measure in the long table.
        statistic: statistic in the long table.
        bound: one of ``BOUNDS``.
    """

    column: str
    judge: str | None
    measure: str
    statistic: str
    bound: str = "value"


def _place_figures() -> Iterator[Figure]:
    for column in ("questions", "seeds", "median_lines", "training_pairs"):
        yield Figure(column, None, column, "value")
    yield Figure("published_questions", None, "questions", "published")
    for metric in METRICS:
        for prefix in JUDGE_PREFIXES.values():
            name = f"{prefix}{metric}"
            for bound, ending in BOUNDS.items():
                yield Figure(f"{name}{ending}", prefix, metric, "value", bound)
                column = f"{name}_repositories{ending}"
                yield Figure(column, prefix, metric, "repositories", bound)
            for figure in ("mean", "sd"):
                yield Figure(f"{name}_{figure}", prefix, metric, f"seeds_{figure}")
        for statistic in ("published", "printed"):
            yield Figure(f"{statistic}_{metric}", None, metric, statistic)
        for bound, ending in BOUNDS.items():
            yield Figure(f"difference_{metric}{ending}", "", metric, "difference", bound)
        for statistic in TEST_STATISTICS:
            yield Figure(f"{statistic}_{metric}", "", metric, statistic)


FIGURES = tuple(_place_figures())
"""All figures of a row, in the order of the long table."""
PUBLISHED_COLUMNS = (
    "published_as",
    *(column for column in COLUMNS if column.startswith("verdict_")),
    *(
        one.column
        for one in FIGURES
        if one.statistic in ("published", "printed", "difference", *TEST_STATISTICS)
    ),
)
"""Cells that are empty where no published figure is beside a row."""
SEED_COLUMNS = tuple(
    one.column for one in FIGURES if one.column == "seeds" or one.statistic.startswith("seeds_")
)
REPOSITORY_FIGURES = tuple(one.column for one in FIGURES if one.statistic == "repositories")
"""Cells that repeat figures, with intervals over repositories; empty without such intervals."""
CELLS = tuple(dict.fromkeys((*COLUMNS, *(one.column for one in FIGURES))))
"""Cells of a row, all of them text; a cell is empty where the row has no such figure."""

_SIZES = ("methods", "repositories", "questions", "answers_read")
_LEFT_OUT = "left_out"  # written only where methods are left out
_OF_PAPER = ("repositories", "published")
_Key = tuple[str, str, str, str, str]
"""Model, judge, threshold, measure and statistic."""


@dataclass(frozen=True)
class DatasetSize:
    """Numbers of methods, repositories and questions that Table 1 is computed from.

    Attributes:
        methods: methods of the corpus.
        repositories: repositories that the methods are from.
        questions: questions that are evaluated.
        answers_read: number of answers that can be read as Java; no method can be accepted for the
            questions of the other answers.
        left_out: methods that are not in the corpus, since another method equals them.
        of_ncsed: True if all questions are of NCSED, by its score sheet; then the number of
            repositories of its paper is named.
    """

    methods: int
    repositories: int
    questions: int
    answers_read: int
    left_out: int = 0
    of_ncsed: bool = True


def write_table1(
    folder: Path, rows: Sequence[Row], size: DatasetSize, measures: Sequence[Row] = ()
) -> None:
    """Write the rows of ``table1.build_table1`` into both files, each atomically.

    ``measures`` are rows of ``rank_figures.MEASURE_COLUMNS`` for the long table.
    """
    narrow = [{column: row[column] for column in COLUMNS} for row in rows]
    write_rows(folder / LONG_FILE, LONG_COLUMNS, _list_figures(rows, size, measures))
    write_rows(folder / "table1.csv", COLUMNS, narrow)


def publish_tables(tables: Sequence[Path], output: Path) -> None:
    """Copy the tables of the configured dataset to the folder where readers look first.

    Args:
        tables: the tables.
        output: folder to copy them into.
    """
    for table in tables:
        copy_file(table, output / table.name)


def read_table1(path: Path) -> tuple[list[Row], DatasetSize]:
    """Read the rows of a ``table1.csv``, with all figures of the ``table1_long.csv`` beside it.

    Raises:
        DataError: where a file is no such table, or the table has no row.
    """
    narrow = read_rows(path, COLUMNS)
    if not narrow:
        raise DataError(f"{path}: has no row; make it again")
    beside = path.with_name(LONG_FILE)
    figures: dict[_Key, Row] = {}
    for row in read_rows(beside, LONG_COLUMNS):
        figures[tuple(row[name] for name in LONG_COLUMNS[1:6])] = row  # type: ignore[index]
    try:
        counts = {size: int(figures["", "", "", size, "value"]["value"]) for size in _SIZES}
        if found := figures.get(("", "", "", _LEFT_OUT, "value")):
            counts[_LEFT_OUT] = int(found["value"])
    except (KeyError, ValueError) as error:
        raise DataError(f"{beside}: has no {error} of the dataset; make it again") from error
    rows = []
    for row in narrow:
        more = {
            one.column: figures.get(_find_key(row, one), {}).get(one.bound, "") for one in FIGURES
        }
        rows.append({**more, **row})
    of_ncsed = ("", "", "", *_OF_PAPER) in figures
    return rows, DatasetSize(**counts, of_ncsed=of_ncsed)


def describe_size(dataset: str, size: DatasetSize) -> str:
    """Say in one line what a Table 1 is computed from."""
    distinct = f" without copies ({size.left_out:,} left out)" if size.left_out else ""
    of_paper = f" (of {PUBLISHED_REPOSITORIES:,} in the paper)" if size.of_ncsed else ""
    return (
        f"{dataset}: {_count(size.methods, 'method', 'methods')}{distinct} of "
        f"{_count(size.repositories, 'repository', 'repositories')}{of_paper}, "
        f"{_count(size.questions, 'question', 'questions')}"
    )


def _count(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def _list_figures(rows: Sequence[Row], size: DatasetSize, measures: Sequence[Row]) -> list[Row]:
    dataset = rows[0]["dataset"]
    empty = {**dict.fromkeys(LONG_COLUMNS, ""), "dataset": dataset}
    listed = [
        {**empty, "measure": name, "statistic": "value", "value": str(getattr(size, name))}
        for name in (*_SIZES, _LEFT_OUT)
        if name in _SIZES or size.left_out
    ]
    if size.of_ncsed:
        of_paper = dict(zip(("measure", "statistic"), _OF_PAPER, strict=True))
        listed.append({**empty, **of_paper, "value": str(PUBLISHED_REPOSITORIES)})
    for row in rows:
        figures: dict[_Key, Row] = {}
        for figure in FIGURES:
            if row[figure.column]:
                key = _find_key(row, figure)
                named = dict(zip(LONG_COLUMNS[1:6], key, strict=True))
                figures.setdefault(key, {**empty, **named})[figure.bound] = row[figure.column]
        listed += figures.values()
        further = [one for one in measures if one["model"] == row["model"]]
        listed += [{**empty, "statistic": "value", **one} for one in further]
    return listed


def _find_key(row: Row, figure: Figure) -> _Key:
    """Return the key of a row's figure in the long table."""
    judge = figure.judge
    by = ("", "") if judge is None else (row[f"{judge}judge"], row[f"{judge}threshold"])
    return (row["model"], *by, figure.measure, figure.statistic)
