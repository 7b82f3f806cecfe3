"""Files that the rules of a cleaning experiment read and write, and its settings files.

An experiment is read only where one of its files or rules is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import get_args

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.pairs.cleaned_pairs.cleaning_options import BenchmarkOptions, RawSource
from ncsbench.pairs.cleaned_pairs.stage_settings import (
    DistractorSettings,
    PositivesSettings,
    QueryModelSettings,
    RawPairSettings,
    TitleSettings,
)
from ncsbench.pipeline.runs.cleaning_cells import CleaningCells, paths_of
from ncsbench.pipeline.runs.named_run import fill
from ncsbench.studies.icse_2022.cell_settings import FilterTableSettings
from ncsbench.studies.icse_2022.table_settings import MainTable, TableSettings

_SHOWN_SETS = {"figure1": "filtered", "table4": "filtered", "table6": "larger_filtered"}
"""Names of the sets that figures and tables of the filter's effect describe, by figure or table."""
_SHOWN = (*(f"table{number}.csv" for number in range(2, 9)), "figure1.csv")


@dataclass(frozen=True)
class CleaningRun(CleaningCells):
    """A cleaning experiment, by name."""

    @property
    def raw_inputs(self) -> dict[str, str]:
        """Paths of the raw inputs that are read, by name."""
        return {
            **({"titles": self.file.titles} if self.has_model else {}),
            **{f"questions-{number}": path for number, path in enumerate(self.questions)},
            **{
                f"{name}-{key}": path
                for name, options in self.benchmarks.items()
                for key, path in paths_of(options).items()
            },
        }

    @property
    def targets(self) -> list[str]:
        """Results of the experiment; asking for these files makes all others, too."""
        return [f"results/{self.name}/{file}" for file in _SHOWN]

    @property
    def corpora_of(self) -> list[str]:
        """Names of the runs of CodeSearchNet whose corpora of Java the experiment reads, sorted."""
        blocks = (*self.file.sources.values(), *self.benchmarks.values())
        return sorted({block.corpus for block in blocks})

    @property
    def notices(self) -> list[str]:
        """Lines for the user about benchmarks and sets that cannot be made and absent questions."""
        lines = [
            f"{self.name}: {what} {name} is left out: {why}"
            for what, names in (("benchmark", self.file.benchmarks), ("set", self.file.sets))
            for name, why in self.left_out.items()
            if name in names
        ]
        return lines + [
            f"{self.name}: warning: there is no {path}; pairs may hold its questions"
            for path in self.file.questions
            if not self.is_at_hand(path)
        ]

    def names_of(self, benchmark: str) -> list[str]:
        """List the names of the raw inputs of a benchmark."""
        return [f"{benchmark}-{key}" for key in paths_of(self.benchmarks[benchmark])]

    def find_java(self, block: RawSource | BenchmarkOptions, kind: str = "corpus") -> str:
        """Return the folder of a source's or benchmark's Java: ``corpus`` or ``extracted``."""
        return f"data/{block.corpus}/{kind}/java"

    def list_java(self, block: RawSource | BenchmarkOptions) -> list[str]:
        """List the files of the corpus of Java of a source or benchmark."""
        folder, files = self.find_java(block), ("functions", "ledger")
        return [*(f"{folder}/{file}.parquet" for file in files), f"{folder}/manifest.json"]

    def list_benchmarks(self, *files: str) -> list[str]:
        """List the Parquet files of these names of every benchmark; without names, the folders."""
        folders = [f"data/{self.name}/benchmarks/{name}" for name in self.benchmarks]
        if not files:
            return folders
        return [f"{folder}/{file}.parquet" for folder in folders for file in files]

    def list_guard(self) -> list[str]:
        """List inputs whose contents no training may see: benchmarks, and states of questions."""
        questions = [f"questions-{number}" for number in range(len(self.questions))]
        return [*self.list_benchmarks("positives", "queries"), *self.list_states(*questions)]

    def list_raw(self, *sources: str) -> list[str]:
        """List the files of raw pairs of some sources; without names, of all sources."""
        return [f"data/{self.name}/raw/{one}.parquet" for one in sources or self.file.sources]

    def list_sets(self, *names: str | None) -> list[str]:
        """List the files of training sets; None or an empty name gives no file."""
        return [f"data/{self.name}/sets/{name}.parquet" for name in names if name]

    def list_losses(self, training_set: str, ending: str) -> list[str]:
        """List the file with ``ending`` of the losses that a set is cut by; empty without a cut."""
        self.check_name(training_set, self.file.draws, "set")
        one = self.sets[training_set]
        return [] if one.options.cut is None else [self._find_result("losses", one.source, ending)]

    def files_of_set(self, training_set: str) -> dict[str, list[str]]:
        """Return the inputs of a training set: its source of pairs, losses, a set of its size."""
        losses, one = self.list_losses(training_set, ".parquet"), self.sets[training_set]
        return {
            "pairs": self.list_sets(one.options.of) or self.list_raw(one.source),
            "losses": losses,
            "size_of": self.list_sets(one.options.size_of),
        }

    def files_of_cell(self, cell: str) -> dict[str, list[str]]:
        """Return the inputs of a cell: its set, raw pairs for the words, the set for its steps."""
        self.check_name(cell, self.grid, "cell in its grid")
        one = self.cells[cell]
        shared = one.vocabulary == "raw"
        return {
            "pairs": self.list_sets(one.set),
            "vocabulary_pairs": self.list_raw(self.sets[one.set].source) if shared else [],
            "steps_of": self.list_sets(one.steps_of),
        }

    def files_of_filter(self, table: str) -> dict[str, list[str]]:
        """Return the inputs of a table about the filter: raw pairs, and pairs that it keeps.

        Where the set of ``_SHOWN_SETS`` is not made, raw pairs are of the first source. A set of
        this name that was not filtered by rules is not an input, since rules cannot be counted.
        """
        name = _SHOWN_SETS[table]
        one = self.sets.get(name)
        by_rules = one and one.options.kind == "filtered" and one.options.rules == "applied"
        return {
            "raw": self.list_raw(one.source if one else next(iter(self.file.sources))),
            "kept": self.list_sets(name) if by_rules else [],
        }

    def list_results(self, table: MainTable) -> list[str]:
        """List ranks and records of the cells that a table shows, and records of their sets."""
        cells = self.cells_of(table)
        sets = dict.fromkeys(self.grid[cell].set for cell in cells)
        return [
            *(self._find_result("ranks", cell, ".parquet") for cell in cells),
            *(self._find_result("cells", cell, ".json") for cell in cells),
            *(self._find_result("sets", name, ".json") for name in sets),
        ]

    def cells_of(self, table: MainTable) -> list[str]:
        """List the cells that a table shows: cells that can be made, and cells that are kept."""
        settings = self._describe_table(table, ())
        shown = {row.training_set for row in settings.rows}
        return [
            name
            for name, cell in self.grid.items()
            if self.set_of_draw[cell.set] in shown
            and (cell.set in self.sets or name not in settings.outdated)
        ]

    def list_settings(self, library: Path) -> dict[str, StrictModel]:
        """Return the settings of every stage, by name."""
        file = self.file
        stages: dict[str, StrictModel] = {
            "comment_model": fill(QueryModelSettings, file),
            "filter_tables": fill(FilterTableSettings, file),
            **{f"losses/{name}": one for name, one in self.losses.items()},
            **{f"sets/{name}": one for name, one in self.sets.items()},
            **{f"cells/{name}": one for name, one in self.cells.items()},
            **{
                table: self._describe_table(table, tuple(self.benchmarks))
                for table in get_args(MainTable)
            },
        }
        if self.has_model:
            stages["titles"] = TitleSettings(titles=Path(file.titles))
        for name, options in self.benchmarks.items():
            stages[f"positives/{name}"] = PositivesSettings(name=name, benchmark=options)
            stages[f"distractors/{name}"] = fill(
                DistractorSettings, file, name=name, count=file.distractors
            )
        for name, source in file.sources.items():
            stages[f"raw/{name}"] = fill(RawPairSettings, source, file, source=name)
        return stages

    def _describe_table(self, table: MainTable, benchmarks: tuple[str, ...]) -> TableSettings:
        asked = {cell.set for cell in self.grid.values()}
        drawn = {
            name: tuple(draw for draw in self.file.draws_of(name) if draw in asked)
            for name in self.file.sets
        }
        return fill(
            TableSettings,
            self.file,
            table=table,
            models=tuple(self.file.models),
            benchmarks=benchmarks,
            sets={name: draws for name, draws in drawn.items() if draws},
            grid=tuple(self.grid),
            outdated=tuple(
                name
                for name, cell in self.grid.items()
                if cell.set not in self.sets and self.is_outdated(name)
            ),
            left_out=self.left_out,
        )

    @cached_property
    def _unfinished(self) -> dict[str, list[str]]:
        """Names of results that are to be made, by kind; others are committed in ``results``."""
        ranked = self.list_unfinished()
        unmade = {"losses": self.list_unscored(), "sets": self.list_unrecorded()}
        return {**unmade, "ranks": ranked, "cells": ranked}

    def _find_result(self, kind: str, name: str, ending: str) -> str:
        """Return the path of a result: the committed file, else the file that a rule makes."""
        if name not in self._unfinished[kind]:
            return f"results/{self.name}/{kind}/{name}{ending}"
        return f"data/{self.name}/{'' if kind == 'sets' else 'results/'}{kind}/{name}{ending}"
