"""What a cleaning experiment is made of: settings files, states of inputs, code of its rules.

It is looked at only where one of its files or rules is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from ncsbench.cleaning.cell_settings import FilterTableSettings
from ncsbench.cleaning.cleaning_cells import CleaningCells, describe_losses, list_unscored
from ncsbench.cleaning.stage_settings import (
    DistractorSettings,
    PositivesSettings,
    QueryModelSettings,
    RawPairSettings,
    TitleSettings,
)
from ncsbench.configuration.files import list_names
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.experiment.cleaning_file import CleaningFile, load_cleaning_file
from ncsbench.experiment.cleaning_options import FOLDER, BenchmarkOptions
from ncsbench.experiment.csn_file import FOLDER as CORPORA
from ncsbench.experiment.input_paths import InputPaths
from ncsbench.experiment.named_run import NamedRun, describe_code_and_inputs, name_settings
from ncsbench.published_inputs.source_files import is_published_input
from ncsbench.run_control.rule_code import RuleCode

_DATASETS = "config/datasets"


@dataclass(frozen=True)
class CleaningRun(NamedRun):
    """A cleaning experiment, by name.

    Attributes:
        inputs: what lies elsewhere on this machine.
    """

    folder: ClassVar[str] = FOLDER

    inputs: InputPaths | None = None

    @cached_property
    def file(self) -> CleaningFile:
        """Its file; ``ConfigurationError`` where it cannot be used."""
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
    def cells(self) -> CleaningCells:
        """Its training sets, cells and tables."""
        return CleaningCells(self.name, self.file, self.where, self.root, self._absent)

    @cached_property
    def benchmarks(self) -> dict[str, BenchmarkOptions]:
        """Its benchmarks whose inputs are at hand.

        Raises:
            ConfigurationError: where none is.
        """
        found = {
            name: one for name, one in self.file.benchmarks.items() if name not in self._absent
        }
        if not found:
            why = "; ".join(f"{name}: {self._absent[name]}" for name in self.file.benchmarks)
            raise ConfigurationError(f"{self.where}: benchmarks: none can be made; {why}")
        return found

    @property
    def corpora(self) -> list[str]:
        """Names of the runs of CodeSearchNet whose corpora of Java it reads, sorted."""
        blocks = (*self.file.sources.values(), *self.benchmarks.values())
        return sorted({block.corpus for block in blocks})

    @property
    def questions(self) -> list[str]:
        """Its files of evaluation questions that are at hand."""
        return [path for path in self.file.questions if self.is_at_hand(path)]

    @property
    def has_model(self) -> bool:
        """Whether there are titles, and so a model of queries."""
        return not self._without_titles

    @property
    def notices(self) -> list[str]:
        """Lines for the user about what is asked for and cannot be made."""
        lines = [
            f"{self.name}: {what} {name} is left out: {why}"
            for what, names in (("benchmark", self.file.benchmarks), ("set", self.file.sets))
            for name, why in self.cells.left_out.items()
            if name in names
        ]
        return lines + [
            f"{self.name}: warning: there is no {path}; pairs may hold its questions"
            for path in self.file.questions
            if not self.is_at_hand(path)
        ]

    def list_published(self, benchmark: str) -> list[str]:
        """List the inputs of a benchmark that a rule gets where they are absent."""
        paths = _paths_of(self.benchmarks[benchmark]).values()
        return [path for path in paths if is_published_input(path)]

    def find_java(
        self, blocks: Literal["sources", "benchmarks"], name: str, kind: str = "corpus"
    ) -> str:
        """The folder of the Java of a source or benchmark: its corpus, or what was extracted."""
        found = self.file.sources if blocks == "sources" else self.benchmarks
        return f"data/{found[name].corpus}/{kind}/java"

    def list_java(self, blocks: Literal["sources", "benchmarks"], name: str) -> list[str]:
        """List the files of that corpus."""
        folder, files = self.find_java(blocks, name), ("functions", "ledger")
        return [*(f"{folder}/{file}.parquet" for file in files), f"{folder}/manifest.json"]

    def list_states(self, benchmark: str) -> list[str]:
        """List the states of the inputs of a benchmark."""
        keys = _paths_of(self.benchmarks[benchmark])
        return [f"data/{self.name}/settings/inputs/{benchmark}-{key}.json" for key in keys]

    def list_benchmarks(self, *files: str) -> list[str]:
        """List these Parquet files of every benchmark; without any, the folders."""
        folders = [f"data/{self.name}/benchmarks/{name}" for name in self.benchmarks]
        if not files:
            return folders
        return [f"{folder}/{file}.parquet" for folder in folders for file in files]

    def list_guard(self) -> list[str]:
        """List what no training may see: benchmarks, and states of evaluation questions."""
        states = f"data/{self.name}/settings/inputs/questions-{{}}.json"
        return [
            *self.list_benchmarks("positives", "queries"),
            *map(states.format, range(len(self.questions))),
        ]

    def list_raw(self) -> list[str]:
        """List the raw pairs of all sources."""
        return [f"data/{self.name}/raw/{source}.parquet" for source in self.file.sources]

    def check_targets(self, targets: Iterable[str]) -> None:
        """Let pass Snakemake's targets but for files of sets and cells that there are not.

        Raises:
            ConfigurationError: with the nearest name, or why it cannot be made.
        """
        cells, drawn = list(self.cells.grid), list(self.file.draws)
        places: dict[tuple[str, ...], list[str]] = {
            **{("data", self.name, "results", kind): cells for kind in ("ranks", "cells")},
            **{("data", self.name, kind): cells for kind in ("encoders", "trainings")},
            ("data", self.name, "sets"): drawn,
        }
        for target in map(Path, targets):
            known = places.get(target.parts[-5:-1], places.get(target.parts[-4:-1]))
            if known is None or target.exists():
                continue
            if target.stem not in known:
                what = "no set" if "sets" in target.parts else "no cell in its grid"
                raise ConfigurationError(
                    f"{target}: {self.where} has {what} named {target.stem!r}; "
                    + nearest(target.stem, known, page=str(self.where))
                )
            if why := self.cells.find_reason(target.stem):
                raise ConfigurationError(f"{target}: cannot be made: {why}")

    def check(self) -> None:
        """Let pass published inputs that are absent, or as they should be; else ``DataError``."""
        self.check_inputs(path for _, path in self._iterate_inputs())

    def describe(self, rules: Mapping[str, RuleCode], library: Path) -> dict[str, Any]:
        """Content of every settings file, by path below ``data``.

        Args:
            rules: what the rules of such experiments execute.
            library: folder of the package ``ncsbench``.
        """
        file, seed = self.file, self.file.seed
        stages: dict[str, StrictModel] = {
            "comment_model": QueryModelSettings(
                model=file.model, rules=file.rules, phrases=file.phrases, seed=seed
            ),
            "filter_tables": FilterTableSettings(rules=file.rules),
            **{f"losses/{name}": one for name, one in describe_losses(file).items()},
        }
        if self.has_model:
            stages["titles"] = TitleSettings(titles=Path(file.titles))
        for name, options in self.benchmarks.items():
            stages[f"positives/{name}"] = PositivesSettings(name=name, benchmark=options)
            stages[f"distractors/{name}"] = DistractorSettings(
                name=name, count=file.distractors, seed=seed
            )
        for name, source in file.sources.items():
            stages[f"raw/{name}"] = RawPairSettings(
                source=name, maximum_pairs=source.maximum_pairs, seed=seed
            )
        inputs = dict(self._iterate_inputs())
        settings = {
            **{key: one.as_json() for key, one in stages.items()},
            **self.cells.describe(list(self.benchmarks)),
            **describe_code_and_inputs(rules, [], library, inputs, self.published),
        }
        return name_settings(self.name, settings)

    @cached_property
    def _without_titles(self) -> str:
        """Why there is no model of queries; empty where there is one."""
        if not self.file.titles:
            return "the file names no titles, which the model of queries learns"
        return "" if self.is_at_hand(self.file.titles) else f"there is no {self.file.titles}"

    @cached_property
    def _absent(self) -> dict[str, str]:
        """Why benchmarks and sets cannot be made, by name."""
        found = {}
        for name, options in self.file.benchmarks.items():
            missing = [path for path in _paths_of(options).values() if not self.is_at_hand(path)]
            if missing:
                found[name] = f"there is no {missing[0]}"
        unscored = list_unscored(self.name, self.file)
        for name, training_set in self.file.sets.items():
            source = training_set.source or next(iter(self.file.sources))
            if training_set.cut is not None and source in unscored and self._without_titles:
                found[name] = self._without_titles
        return found

    def _iterate_inputs(self) -> Iterator[tuple[str, str]]:
        """Names and paths of the raw inputs that are read."""
        if self.has_model:
            yield "titles", self.file.titles
        for number, path in enumerate(self.questions):
            yield f"questions-{number}", path
        for name, options in self.benchmarks.items():
            for key, path in _paths_of(options).items():
                yield f"{name}-{key}", path


def _paths_of(options: BenchmarkOptions) -> dict[str, str]:
    """Paths of what a benchmark is made of, by key."""
    return {key: path for key, path in options if key not in ("kind", "corpus")}
