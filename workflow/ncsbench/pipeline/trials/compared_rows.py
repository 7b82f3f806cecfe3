"""Two rows of a dataset that was run, found by their names and compared."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.configuration.strict_model import read_settings
from ncsbench.base.files.csv_tables import Row
from ncsbench.base.text.safe_text import show_line
from ncsbench.errors import ConfigurationError, DataError, nearest
from ncsbench.evaluation.measures.results import TITLES, show_value
from ncsbench.evaluation.measures.row_differences import TableRow, compare_rows, read_first_ranks
from ncsbench.evaluation.statistics.evaluation_options import EvaluationOptions
from ncsbench.evaluation.statistics.text_formats import WIDTH, TextTable, format_table
from ncsbench.pipeline.files.dataset_file import find_dataset_file
from ncsbench.pipeline.files.run_options import WHERE, RunOptions
from ncsbench.pipeline.trials.trials import TRIALS
from ncsbench.studies.ncsed.table_settings import TableSettings

_FILE = "per_question.parquet"
_CONFIG = Path("config/config.yaml")
_DIGITS = 4  # of an MRR
_WHOLE = ("wins", "ties", "losses")
_FIGURES = ("value", "baseline_value", "difference", "difference_low", "difference_high", "p")


@dataclass(frozen=True)
class ComparedRows:
    """Two rows of a dataset.

    Attributes:
        dataset: name of the dataset.
        model: the row that is looked at.
        baseline: the row that it is compared with.
        rows: rows of ``SIGNIFICANCE_COLUMNS``, by judge, the default judge first, and measure.
        one_table: whether both are rows of one table, and so have one pool of right methods.
    """

    dataset: str
    model: str
    baseline: str
    rows: Sequence[Row]
    one_table: bool = True

    def as_json(self) -> dict[str, Any]:
        """Return the figures that ``format`` shows, for machines."""
        return {
            "dataset": self.dataset,
            "model": self.model,
            "baseline": self.baseline,
            "questions": int(self.rows[0]["questions"]),
            "comparisons": [
                {
                    "judge": row["judge"],
                    "threshold": float(row["threshold"]),
                    "measure": row["measure"],
                    **{name: float(row[name]) for name in _FIGURES},
                    "p_exact": row["p_exact"] == "yes",
                    **{name: int(row[name]) for name in _WHOLE},
                }
                for row in self.rows
            ],
        }

    def format(self) -> str:
        """Write a title, and a table for each judge."""
        title = (
            f"{self.model} against {self.baseline} on {self.dataset}, {self.rows[0]['questions']} "
            "questions: difference with its 95 % interval, p of a paired randomisation test, and "
            "on how many questions it wins, ties and loses (docs/statistics.md)."
        )
        if not self.one_table:
            title += (
                " They are rows of two tables, each with its own pool of right methods, so that "
                "nDCG, R and AP are left out: name both in models of one trial."
            )
        tables = [
            _make_table(judge, list(rows), self.model, self.baseline)
            for judge, rows in groupby(self.rows, key=itemgetter("judge", "threshold"))
        ]
        return "\n\n".join([textwrap.fill(show_line(title), WIDTH), *map(format_table, tables)])


def compare_named_rows(
    model: str, baseline: str, *, dataset: str | None = None, trial: str | None = None
) -> ComparedRows:
    """Compare two rows of the tables in ``results/``.

    A row that a trial does not have is taken from the dataset's table.

    Args:
        model: the row that is looked at.
        baseline: the row that it is compared with.
        dataset: name or file of the dataset; None for the one of ``config/config.yaml``.
        trial: the trial that has the table; None for the table of the dataset.

    Raises:
        ConfigurationError: for an unknown dataset, trial or row.
        DataError: where there is no table yet, or the rows are of other questions or corpora.
    """
    if model == baseline:
        raise ConfigurationError(f"{model}: is compared with itself; name another row")
    options = RunOptions.parse({**read_yaml(_CONFIG), "trial": trial}, where=WHERE)
    asked = dataset or options.dataset
    name = str(read_yaml(find_dataset_file(asked, Path())).get("name"))
    config = f"dataset={asked}" + (f" trial={trial}" if trial else "")
    tables = _find_tables(name, trial, config)
    rows = [_find_row(row, tables, name) for row in (model, baseline)]
    # A trial has the seed and depth of the dataset's tables.
    used = Path("data", name, "settings", *((TRIALS, trial) if trial else ()), "table.json")
    evaluation: EvaluationOptions = options
    if used.exists():
        evaluation = read_settings(used, TableSettings)
    found = compare_rows(*rows, dataset=name, options=evaluation)
    return ComparedRows(name, model, baseline, found, rows[0].table == rows[1].table)


def _find_tables(dataset: str, trial: str | None, config: str) -> list[Path]:
    """Find the table that is asked for; for a trial, the table of its dataset follows."""
    results = Path("results", dataset)
    own = results / _FILE
    if trial is None:
        if not own.exists():
            raise DataError(
                f"{own}: is not there; make it: snakemake --cores all {results}/table1.csv "
                f"--config {config}"
            )
        return [own]
    if not (results / TRIALS / trial / _FILE).exists():
        known = [path.parent.name for path in _list_trials(results)]
        raise DataError(
            f"{results / TRIALS / trial}: has no tables ({nearest(trial, known)}); make them: "
            f"snakemake --cores all trial --config {config} 'models=[...]'"
        )
    return [results / TRIALS / trial / _FILE, *([own] if own.exists() else [])]


def _list_trials(results: Path) -> list[Path]:
    return sorted((results / TRIALS).glob(f"*/{_FILE}"))


def _find_row(name: str, tables: Sequence[Path], dataset: str) -> TableRow:
    for table in tables:
        if name in _list_rows(table):
            return TableRow(table, name)
    known = [row for table in tables for row in _list_rows(table)]
    others = [path for path in _list_trials(Path("results", dataset)) if path not in tables]
    for path in others:
        if name in _list_rows(path):
            raise ConfigurationError(
                f"{tables[0]}: has no row {name!r}, but the trial {path.parent.name} has: add "
                f"--trial {path.parent.name}"
            )
    raise ConfigurationError(
        f"{tables[0]}: has no row {name!r}; {nearest(name, list(dict.fromkeys(known)))}"
    )


def _list_rows(table: Path) -> list[str]:
    return list(dict.fromkeys(name for _, name in read_first_ranks(table)[1]))


def _make_table(
    judge: tuple[str, str], rows: Sequence[Row], model: str, baseline: str
) -> TextTable:
    header = ("measure", model, baseline, "difference", "95 % interval", "p", *_WHOLE)
    cells = []
    for row in rows:
        measure = row["measure"]
        title = TITLES.get(measure, measure)
        values = (show_value(measure, row[one], digits=_DIGITS) for one in _FIGURES[:2])
        difference, low, high = (
            show_value(measure, row[one], digits=_DIGITS, signed=True) for one in _FIGURES[2:5]
        )
        tested = (row["p"], *(row[name] for name in _WHOLE))
        cells.append((title, *values, difference, f"{low} to {high}", *tested))
    return TextTable(" > ".join(judge), header, "lrrrrrrrr", tuple(cells))
