"""Training sets, cells and tables of a cleaning experiment, and which are finished."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from ncsbench.cleaning.cell_settings import CellSettings
from ncsbench.cleaning.stage_settings import LossSettings, SetSettings
from ncsbench.cleaning.table_settings import MainTable, TableSettings
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.cleaning_file import CleaningFile
from ncsbench.experiment.cleaning_options import name_cell
from ncsbench.experiment.model_files import load_model
from ncsbench.experiment.named_run import is_made_with, read_record
from ncsbench.experiment.run_options import RunOptions

MAIN_TABLES: tuple[MainTable, ...] = get_args(MainTable)

SHOWN_SETS = {"figure1": "filtered", "table4": "filtered", "table6": "larger_filtered"}
"""Names of the sets that figures and tables of what the filter does are about."""


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
        more = found
        while more:
            more = {
                name: f"it needs the set {other}"
                for name, options in self.file.sets.items()
                for other in (options.size_of, options.of, options.steps_of)
                if name not in found and self._set_of_draw.get(other) in found
            }
            found |= more
        return found

    @cached_property
    def sets(self) -> dict[str, SetSettings]:
        """Training sets that can be made, by the name of their files."""
        return {
            name: one
            for name, one in self._all_sets.items()
            if self._set_of_draw[name] not in self.left_out
        }

    @cached_property
    def cells(self) -> dict[str, CellSettings]:
        """Cells of the grid that can be made, by name, in its order.

        Raises:
            ConfigurationError: for a model or an option that there is not, or where no cell is
                left.
        """
        found = {name: cell for name, cell in self.grid.items() if cell.set in self.sets}
        if not found:
            why = "; ".join(f"{name}: {reason}" for name, reason in self.left_out.items())
            raise ConfigurationError(f"{self.where}: grid: no cell can be made; {why}")
        return found

    @cached_property
    def grid(self) -> dict[str, CellSettings]:
        """All cells that are asked for, likewise, also those that cannot be made."""
        return {name_cell(*asked): self._make_cell(*asked) for asked in self.file.iterate_cells()}

    def list_unfinished(self) -> list[str]:
        """Cells whose ranks are to be made.

        All, or those that are not there as configured, or have no ranks of a benchmark that is at
        hand. A cell whose set is configured otherwise is no longer that of its record.
        """
        if self.file.finished == "made_again":
            return list(self.cells)
        outdated = self._find_outdated()
        at_hand = {name for name in self.file.benchmarks if name not in self.absent}
        return [
            name
            for name in self.cells
            if name in outdated
            or at_hand - {*read_record(self._kept / f"cells/{name}.json").get("benchmarks", ())}
        ]

    def list_unrecorded(self) -> list[str]:
        """Training sets whose record is to be made, likewise: also those made of such a set."""
        if self.file.finished == "made_again":
            return list(self.sets)
        found = self._find_unrecorded()
        return [name for name in self.sets if name in found]

    def find_reason(self, name: str) -> str:
        """Why a training set or a cell of the grid cannot be made; empty where it can."""
        drawn = self.grid[name].set if name in self.grid else name
        return self.left_out.get(self._set_of_draw[drawn], "")

    def list_sets(self) -> list[str]:
        """List the files of all training sets."""
        return self._place_sets(*self.sets)

    def list_pairs(self, training_set: str) -> list[str]:
        """List what a set is taken of: raw pairs, or another set."""
        settings = self.sets[training_set]
        return self._place_sets(settings.options.of) or [self._place_raw(settings.source)]

    def list_size(self, training_set: str) -> list[str]:
        """List the set that has as many pairs as a controlled one."""
        return self._place_sets(self.sets[training_set].options.size_of)

    def list_losses(self, training_set: str, ending: str) -> list[str]:
        """List the losses that a set is cut by, or by another ending their record."""
        settings = self.sets[training_set]
        if settings.options.cut is None:
            return []
        return [self._find_result("losses", f"{settings.source}{ending}")]

    def find_set(self, cell: str) -> str:
        """The training set of a cell."""
        return self._place_sets(self.cells[cell].set)[0]

    def list_steps(self, cell: str) -> list[str]:
        """List the set whose number of steps a cell takes, if any."""
        return self._place_sets(self.cells[cell].steps_of)

    def list_vocabulary(self, cell: str) -> list[str]:
        """List the raw pairs whose words the sets of a cell's source share, if they do."""
        settings = self.cells[cell]
        shared = settings.vocabulary == "raw"
        return [self._place_raw(self.sets[settings.set].source)] if shared else []

    def list_filtered(self, table: str) -> list[str]:
        """List the set of ``SHOWN_SETS`` that the whole filter keeps, if it is made.

        Another one of its name, of what no rule was asked about, is not counted by rules.
        """
        name = SHOWN_SETS[table]
        options = self.sets[name].options if name in self.sets else None
        by_rules = options and options.kind == "filtered" and options.rules == "applied"
        return self._place_sets(name) if by_rules else []

    def find_raw(self, table: str) -> str:
        """The raw pairs of the set of ``SHOWN_SETS``; of the first source where it is not made."""
        named = self.sets.get(SHOWN_SETS[table])
        return self._place_raw(named.source if named else next(iter(self.file.sources)))

    def list_results(self, table: str) -> list[str]:
        """List ranks and records of the cells that a table shows, and records of their sets."""
        cells = self.cells_of(table)
        return [
            *(self._find_result("ranks", f"{cell}.parquet") for cell in cells),
            *(self._find_result("cells", f"{cell}.json") for cell in cells),
            *(self._find_result("sets", f"{name}.json") for name in self.sets_of(cells)),
        ]

    def cells_of(self, table: str) -> list[str]:
        """Cells that a table shows: that can be made, or that are kept."""
        settings = self._describe_table(table, [])
        shown = {row.training_set for row in settings.rows}
        return [
            name
            for name, cell in self.grid.items()
            if self._set_of_draw[cell.set] in shown
            and (cell.set in self.sets or name not in settings.outdated)
        ]

    def sets_of(self, cells: list[str]) -> list[str]:
        """Training sets of some cells, each once."""
        return list(dict.fromkeys(self.grid[cell].set for cell in cells))

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
        asked = {cell.set for cell in self.grid.values()}
        drawn = {name: self.file.draws_of(name) for name in self.file.sets}
        outdated = self._find_outdated()
        values = {
            "table": table,
            "models": list(self.file.models),
            "benchmarks": benchmarks,
            "sets": {
                name: [draw for draw in draws if draw in asked]
                for name, draws in drawn.items()
                if asked & set(draws)
            },
            "seeds": list(self.file.seeds),
            "grid": list(self.grid),
            "outdated": [
                name
                for name, cell in self.grid.items()
                if cell.set not in self.sets and name in outdated
            ],
            "left_out": self.left_out,
            "primary": self.file.primary and self.file.primary.as_json(),
            "seed": self.file.seed,
            "bootstrap_samples": self.file.bootstrap_samples,
        }
        return TableSettings.parse(values, where=str(self.where))

    @cached_property
    def _set_of_draw(self) -> dict[str, str]:
        """The set of the file, by the name of each of its draws."""
        return {draw: name for name in self.file.sets for draw in self.file.draws_of(name)}

    @cached_property
    def _all_sets(self) -> dict[str, SetSettings]:
        """``sets``, with those that cannot be made."""
        file = self.file
        return {
            draw: SetSettings(
                name=draw,
                source=file.source_of(draw),
                options=options,
                draw=number,
                rules=file.rules,
                seed=file.seed,
                raw=file.sources[file.source_of(draw)],
                model=None if options.cut is None else file.model,
            )
            for name, options in file.sets.items()
            for number, draw in enumerate(file.draws_of(name), 1)
        }

    @property
    def _kept(self) -> Path:
        return Path("results", self.name)

    def _place_raw(self, source: str) -> str:
        return f"data/{self.name}/raw/{source}.parquet"

    def _place_sets(self, *names: str | None) -> list[str]:
        return [f"data/{self.name}/sets/{name}.parquet" for name in names if name]

    @cached_property
    def _unfinished(self) -> dict[str, set[str]]:
        """By kind, the results that are made; others are committed in ``results``."""
        ranked = {*self.list_unfinished()}
        sets, losses = {*self.list_unrecorded()}, {*list_unscored(self.name, self.file)}
        return {"losses": losses, "sets": sets, "ranks": ranked, "cells": ranked}

    def _find_result(self, kind: str, file: str) -> str:
        """A file of the results: the committed one, else the one that a rule makes."""
        if Path(file).stem not in self._unfinished[kind]:
            return f"results/{self.name}/{kind}/{file}"
        return f"data/{self.name}/{'' if kind == 'sets' else 'results/'}{kind}/{file}"

    def _find_outdated(self) -> set[str]:
        """Cells of the grid that are not there as configured; all where none is kept."""
        if self.file.finished == "made_again":
            return {*self.grid}
        unrecorded = self._find_unrecorded()
        return {
            name
            for name, cell in self.grid.items()
            if {cell.set, cell.steps_of} & unrecorded
            or not is_made_with(
                read_record(self._kept / f"cells/{name}.json").get("settings"), cell
            )
            or not (self._kept / f"ranks/{name}.parquet").exists()
        }

    def _find_unrecorded(self) -> set[str]:
        """Sets whose record is not there as configured, and those made of them."""
        found = {
            name
            for name, settings in self._all_sets.items()
            if not is_made_with(
                read_record(self._kept / f"sets/{name}.json").get("settings"), settings
            )
        }
        count = -1
        while count < len(found):
            count = len(found)
            found |= {
                name
                for name, one in self._all_sets.items()
                if {one.options.size_of, one.options.of} & found
            }
        return found

    @cached_property
    def _models(self) -> dict[str, FieldEncoderOptions | None]:
        """The blocks ``field_encoder`` of the model files, by the name that tables give them."""
        stop_words = str(RunOptions.model_fields["stop_words"].default)
        return {
            name: load_model(
                model, root=self.root, stop_words=stop_words, seed=self.file.seed
            ).learns.field_encoder
            for name, model in self.file.models.items()
        }

    def _make_cell(self, training_set: str, model: str, seed: int) -> CellSettings:
        options, settings = self.file.draws[training_set], self._all_sets[training_set]
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


