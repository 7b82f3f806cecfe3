"""Sets and cells of a cleaning experiment: those that can be made, and those that are finished."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from ncsbench.base.configuration.files import list_names
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions
from ncsbench.pairs.cleaned_pairs.cleaning_options import FOLDER, BenchmarkOptions, name_cell
from ncsbench.pairs.cleaned_pairs.stage_settings import LossSettings, SetSettings
from ncsbench.pipeline.files.cleaning_file import CleaningFile, load_cleaning_file
from ncsbench.pipeline.files.csn_file import FOLDER as CORPORA
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.runs.named_run import NamedRun, fill
from ncsbench.studies.icse_2022.cell_settings import CellSettings

_DATASETS = "config/datasets"


@dataclass(frozen=True)
class CleaningCells(NamedRun):
    """The sets and cells that a cleaning experiment makes of its sources."""

    folder: ClassVar[str] = FOLDER

    @cached_property
    def file(self) -> CleaningFile:
        """The file of the experiment; ``ConfigurationError`` where the file cannot be used."""
        file = load_cleaning_file(self.where, self.inputs)
        known = list_names(self.root / CORPORA)
        for key, blocks in (("sources", file.sources), ("benchmarks", file.benchmarks)):
            for name, block in blocks.items():
                if block.corpus not in known:
                    raise ConfigurationError(
                        f"{self.where}: {key}.{name}.corpus: {block.corpus!r} is no run of "
                        f"CodeSearchNet; {nearest(block.corpus, known)}"
                    )
        for folder in (CORPORA, _DATASETS):
            if self.name in list_names(self.root / folder):
                raise ConfigurationError(
                    f"{self.where}: {folder}/{self.name}.yaml has the same name, and the same "
                    "folders; rename one of them"
                )
        return file

    @cached_property
    def benchmarks(self) -> dict[str, BenchmarkOptions]:
        """The benchmarks of the experiment whose inputs are present, by name.

        Raises:
            ConfigurationError: where there is no such benchmark.
        """
        named, out = self.file.benchmarks, self.left_out
        found = {name: one for name, one in named.items() if name not in out}
        if not found:
            why = "; ".join(f"{name}: {out[name]}" for name in named)
            raise ConfigurationError(f"{self.where}: benchmarks: none can be made; {why}")
        return found

    @cached_property
    def left_out(self) -> dict[str, str]:
        """Reasons why benchmarks and sets cannot be made, by name, also for lack of another set."""
        found = {}
        for name, options in self.file.benchmarks.items():
            missing = [path for path in paths_of(options).values() if not self.is_at_hand(path)]
            if missing:
                found[name] = f"there is no {missing[0]}"
        unscored = self.list_unscored()
        for name, one in self.file.sets.items():
            source = one.source or next(iter(self.file.sources))
            if one.cut is not None and source in unscored and self._without_titles:
                found[name] = self._without_titles
        more = found
        while more:
            more = {
                name: f"it needs the set {other}"
                for name, one in self.file.sets.items()
                for other in (one.size_of, one.of, one.steps_of)
                if name not in found and self.set_of_draw.get(other) in found
            }
            found |= more
        return found

    @cached_property
    def sets(self) -> dict[str, SetSettings]:
        """Training sets that can be made, by the name of their files."""
        return {
            name: one
            for name, one in self._all_sets.items()
            if self.set_of_draw[name] not in self.left_out
        }

    @cached_property
    def cells(self) -> dict[str, CellSettings]:
        """Cells that can be made, by name, in the order of the grid.

        Raises:
            ConfigurationError: for a model or an option that does not exist, or where no cell is
                left.
        """
        found = {name: cell for name, cell in self.grid.items() if cell.set in self.sets}
        if not found:
            why = "; ".join(f"{name}: {reason}" for name, reason in self.left_out.items())
            raise ConfigurationError(f"{self.where}: grid: no cell can be made; {why}")
        return found

    @cached_property
    def grid(self) -> dict[str, CellSettings]:
        """All cells that are asked for, by name, also cells that cannot be made."""
        return {name_cell(*asked): self._make_cell(*asked) for asked in self.file.iterate_cells()}

    @property
    def questions(self) -> list[str]:
        """Files of evaluation questions that are present."""
        return [path for path in self.file.questions if self.is_at_hand(path)]

    @property
    def has_model(self) -> bool:
        """True where there are titles, and so a model of queries."""
        return not self._without_titles

    def check_name(self, name: str, known: Collection[str], what: str) -> None:
        """Check that a training set or cell of a name exists and can be made.

        Args:
            name: name of the set or cell.
            known: names of all sets or cells.
            what: name of a set or cell in messages.

        Raises:
            ConfigurationError: with the nearest name, or the reason why it cannot be made.
        """
        if name not in known:
            near = nearest(name, list(known), page=str(self.where))
            raise ConfigurationError(f"{self.where} has no {what} named {name!r}; {near}")
        drawn = self.grid[name].set if name in self.grid else name
        if why := self.left_out.get(self.set_of_draw[drawn]):
            raise ConfigurationError(f"{self.where}: {name} cannot be made: {why}")

    def list_unscored(self) -> list[str]:
        """List the sources whose losses are to be made: all, or those that are not kept."""
        return [
            name
            for name, one in self.losses.items()
            if not self.is_kept(one, f"losses/{name}.json", f"losses/{name}.parquet")
        ]

    def list_unrecorded(self) -> list[str]:
        """List the training sets whose record is to be made, and all sets made of such a set."""
        return [name for name in self.sets if not self._is_recorded(name)]

    def list_unfinished(self) -> list[str]:
        """List the cells whose ranks are to be made.

        These are all cells; or the cells that were not made as they are configured now, or lack
        ranks of a benchmark that is present. A changed configuration of a cell's set counts as a
        change of the cell.
        """
        at_hand = self.file.benchmarks.keys() - self.left_out.keys()
        return [
            name
            for name in self.cells
            if self.is_outdated(name)
            or at_hand - {*self.read_kept(f"cells/{name}.json").get("benchmarks", ())}
        ]

    def is_outdated(self, name: str) -> bool:
        """Say whether a cell of the grid was not made as it is configured now."""
        cell = self.grid[name]
        sets = filter(None, (cell.set, cell.steps_of))
        files = f"cells/{name}.json", f"ranks/{name}.parquet"
        return not (self.is_kept(cell, *files) and all(map(self._is_recorded, sets)))

    @cached_property
    def set_of_draw(self) -> dict[str, str]:
        """Names of sets in the file, by the name of each of their draws."""
        return {draw: name for name in self.file.sets for draw in self.file.draws_of(name)}

    @cached_property
    def losses(self) -> dict[str, LossSettings]:
        """Settings with which the comments of each source are scored, by name of the source."""
        return {
            name: fill(LossSettings, self.file, source=name, raw=source)
            for name, source in self.file.sources.items()
        }

    def _is_recorded(self, training_set: str) -> bool:
        """Say whether a set, and the sets that it is made of, were recorded as configured now."""
        one = self._all_sets[training_set]
        made_of = filter(None, (one.options.size_of, one.options.of))
        return self.is_kept(one, f"sets/{training_set}.json") and all(
            map(self._is_recorded, made_of)
        )

    @cached_property
    def _without_titles(self) -> str:
        """The reason why there is no model of queries; empty where there is a model."""
        if not self.file.titles:
            return "the file names no titles, which the model of queries learns"
        return "" if self.is_at_hand(self.file.titles) else f"there is no {self.file.titles}"

    @cached_property
    def _all_sets(self) -> dict[str, SetSettings]:
        """All training sets, by the name of their files, also sets that cannot be made."""
        file = self.file
        return {
            draw: fill(
                SetSettings,
                file,
                name=draw,
                source=file.source_of(draw),
                options=options,
                draw=number,
                raw=file.sources[file.source_of(draw)],
                model=None if options.cut is None else file.model,
            )
            for name, options in file.sets.items()
            for number, draw in enumerate(file.draws_of(name), 1)
        }

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
        return fill(
            CellSettings,
            self.file,
            set=training_set,
            model=model,
            field_encoder=encoder,
            seed=seed,
            draw=settings.draw if options.draws > 1 else None,
            steps_of=options.steps_of or None,
        )


def change_options(
    model: FieldEncoderOptions | None, changes: Mapping[str, Any], training_set: str, *, where: str
) -> FieldEncoderOptions:
    """Return the block ``field_encoder`` of a model file with other values, for a training set.

    Args:
        model: the block; None where a model has no such block.
        changes: options that replace those of the block.
        training_set: name of the set that the model is trained on.
        where: name of the model in messages.

    Raises:
        ConfigurationError: for a model without the block, and for an option that does not exist.
    """
    if model is None:
        raise ConfigurationError(f"{where}: has no block 'field_encoder'; take DeepCS or CARLCS")
    given = {**model.as_json(), **changes, "pairs": [training_set]}
    return FieldEncoderOptions.parse(given, where=where, within="training")


def paths_of(options: BenchmarkOptions) -> dict[str, str]:
    """Return the paths of the files that a benchmark is made of, by key."""
    return {key: path for key, path in options if key not in ("kind", "corpus")}
