"""The file of a cleaning experiment: ``config/cleaning/<name>.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.configuration.strict_model import Distinct, StrictModel
from ncsbench.errors import nearest
from ncsbench.pairs.cleaned_pairs.cleaning_options import (
    BenchmarkOptions,
    GridPart,
    PrimaryHypothesis,
    RawSource,
    Seed,
    SetOptions,
)
from ncsbench.pairs.comment_filter.filter_options import Phrases, VaeOptions
from ncsbench.pipeline.files.input_paths import InputPaths, check_given, find_input
from ncsbench.posts.published_inputs.source_files import is_published_input

_NAME = re.compile("[a-z][a-z0-9_]*")
_PATHS = ("annotations", "queries", "questions", "answers", "code")


class CleaningFile(StrictModel):
    """An experiment on whether cleaned training pairs make better models.

    docs/cleaning.md describes it. A relative path is looked for from the file's own
    folder first, then from the folder in which Snakemake runs. ``data/sources/<name>/<file>`` is a
    published input (docs/datasets.md).
    """

    sources: Annotated[dict[str, RawSource], Field(min_length=1)]
    """Sources of the raw pairs, by name; a set that names no source learns from the first one."""
    titles: str = ""
    """File with the titles of questions that the model of queries learns, as for
    ``clean fit --titles``; where the file is absent, sets that need the model are left out."""
    phrases: Phrases = "how_to"
    """The titles that are taken: ``how_to`` takes titles that begin with "how to", ``all`` all."""
    model: VaeOptions = VaeOptions()
    """The model of queries (docs/cleaning.md)."""
    rules: Literal["as_published", "as_released"] = "as_published"
    """The rules that comments must pass (docs/cleaning.md)."""
    questions: tuple[str, ...] = ()
    """Files of evaluation questions in the published JSON form. No training pair and no title may
    hold one of these questions; a file that is absent is left out."""
    benchmarks: Annotated[dict[str, BenchmarkOptions], Field(min_length=1)]
    """Benchmarks that the models are measured with, by name."""
    distractors: int = Field(999, ge=1)
    """Number of wrong functions among which the right ones are ranked."""
    sets: Annotated[dict[str, SetOptions], Field(min_length=1)]
    """Training sets, by name."""
    models: Annotated[dict[str, str], Field(min_length=1)]
    """Names of models in config/models that have a block ``field_encoder``, by the name that tables
    give each of them."""
    training: dict[str, Any] = Field(default_factory=dict)
    """Keys of the block ``field_encoder`` with the values that replace those of every model
    file."""
    vocabulary: Literal["raw", "per_set"] = "raw"
    """The pairs whose words are the vocabulary of a training: ``raw`` takes the raw pairs of the
    source, so that sets differ in their pairs alone; ``per_set`` takes the set itself, as
    published."""
    seeds: Annotated[tuple[Seed, ...], Distinct, Field(min_length=1)] = (1, 2, 3)
    """Seeds of the trainings: every model is trained on every set with each seed."""
    primary: PrimaryHypothesis | None = None
    """The comparison whose p-value is not corrected for multiple tests."""
    grid: tuple[GridPart, ...] = ()
    """The cells that are made, in this order; a cell is a set with a model and a seed. Without
    ``grid``, every set is trained on with every model and seed."""
    finished: Literal["made_again", "kept"] = "made_again"
    """The treatment of finished cells: ``kept`` keeps a cell that was made with the present
    settings, whatever else has changed. So parts of a long run can be made one by one, and
    committed. ``made_again`` makes a cell again after any change."""
    seed: int = Field(2022, ge=0)
    """Seed of the model of queries, of cuts, of all that is drawn and of the resamples."""
    bootstrap_samples: int = Field(1000, ge=100)
    """Resamples behind each 95 % interval."""

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for name in (*self.sources, *self.benchmarks, *self.sets, *self.models, *self.draws):
            if not _NAME.fullmatch(name):
                raise ValueError(f"the name {name!r} must match {_NAME.pattern}")
        names = [draw for name in self.sets for draw in self.draws_of(name)]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"sets.{name}: is the name of a draw too; take another")
        return self

    @model_validator(mode="after")
    def _check_sets(self) -> Self:
        for name, options in self.sets.items():
            where = f"sets.{name}"
            _check_known(f"{where}.source", [options.source], self.sources)
            for key in ("size_of", "of", "steps_of"):
                _check_known(f"{where}.{key}", [getattr(options, key)], self.draws)
            _check_circle(where, name, self)
        return self

    @model_validator(mode="after")
    def _check_grid(self) -> Self:
        for number, part in enumerate(self.grid):
            where = f"grid.{number}"
            _check_known(f"{where}.sets", part.sets, {**self.sets, **self.draws})
            _check_known(f"{where}.models", part.models, self.models)
            _check_known(f"{where}.seeds", map(str, part.seeds), [str(one) for one in self.seeds])
        if self.primary is not None:
            _check_known("primary.model", [self.primary.model], self.models)
            _check_known("primary.benchmark", [self.primary.benchmark], self.benchmarks)
            for key in ("better", "than"):
                _check_known(f"primary.{key}", [getattr(self.primary, key)], self.sets)
        return self

    @property
    def draws(self) -> dict[str, SetOptions]:
        """Training sets by the names of their files: one for each draw."""
        return {draw: self.sets[name] for name in self.sets for draw in self.draws_of(name)}

    def draws_of(self, name: str) -> list[str]:
        """List the names of the files of a set, one for each draw."""
        count = self.sets[name].draws
        return [name] if count == 1 else [f"{name}_{draw}" for draw in range(1, count + 1)]

    def source_of(self, name: str) -> str:
        """Return the name of the source of a set, given the name of the set's file."""
        return self.draws[name].source or next(iter(self.sources))

    def iterate_cells(self) -> Iterator[tuple[str, str, int]]:
        """Yield set, model and seed of every cell, in the order of the grid, each cell once."""
        yield from dict.fromkeys(
            (draw, model, seed)
            for part in self.grid or (GridPart(sets=tuple(self.sets)),)
            for seed in part.seeds or self.seeds
            for model in part.models or self.models
            for name in part.sets
            for draw in (self.draws_of(name) if name in self.sets else [name])
        )