def change_options(
    model: FieldEncoderOptions | None, changes: Mapping[str, Any], training_set: str, *, where: str
) -> FieldEncoderOptions:
    """The block ``field_encoder`` of a model file with other values, for a training set.

    Args:
        model: the block; None where a model has none.
        changes: options that differ from it.
        training_set: what it is trained on.
        where: what messages call the model.

    Raises:
        ConfigurationError: for a model without the block, and for an option that there is not.
    """
    if model is None:
        raise ConfigurationError(f"{where}: has no block 'field_encoder'; take DeepCS or CARLCS")
    given = {**model.as_json(), **changes, "pairs": [training_set]}
    return FieldEncoderOptions.parse(given, where=where, within="training")


def describe_losses(file: CleaningFile) -> dict[str, LossSettings]:
    """With what the comments of each source are scored."""
    return {
        name: LossSettings(
            model=file.model,
            rules=file.rules,
            phrases=file.phrases,
            seed=file.seed,
            source=name,
            raw=source,
        )
        for name, source in file.sources.items()
    }


def list_unscored(name: str, file: CleaningFile) -> list[str]:
    """Sources of an experiment whose losses are to be made: all, or those that are not kept."""
    folder, kept = Path("results", name, "losses"), file.finished == "kept"
    return [
        source
        for source, settings in describe_losses(file).items()
        if not kept
        or not (folder / f"{source}.parquet").exists()
        or not is_made_with(read_record(folder / f"{source}.json").get("settings"), settings)
    ]
