"""Settings and published rows of Tables 2, 3, 5 and 8 of the study of cleaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from ncsbench.base.configuration.strict_model import Distinct, Names, StrictModel
from ncsbench.pairs.cleaned_pairs.cleaning_options import PrimaryHypothesis, name_cell

MainTable = Literal["table2", "table3", "table5", "table8"]


class TableRow(NamedTuple):
    """A training set that a table shows, on every benchmark and with every model.

    Attributes:
        training_set: name of the set in the run.
        published_as: name of the set in the printed table; empty where the row is not printed.
        baseline: the training set that this set is compared with; empty without a comparison.
    """

    training_set: str
    published_as: str = ""
    baseline: str = ""


PUBLISHED_ROWS: Mapping[MainTable, tuple[TableRow, ...]] = {
    "table2": (
        TableRow("raw", "all", "controlled"),
        TableRow("controlled", "controlled"),
        TableRow("filtered", "filtered", "controlled"),
    ),
    "table3": (
        TableRow("raw", "all"),
        TableRow("filtered", "filtered", "raw"),
        TableRow("rule_only", "rule filter only", "filtered"),
        TableRow("model_only", "model filter only", "filtered"),
    ),
    "table5": (
        TableRow("percentile_25", "25 %", "filtered"),
        TableRow("percentile_50", "50 %", "filtered"),
        TableRow("k_means", "KMeans", "filtered"),
        TableRow("filtered", "EM-GMM", "rule_only"),
        TableRow("percentile_75", "75 %", "filtered"),
        TableRow("rule_only", "100 %", "filtered"),
    ),
    "table8": (
        TableRow("raw", "CSN-t"),
        TableRow("larger_controlled", "COFIC controlled", "raw"),
        TableRow("larger_filtered", "COFIC", "larger_controlled"),
    ),
}
"""The rows of the printed tables by the names that training sets have in ``config/cleaning``."""

PUBLISHED_MODELS = {"deepcs": "DeepCS", "carlcs": "CARLCS"}
PUBLISHED_BENCHMARKS = {"codesearchnet": "CSN-v", "cosbench": "CB", "android": "NCSED"}
"""Names of benchmarks in the printed tables, by their names in ``config/cleaning``."""
_ORDER = {"table8": ("codesearchnet", "android", "cosbench")}


class TableSettings(StrictModel):
    """Settings of the stage ``cleaning_main_table``."""

    table: MainTable
    """The table to make."""
    models: Names
    """Models in the order of the table."""
    benchmarks: Names
    """Benchmarks of the run; the table has the printed benchmarks in the printed order."""
    sets: dict[str, Names]
    """Training sets of the run, with the names of the files of each: one, or one for each draw."""
    seeds: Annotated[tuple[int, ...], Distinct]
    """Seeds with which each model is trained on each set."""
    grid: Names | None = None
    """Names of the cells that are asked for; without them all sets with all models and seeds."""
    outdated: Names = ()
    """Names of asked cells that cannot be made, so that files of theirs have other settings."""
    left_out: dict[str, str] = Field(default_factory=dict)
    """Reasons why a training set, model or benchmark is left out, by its name."""
    primary: PrimaryHypothesis | None = None
    """The comparison that is tested alone, and the measure of all comparisons."""
    seed: int = Field(2022, ge=0)
    """Seed of the resamples."""
    bootstrap_samples: int = Field(1000, ge=100)
    """Resamples behind each 95 % interval."""

    def count_cells(self, training_set: str, model: str) -> int:
        """Count the trainings of a model on a training set that are asked for: seeds by draws."""
        draws = self.sets.get(training_set, ())
        names = {name_cell(draw, model, seed) for draw in draws for seed in self.seeds}
        return len(names if self.grid is None else names.intersection(self.grid))

    @property
    def compared_measure(self) -> str:
        """The measure by which training sets are compared."""
        return self.primary.measure if self.primary else "mrr_10"

    def is_primary(self, model: str, benchmark: str, better: str, than: str) -> bool:
        """Say whether the comparison of two training sets is the one that is tested alone."""
        primary = self.primary
        return primary is not None and (model, benchmark, better, than) == (
            primary.model, primary.benchmark, primary.better, primary.than,
        )  # fmt: skip

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """The rows of the table: the printed rows, and more rows in Table 2.

        Table 2 then has the training sets that are in no printed table, and the comparison of
        ``primary``, whatever its sets are.
        """
        rows = PUBLISHED_ROWS[self.table]
        if self.table != "table2":
            return rows
        found = {row.training_set: row for row in rows}
        known = {row.training_set for table in PUBLISHED_ROWS.values() for row in table}
        other = "filtered" if "filtered" in self.sets else ""
        found |= {name: TableRow(name, baseline=other) for name in self.sets if name not in known}
        if self.primary is not None:
            better, than = self.primary.better, self.primary.than
            for name in (better, than):
                found.setdefault(name, TableRow(name))
            found[better] = found[better]._replace(baseline=than)
        return tuple(found.values())

    @property
    def ordered_benchmarks(self) -> tuple[str, ...]:
        """Benchmarks in the order of the printed table, then other benchmarks.

        A printed benchmark that is left out is among them, too, without figures.
        """
        printed = _ORDER.get(self.table, tuple(PUBLISHED_BENCHMARKS))
        known = [name for name in printed if name in self.benchmarks or name in self.left_out]
        return (*known, *(name for name in self.benchmarks if name not in printed))
