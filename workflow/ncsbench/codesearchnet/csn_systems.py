"""The systems of a run of CodeSearchNet: what each is made with, and which are finished."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ncsbench.codesearchnet.system_options import BorrowedFrom, SystemSettings, UnifSettings
from ncsbench.codesearchnet.table_options import (
    ChoiceRow,
    ChoiceSettings,
    Table3Settings,
    Table4Settings,
)
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.encoders.encoder_options import EncoderOptions, EncoderSettings
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.csn_file import CsnFile
from ncsbench.experiment.library_models import borrow
from ncsbench.experiment.model_configuration import ModelConfiguration
from ncsbench.experiment.model_files import load_model
from ncsbench.experiment.named_run import is_made_with, read_record
from ncsbench.experiment.run_options import RunOptions

_SEARCH = ("languages", "depth", "pools", "pool_count")
"""Keys of the file of a run that settings of every system have."""


@dataclass(frozen=True)
class SystemRun:
    """A system with a seed.

    Attributes:
        name: of its files.
        model: its model file.
        seed: of everything that draws.
        trained_with: settings of its training; None where it learns nothing here.
        borrowed: where a dataset of the workflow trained it; else None.
    """

    name: str
    model: ModelConfiguration
    seed: int
    trained_with: EncoderSettings | UnifSettings | None
    borrowed: BorrowedFrom | None = None


@dataclass(frozen=True)
class CsnSystems:
    """The systems of a file.

    Attributes:
        name: of the run of CodeSearchNet.
        file: its file.
        where: the file, as messages name it.
        root: folder of the Snakefile.
    """

    name: str
    file: CsnFile
    where: Path
    root: Path

    @cached_property
    def runs(self) -> dict[str, SystemRun]:
        """Every system with every seed, and every choice, by name.

        A borrowed one that is kept is left out where the dataset that trained it is not here.

        Raises:
            ConfigurationError: for a model or an option that there is not.
        """
        found = {
            run: self._make_run(run, name, seed, {})
            for name, system in self.file.systems.items()
            for run, seed in zip(self.runs_of(name), system.seeds, strict=True)
            if not self._is_lent_and_kept(run, name, seed)
        }
        for name in self.file.choices:
            system, changes = name, dict[str, Any]()
            while system in self.file.choices:
                choice = self.file.choices[system]
                system, changes = choice.of, choice.encoder | changes
            found[name] = self._make_run(name, system, self.file.systems[system].seeds[0], changes)
        return found

    @property
    def names(self) -> list[str]:
        """Names of all runs of systems and choices, in their order."""
        return [
            *(run for name in self.file.systems for run in self.runs_of(name)),
            *self.file.choices,
        ]

    def runs_of(self, system: str) -> list[str]:
        """Names of the runs of a system, one for each seed."""
        seeds = self.file.systems[system].seeds
        return [system] if len(seeds) == 1 else [f"{system}-seed{seed}" for seed in seeds]

    def list_unfinished(self) -> list[str]:
        """Runs whose results are to be made: all, or those that are not there as configured."""
        if self.file.finished == "made_again":
            return list(self.runs)
        return [
            name
            for name, run in self.runs.items()
            if not is_made_with(self._read_kept(name), self._describe_system(run))
        ]

    def list_results(self, kind: str, ending: str, *, choices: bool = False) -> list[str]:
        """Files of a kind of results of all runs: committed ones, else those that a rule makes.

        Args:
            kind: folder of the files, such as ``ranks``.
            ending: of their names, with a dot.
            choices: whether those of the choices are wanted, too.
        """
        unfinished = self.list_unfinished()
        return [
            f"{self._find_results(made=name in unfinished)}/{kind}/{name}{ending}"
            for name in self.names
            if choices or name not in self.file.choices
        ]

    def find_pools(self) -> str:
        """The file of what is searched: the committed one while all rankings are."""
        kept = f"{self._find_results(made=False)}/pools.parquet"
        made = self.list_unfinished() or not Path(kept).exists()
        return f"{self._find_results(made=True)}/pools.parquet" if made else kept

    def list_trained(self, run: str) -> list[str]:
        """Folders that the training of a run makes; none where it learns nothing here."""
        folder, settings = f"data/{self.name}/systems/{run}", self.runs[run].trained_with
        if isinstance(settings, EncoderSettings):
            return [f"{folder}/encoder", f"{folder}/record"]
        return [
            f"{folder}/unif/{language}/{part}"
            for language in (self.file.languages if settings else ())
            for part in ("weights", "record")
        ]

    def describe(self) -> dict[str, Any]:
        """Content of the settings files of systems and tables, by path."""
        settings = self._describe_tables()
        for name, run in self.runs.items():
            settings[f"systems/{name}"] = self._describe_system(run)
            if run.trained_with is not None:
                settings[f"training/{name}"] = run.trained_with
        return {key: one.as_json() for key, one in settings.items()}

    def _find_results(self, *, made: bool) -> str:
        return f"data/{self.name}/results" if made else f"results/{self.name}"

    def _make_run(self, run: str, system: str, seed: int, changes: Mapping[str, Any]) -> SystemRun:
        options = self.file.systems[system]
        stop_words = str(RunOptions.model_fields["stop_words"].default)
        name = options.model or system
        if options.trained_in:
            return self._borrow(run, name, options.trained_in, seed)
        model = load_model(name, root=self.root, stop_words=stop_words, seed=seed)
        changed = {**self.file.encoder, **options.encoder, **changes}
        if model.learns.encoder is None and (options.encoder or changes):
            raise ConfigurationError(
                f"{self.where}: {run}: the model {name} has no block 'encoder' to change"
            )
        return SystemRun(run, model, seed, self._find_training(run, model, seed, changed))

    def _borrow(self, run: str, name: str, dataset: str, seed: int) -> SystemRun:
        where = f"{self.where}: {run}: trained_in {dataset}"
        if self.file.languages != ("java",):
            raise ConfigurationError(
                f"{where}: searches Java alone; write 'languages: [java]' into a file of its own"
            )
        model, learnt = borrow(name, dataset, option=where, seed=seed)
        given = BorrowedFrom(
            dataset=dataset, model=model.name, learnt=learnt, files=learnt.fingerprint()
        )
        return SystemRun(run, model, seed, None, given)

    def _find_training(
        self, run: str, model: ModelConfiguration, seed: int, changed: dict[str, Any]
    ) -> EncoderSettings | UnifSettings | None:
        learns = model.learns
        if learns.encoder is not None:
            given = learns.encoder.as_json() | changed
            known = {name: given[name] for name in EncoderOptions.model_fields if name in given}
            unknown = sorted(changed.keys() - known.keys())
            if unknown:
                raise ConfigurationError(f"{self.where}: {run}: encoder has no {unknown[0]!r}")
            encoder = EncoderOptions.parse(known, where=f"{self.where}: {run}: encoder")
            return EncoderSettings(encoder=encoder, seed=seed)
        if learns.training is not None and learns.embedding is not None:
            return UnifSettings(
                words=model.words, embedding=learns.embedding, training=learns.training, seed=seed
            )
        if model.learnt or model.others:
            raise ConfigurationError(
                f"{self.where}: {run}: the model {model.name} learns from what functions of "
                "CodeSearchNet are not; take a joint encoder, UNIF or one that learns nothing, or "
                "name in 'trained_in' a dataset that has it"
            )
        return None

    def _describe_system(self, run: SystemRun) -> SystemSettings:
        trained = {} if run.trained_with is None else run.trained_with.as_json()
        if run.borrowed is not None:
            trained = {"borrowed": run.borrowed.as_json()}
        return SystemSettings(
            system=run.name,
            ranker=run.model.specification,
            words=run.model.words,
            seed=run.seed,
            trained_with=trained,
            **self._choose_keys(*_SEARCH),
        )

    def _describe_tables(self) -> dict[str, StrictModel]:
        """Settings of the tables, by name."""
        shared = self._choose_keys("languages", "seed", "bootstrap_samples")
        runs = {name: tuple(self.runs_of(name)) for name in self.file.systems}
        rows: dict[str, Any] = {"systems": tuple(runs), "runs": runs}
        choices = tuple(
            ChoiceRow(
                name=name,
                of=choice.of if choice.of in self.file.choices else runs[choice.of][0],
                options=choice.encoder,
            )
            for name, choice in self.file.choices.items()
        )
        named = {name: str(one.published_as) for name, one in self.file.systems.items()}
        printed = {name: row for name, row in named.items() if row}
        # One printed row is in Table 4 alone.
        ranked = {name: row for name, row in printed.items() if row != "ElasticSearch"}
        pools = {"pools": self.file.pools, **shared}
        return {
            "table3": Table3Settings(published_as=ranked, **rows, **pools),
            "table4": Table4Settings(published_as=printed, depth=self.file.depth, **rows, **shared),
            "choices": ChoiceSettings(choices=choices, **pools),
        }

    def _choose_keys(self, *names: str) -> dict[str, Any]:
        return {name: getattr(self.file, name) for name in names}

    def _is_lent_and_kept(self, run: str, system: str, seed: int) -> bool:
        """Whether results of a borrowed system are kept that only its dataset could check."""
        options = self.file.systems[system]
        dataset, model = options.trained_in, options.model or system
        if self.file.finished != "kept" or not dataset or Path("data", dataset).exists():
            return False
        kept = self._read_kept(run)
        lent = kept.get("trained_with", {}).get("borrowed", {})
        found = [lent.get("dataset"), kept.get("seed"), *map(kept.get, _SEARCH)]
        wanted = [dataset, seed, *self._choose_keys(*_SEARCH).values()]
        models = (model, f"{model}-seed{seed}")
        return lent.get("model") in models and json.dumps(found) == json.dumps(wanted)

    def _read_kept(self, run: str) -> dict[str, Any]:
        """The settings that results which lie there were made with; empty where some are absent."""
        folder = Path(self._find_results(made=False))
        files = [folder / kind / f"{run}.parquet" for kind in ("ranks", "challenge")]
        settings = read_record(folder / "systems" / f"{run}.json").get("settings")
        return settings if isinstance(settings, dict) and all(map(Path.exists, files)) else {}
