"""Training sets, cells and tables of a cleaning experiment, and which are finished."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from ncsbench.cleaning.cell_options import CellSettings, change_options
from ncsbench.cleaning.table_settings import MainTable, TableSettings
from ncsbench.cleaning.training_sets import SetSettings
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.cleaning_file import CleaningFile
from ncsbench.experiment.model_files import load_model
from ncsbench.experiment.run_options import RunOptions

MAIN_TABLES: tuple[MainTable, ...] = get_args(MainTable)

FILTERED, LARGER = "filtered", "larger_filtered"
"""Names of the sets that tables of what the filter does are about."""


@dataclass(frozen=True)
class CleaningCells:
    """What a file makes of its sources.

    Attributes:
        name: of the experiment.
        file: its file.
        where: the file, as messages name it.
        root: folder of the Snakefile.
        absent: why sets and benchmarks cannot be made for want of their own inputs, by name.
    """

    name: str
    file: CleaningFile
    where: Path
    root: Path
    absent: Mapping[str, str]

    @cached_property
    def left_out(self) -> dict[str, str]:
        """Why sets and benchmarks cannot be made, also for want of another set, by name."""
        found = dict(self.absent)
        of_draw = {draw: name for name in self.file.sets for draw in self.file.draws_of(name)}
        while True:
            more = {
                name: f"it needs the set {other}"
                for name, options in self.file.sets.items()
                for other in (options.size_of, options.of, options.steps_of)
                if name not in found and of_draw.get(other) in found
            }
            if not more:
                return found
            found |= more

    @cached_property
    def sets(self) -> dict[str, SetSettings]:
        """Training sets that can be made, by the name of their files."""
        file = self.file
        return {
            draw: SetSettings(
                name=draw,
                source=file.source_of(draw),
                options=file.sets[name],
                draw=number,
                rules=file.rules,
                seed=file.seed,
                raw=file.sources[file.source_of(draw)],
                model=None if file.sets[name].cut is None else file.model,
            )
            for name in file.sets
            if name not in self.left_out
            for number, draw in enumerate(file.draws_of(name), 1)
        }

    @cached_property
    def cells(self) -> dict[str, CellSettings]:
        """Cells of the grid that can be made, by name, in its order.

        Raises:
            ConfigurationError: for a model or an option that there is not, or where no cell is
                left.
        """
        found = {}
        for name, model, seed in self.file.iterate_cells():
            if name in self.sets:
                cell = self._make_cell(name, model, seed)
                found[cell.name] = cell
        if not found:
            raise ConfigurationError(
                f"{self.where}: grid: no cell can be made; {_list_reasons(self.left_out)}"
            )
        return found

    def list_unfinished(self) -> list[str]:
        """Cells whose ranks are to be made: all, or those that are not there as configured.

        A cell whose set is configured otherwise is no longer that of its record.
        """
        if self.file.finished == "made_again":
            return list(self.cells)
        folder, unrecorded = Path("results", self.name), self.list_unrecorded()
        return [
            name
            for name, cell in self.cells.items()
            if {cell.set, cell.steps_of} & {*unrecorded}
            or not _is_made_with(folder / "cells" / f"{name}.json", cell)
            or not (folder / "ranks" / f"{name}.parquet").exists()
        ]

    def list_unrecorded(self) -> list[str]:
        """Training sets whose record is to be made, likewise: also those made of such a set."""
        if self.file.finished == "made_again":
            return list(self.sets)
        folder = Path("results", self.name, "sets")
        found = {
            name
            for name, settings in self.sets.items()
            if not _is_made_with(folder / f"{name}.json", settings)
        }
        count = -1
        while count < len(found):
            count = len(found)
            found |= {
                name
                for name, one in self.sets.items()
                if {one.options.size_of, one.options.of} & found
            }
        return [name for name in self.sets if name in found]

    def pairs_of(self, training_set: str) -> str:
        """The file, below the folder of the experiment, that a set is taken of."""
        settings = self.sets[training_set]
        other = settings.options.of
        return f"sets/{other}.parquet" if other else f"raw/{settings.source}.parquet"

    def find_filtered(self, *, larger: bool) -> list[str]:
        """The set that the whole filter keeps, of the first or of the larger source, if made.

        Another one of its name, of what no rule was asked about, is not counted by rules.
        """
        name = LARGER if larger else FILTERED
        options = self.sets[name].options if name in self.sets else None
        by_rules = options and options.kind == "filtered" and options.rules == "applied"
        return [name] if by_rules else []

    def find_source(self, *, larger: bool) -> str:
        """The source of the set of that name; the first one where there is none."""
        named = self.sets.get(LARGER if larger else FILTERED)
        return named.source if named else next(iter(self.file.sources))

    def cells_of(self, table: str) -> list[str]:
        """Cells that a table shows."""
        shown = {row.training_set for row in self._describe_table(table, []).rows}
        known = shown & self.file.sets.keys()
        files = {draw for name in known for draw in self.file.draws_of(name)}
        return [name for name, cell in self.cells.items() if cell.set in files]

    def sets_of(self, cells: list[str]) -> list[str]:
        """Training sets of some cells, each once."""
        return list(dict.fromkeys(self.cells[cell].set for cell in cells))

    def describe(self, benchmarks: list[str]) -> dict[str, Any]:
        """Content of the settings files of sets, cells and tables, by path.

        Args:
            benchmarks: names of those that can be made.
        """
        settings: dict[str, StrictModel] = {
            **{f"sets/{name}": one for name, one in self.sets.items()},
            **{f"cells/{name}": one for name, one in self.cells.items()},
            **{table: self._describe_table(table, benchmarks) for table in MAIN_TABLES},
        }
        return {key: one.as_json() for key, one in settings.items()}

    def _describe_table(self, table: str, benchmarks: list[str]) -> TableSettings:
        made = {cell.set for cell in self.cells.values()}
        drawn = {name: self.file.draws_of(name) for name in self.file.sets}
        values = {
            "table": table,
            "models": list(self.file.models),
            "benchmarks": benchmarks,
            "sets": {
                name: [draw for draw in draws if draw in made]
                for name, draws in drawn.items()
                if made & set(draws)
            },
            "seeds": list(self.file.seeds),
            "left_out": self.left_out,
            "primary": self.file.primary and self.file.primary.as_json(),
            "seed": self.file.seed,
            "bootstrap_samples": self.file.bootstrap_samples,
        }
        return TableSettings.parse(values, where=str(self.where))

    @cached_property
    def _models(self) -> dict[str, FieldEncoderOptions | None]:
        """The blocks ``field_encoder`` of the model files, by the name that tables give them."""
        stop_words = str(RunOptions.model_fields["stop_words"].default)
        return {
            name: load_model(
                model, root=self.root, stop_words=stop_words, seed=self.file.seed
            ).field_encoder
            for name, model in self.file.models.items()
        }

    def _make_cell(self, training_set: str, model: str, seed: int) -> CellSettings:
        options, settings = self.file.draws[training_set], self.sets[training_set]
        where = f"{self.where}: models.{model}: {self.file.models[model]}"
        encoder = change_options(self._models[model], self.file.training, training_set, where=where)
        return CellSettings(
            set=training_set,
            model=model,
            field_encoder=encoder,
            seed=seed,
            draw=settings.draw if options.draws > 1 else None,
            vocabulary=self.file.vocabulary,
            steps_of=options.steps_of or None,
        )


def _is_made_with(path: Path, settings: StrictModel) -> bool:
    """Whether a record says that it was made with these settings."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, RecursionError, ValueError):
        return False
    now = json.loads(json.dumps(settings.as_json()))
    return isinstance(record, dict) and record.get("settings") == now


def _list_reasons(left_out: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {why}" for name, why in left_out.items())