def load_cleaning_file(path: Path, inputs: InputPaths | None = None) -> CleaningFile:
    """Read a file and resolve its paths; the files that these name need not exist.

    Args:
        path: path of the file.
        inputs: inputs that lie elsewhere on this machine: ``posts`` replaces titles in the user's
            folder ``inputs/``, ``questions`` the published evaluation questions.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    file, given = CleaningFile.parse(read_yaml(path), where=str(path)), inputs or InputPaths()
    asked = [check_given("questions", one) for one in given.questions]

    def find(key: str, name: str) -> list[str]:
        replaced = asked and key.endswith("questions") and is_published_input(name)
        return asked if replaced else [find_input(path, key, name)]

    benchmarks = {
        name: one.model_copy(
            update={
                key: find(f"benchmarks.{name}.{key}", value)[0]
                for key, value in one
                if key in _PATHS
            }
        )
        for name, one in file.benchmarks.items()
    }
    titles = find_input(path, "titles", file.titles)
    if given.posts and file.titles.startswith("inputs/"):
        titles = check_given("posts", given.posts)
    questions = dict.fromkeys(one for name in file.questions for one in find("questions", name))
    return file.model_copy(
        update={"benchmarks": benchmarks, "titles": titles, "questions": tuple(questions)}
    )


def _check_known(where: str, names: Iterable[str], known: Iterable[str]) -> None:
    choices = list(known)
    for name in names:
        if name and name not in choices:
            raise ValueError(f"{where}: {name!r} is unknown; {nearest(name, choices)}")


def _check_circle(where: str, name: str, file: CleaningFile) -> None:
    """Raise ``ValueError`` where a set is made of other sets, and one of these needs the set."""
    pending, seen = list(file.draws_of(name)[:1]), set[str]()
    while pending:
        options = file.draws[pending.pop()]
        for other in (options.size_of, options.of):
            if other in file.draws_of(name):
                raise ValueError(f"{where}: would be made of itself")
            if other and other not in seen:
                seen.add(other)
                pending.append(other)
