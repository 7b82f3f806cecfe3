"""A study: models with some of their options changed, each compared with the model unchanged.

A study is described by a file, ``config/studies/<name>.yaml``. Its rows become the rows of a trial
of that name, so that the rules for tables of a trial make the tables of a study, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from ncsbench.base.configuration.files import check_name, list_names, read_yaml
from ncsbench.base.configuration.strict_model import Distinct, StrictModel
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.pipeline.files.dataset_file import ReplicateOptions, Seed
from ncsbench.pipeline.files.model_configuration import ModelConfiguration
from ncsbench.pipeline.files.model_files import ChangedRow, is_path, name_models, name_rows
from ncsbench.pipeline.files.run_options import WHERE, RunOptions
from ncsbench.rankers.registry import find_options

FOLDER = "config/studies"


class StudyFile(StrictModel):
    """Models with changed options, each compared with the model unchanged (docs/add-a-model.md)."""

    change: Annotated[
        dict[str, Annotated[dict[str, dict[str, Any]], Field(min_length=1)]], Field(min_length=1)
    ]
    """Changes by the name of a model in config/models, or by the path of a model file. A change has
    a name, and keys of a model file that replace those of the model; a block is merged with that of
    the model key by key."""
    seeds: Annotated[tuple[Seed, ...], Distinct] = ()
    """Further seeds: every row is made again with each of them, beside the seed of the
    configuration; figures are means over all."""


class Study(NamedTuple):
    """A study as a run takes it.

    Attributes:
        rows: the changed models by the name of the row, ``<base>-<change>``.
        seeds: further seeds with which every row is made again.
    """

    rows: dict[str, ChangedRow]
    seeds: tuple[int, ...]

    def place(self, run: RunOptions) -> RunOptions:
        """Return the options of the trial that makes the tables of the study.

        Raises:
            ConfigurationError: where another trial is named beside the study.
        """
        if run.trial not in (None, run.study):
            raise ConfigurationError(
                f"{WHERE}: study: {run.study} is a trial of its own; leave out 'trial={run.trial}'"
            )
        comparisons = [(row, name_rows([one.base])[0]) for row, one in self.rows.items()]
        return run.changed(
            trial=run.study,
            models=[*dict.fromkeys(row.base for row in self.rows.values()), *self.rows],
            comparisons=comparisons,
            baseline=comparisons[0][1],
        )

    def replicate(self, of_dataset: ReplicateOptions, *, alone: bool) -> ReplicateOptions:
        """Return seeds and models of replicates: of the study's rows and bases, and of the dataset.

        Args:
            of_dataset: the block ``replicates`` of the dataset file.
            alone: True leaves out the replicates of the dataset.
        """
        names = [*self.rows, *name_rows(row.base for row in self.rows.values())]
        own = of_dataset.changed(seeds=self.seeds, models=list(dict.fromkeys(names)))
        if alone:
            return own
        merged = {
            key: list(dict.fromkeys([*getattr(of_dataset, key), *getattr(own, key)]))
            for key in ("seeds", "models")
        }
        return of_dataset.changed(**merged)


def load_study(name: str, root: Path) -> Study:
    """Read the file of a study.

    Args:
        name: name of the study.
        root: folder of the Snakefile.

    Raises:
        ConfigurationError: with one line, for an unknown study, a broken file, and a row for which
            another study has the same name and other changes.
    """
    known = list_names(root / FOLDER)
    if name not in known:
        raise ConfigurationError(f"{WHERE}: study: {name!r} is no study; {nearest(name, known)}")
    path = root / FOLDER / f"{name}.yaml"
    file, models = _read(path), name_models(root)
    for base in file.change:
        if not is_path(base) and base not in models:
            raise ConfigurationError(
                f"{path}: change: {base!r} is no model; {nearest(base, models)}"
            )
    rows = dict(_list_rows(path, file))
    for other in (one for one in known if one != name):
        # Rankings have the name of their row, whichever study made them.
        for row, made in _list_rows(root / FOLDER / f"{other}.yaml"):
            if row in rows and rows[row].keys != made.keys:
                raise ConfigurationError(
                    f"{rows[row].where} has the name of another change in {made.where}; rename one"
                )
    return Study(rows, file.seeds)


def describe_unchanged(study: Study, models: Mapping[str, ModelConfiguration]) -> list[str]:
    """Write a line for each row whose change has no effect: its ranker is that of its base."""
    return [
        f"{row.where} changes nothing here: {name} is made as {models[base].name} is"
        for name, row in study.rows.items()
        for base in name_rows([row.base])
        if name in models and base in models and _same(models[name], models[base])
    ]


def _same(row: ModelConfiguration, base: ModelConfiguration) -> bool:
    """Say whether two models have rankers of one kind with equal options, and equal indexes."""
    made, of_base = (find_options(one.specification.kind) for one in (row, base))
    options = made.parse(row.specification.options, where=row.where)
    return row.index_key == base.index_key and options == of_base.parse(
        base.specification.options, where=base.where
    )


def _read(path: Path) -> StudyFile:
    return StudyFile.parse(read_yaml(path), where=str(path))


def _list_rows(path: Path, file: StudyFile | None = None) -> Iterator[tuple[str, ChangedRow]]:
    for base, changes in (file or _read(path)).change.items():
        for change, keys in changes.items():
            check_name(f"{path}: change.{base}.{change}", change)
            where = path.with_name(f"{path.name}: change.{base}.{change}")
            yield f"{name_rows([base])[0]}-{change}", ChangedRow(base, keys, where)
