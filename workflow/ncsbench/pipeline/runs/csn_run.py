"""Parts of a run of CodeSearchNet: corpora, systems, finished results, settings files.

A run is read only where one of its files or rules is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ncsbench.base.files.storage import hash_bytes
from ncsbench.code.functions.registry import LANGUAGES
from ncsbench.corpus.function_corpus.corpus_options import (
    ExtractionSettings,
    FunctionCorpusSettings,
    InventorySettings,
    ReleasedCorpusSettings,
)
from ncsbench.corpus.function_corpus.function_repositories import (
    FunctionRepositories,
    read_function_repositories,
)
from ncsbench.corpus.sources.source_at_hand import SourceAtHand
from ncsbench.errors import ConfigurationError, NcsbenchError
from ncsbench.learning.encoders.encoder_options import EncoderOptions, EncoderSettings
from ncsbench.pipeline.files.csn_file import FOLDER, CsnFile, load_csn_file
from ncsbench.pipeline.files.model_configuration import ModelConfiguration
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.freshness.code_imports import CodeTracer
from ncsbench.pipeline.freshness.rule_code import name_code, read_pins
from ncsbench.pipeline.runs.library_models import borrow
from ncsbench.pipeline.runs.named_run import NamedRun, fill
from ncsbench.rankers.learnt_kinds import name_loader_code
from ncsbench.studies.codesearchnet.system_options import BorrowedFrom, SystemSettings, UnifSettings
from ncsbench.studies.codesearchnet.table_options import ChoiceRow, TableSettings

_SEARCH = ("languages", "depth", "pools", "pool_count")
"""Keys of the file of a run that are also in the settings of every system."""


class SystemRun(NamedTuple):
    """A system with a seed, or a choice.

    Attributes:
        model: configuration of the system's model.
        trained_with: settings of its training; None where the system learns nothing here.
        settings: settings of its search.
    """

    model: ModelConfiguration
    trained_with: EncoderSettings | UnifSettings | None
    settings: SystemSettings


@dataclass(frozen=True)
class CsnRun(NamedRun):
    """A run of CodeSearchNet, by name."""

    folder: ClassVar[str] = FOLDER

    @cached_property
    def file(self) -> CsnFile:
        """The file of the run; ``ConfigurationError`` where the file cannot be used."""
        return load_csn_file(self.where)

    @property
    def raw_inputs(self) -> dict[str, str]:
        """Files of the challenge, by name of the option, and released zips, by language."""
        challenge = {"annotations": self.file.annotations, "queries": self.file.queries}
        return challenge | {f"{one}/zip": path for one, path in self.zips.items()}

    @property
    def zips(self) -> dict[str, str]:
        """Released zips of which the corpora are made, by language; empty for repositories."""
        path = self.file.released
        return {one: path.format(language=one) for one in self.file.languages if path}

    @property
    def rankers(self) -> Iterable[str]:
        """Kinds of the rankers of the run's systems."""
        return (kind for run in self.runs.values() for kind in run.model.specification.kinds)

    @property
    def corpora(self) -> dict[str, str]:
        """Folders of the run's corpora, by language."""
        return {one: f"data/{self.name}/corpus/{one}" for one in self.file.languages}

    @property
    def targets(self) -> list[str]:
        """Results of the run; asking for these files makes all others, too."""
        of_systems = ("table3", "table4") if self.file.systems else ()
        tables = ("table1", "table2", *of_systems, *(("csn_choices",) if self.file.choices else ()))
        return [
            *(f"{folder}/manifest.json" for folder in self.corpora.values()),
            *(f"results/{self.name}/{table}.csv" for table in tables),
        ]

    @property
    def is_published(self) -> bool:
        """True where the annotations are the paper's: then tables show the paper's figures, too."""
        published = self.list_published("annotations", "queries")
        return bool(published) or self.file.annotations.startswith("config/published/")

    @cached_property
    def runs(self) -> dict[str, SystemRun]:
        """Every system with every seed, and every choice, by name.

        A borrowed system whose results are kept is left out where the dataset that trained it is
        not here.

        Raises:
            ConfigurationError: for a model or an option that does not exist.
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

    def runs_of(self, system: str) -> list[str]:
        """List the names of the runs of a system, one for each seed."""
        seeds = self.file.systems[system].seeds
        return [system] if len(seeds) == 1 else [f"{system}-seed{seed}" for seed in seeds]

    def list_extracted(self, language: str) -> list[str]:
        """List the files of functions and of the ledger of each part of a language.

        Raises:
            ConfigurationError: for a run on released zips, which has no such files.
        """
        if self.zips:
            raise ConfigurationError(
                f"{self.where}: is made of released zips; code is extracted from repositories alone"
            )
        folder = f"data/{self.name}/extracted/{language}"
        return [
            f"{folder}/{shard:04}{ending}"
            for ending in (".parquet", ".ledger.parquet")
            for shard in range(self.file.shards)
        ]

    def list_ranker_code(self, system: str) -> list[str]:
        """List the descriptions of the code of a system's ranker and of its parameters' loaders."""
        model = self.runs[system].model
        names = [*map(name_code, model.specification.kinds), *map(name_loader_code, model.learnt)]
        return [f"data/{self.name}/settings/code/{name}.json" for name in names]

    def list_trained(self, run: str) -> list[str]:
        """List the folders that the training of a run makes; empty where it learns nothing here."""
        folder, settings = f"data/{self.name}/systems/{run}", self.runs[run].trained_with
        if isinstance(settings, EncoderSettings):
            return [f"{folder}/encoder", f"{folder}/record"]
        return [
            f"{folder}/unif/{language}/{part}"
            for language in (self.file.languages if settings else ())
            for part in ("weights", "record")
        ]

    def list_unfinished(self) -> list[str]:
        """List the runs whose results are to be made: all, or those that changed or are absent."""
        return [
            name
            for name, run in self.runs.items()
            if not self.is_kept(run.settings, *_name_results(name))
        ]

    def list_results(self, kind: str, ending: str, *, choices: bool = False) -> list[str]:
        """List a kind of results of all runs: committed files, else the files that rules make.

        Args:
            kind: folder of the files, such as ``ranks``.
            ending: ending of their names, with a dot.
            choices: True where the results of the choices are wanted, too.
        """
        names = [run for system in self.file.systems for run in self.runs_of(system)]
        unfinished = self.list_unfinished()
        return [
            f"{self._find_results(made=name in unfinished)}/{kind}/{name}{ending}"
            for name in (*names, *(self.file.choices if choices else ()))
        ]

    def find_pools(self) -> str:
        """Return the file of the pools: the committed file where all results are committed."""
        kept = f"{self._find_results(made=False)}/pools.parquet"
        made = self.list_unfinished() or not Path(kept).exists()
        return f"{self._find_results(made=True)}/pools.parquet" if made else kept

    def check(self, language: str) -> None:
        """Check that the corpus of a language can be made.

        Raises:
            NcsbenchError: where it cannot; names the missing input and the place looked at.
        """
        if language not in self.file.languages:
            known = ", ".join(self.file.languages)
            raise ConfigurationError(f"{self.where}: languages: has no {language}, only {known}")
        others = {f"{one}/zip" for one in self.zips if one != language}
        for key, path in self.raw_inputs.items():
            if key not in others and not self.is_at_hand(path):
                raise ConfigurationError(f"{self.where}: {key}: there is no {path}")
        self.check_inputs()
        reason = "" if self.zips else self._source(language).explain_none()
        if reason:
            raise ConfigurationError(f"{self.file.repositories}: {language}: {reason}")

    def list_settings(self, library: Path) -> dict[str, Any]:
        """Return settings of stages, states of lists and sources, code of languages, by name."""
        settings: dict[str, Any] = {"tables": self._describe_tables()}
        for name, run in self.runs.items():
            settings[f"systems/{name}"] = run.settings
            if run.trained_with is not None:
                settings[f"training/{name}"] = run.trained_with
        pins = read_pins(self.root / "envs" / "functions.yaml")
        tracer = CodeTracer(library)
        for language in self.file.languages:
            given = {"language": language}
            if self.zips:
                settings[f"{language}/import"] = fill(ReleasedCorpusSettings, self.file, **given)
                continue
            settings |= {
                f"{language}/inventory": fill(InventorySettings, self.file, **given),
                f"{language}/extraction": fill(ExtractionSettings, self.file, **given),
                f"{language}/corpus": fill(FunctionCorpusSettings, self.file, **given),
            }
            settings[f"inputs/{language}/source"] = self._source_state(language)
            settings[f"inputs/{language}/list"] = self._list_state(language)
            # The rule names no module of a language.
            code = tracer.trace_module(LANGUAGES[language].module)
            settings[f"code/functions_{language}"] = {
                "modules": code.modules,
                "packages": {name: pins[name] for name in code.packages if name in pins},
            }
        return settings

    def _find_results(self, *, made: bool) -> str:
        return f"data/{self.name}/results" if made else f"results/{self.name}"

    def _make_run(self, run: str, system: str, seed: int, changes: Mapping[str, Any]) -> SystemRun:
        options, trained = self.file.systems[system], None
        name = options.model or system
        if options.trained_in:
            model, given = self._borrow(run, name, options.trained_in, seed)
            told = {"borrowed": given.as_json()}
        else:
            stop_words = str(RunOptions.model_fields["stop_words"].default)
            model = load_model(name, root=self.root, stop_words=stop_words, seed=seed)
            trained = self._find_training(run, model, seed, {**options.encoder, **changes})
            told = {} if trained is None else trained.as_json()
        settings = fill(
            SystemSettings,
            self.file,
            system=run,
            ranker=model.specification,
            words=model.words,
            seed=seed,
            trained_with=told,
        )
        return SystemRun(model, trained, settings)

    def _borrow(
        self, run: str, name: str, dataset: str, seed: int
    ) -> tuple[ModelConfiguration, BorrowedFrom]:
        where = f"{self.where}: {run}: trained_in {dataset}"
        if self.file.languages != ("java",):
            raise ConfigurationError(
                f"{where}: searches Java alone; write 'languages: [java]' into a file of its own"
            )
        model, learnt = borrow(name, dataset, option=where, seed=seed)
        files = learnt.fingerprint()
        return model, BorrowedFrom(dataset=dataset, model=model.name, learnt=learnt, files=files)

    def _find_training(
        self, run: str, model: ModelConfiguration, seed: int, changes: dict[str, Any]
    ) -> EncoderSettings | UnifSettings | None:
        learns, where = model.learns, f"{self.where}: {run}"
        if learns.encoder is not None:
            changed = {**self.file.encoder, **changes}
            given = learns.encoder.as_json() | changed
            known = {name: given[name] for name in EncoderOptions.model_fields if name in given}
            unknown = sorted(changed.keys() - known.keys())
            if unknown:
                raise ConfigurationError(f"{where}: encoder has no {unknown[0]!r}")
            encoder = EncoderOptions.parse(known, where=f"{where}: encoder")
            return EncoderSettings(encoder=encoder, seed=seed)
        if changes:
            raise ConfigurationError(
                f"{where}: the model {model.name} has no block 'encoder' to change"
            )
        if learns.training is not None and learns.embedding is not None:
            return UnifSettings(
                words=model.words, embedding=learns.embedding, training=learns.training, seed=seed
            )
        if model.learnt or model.others:
            raise ConfigurationError(
                f"{where}: the model {model.name} learns from what functions of "
                "CodeSearchNet are not; take a joint encoder, UNIF or one that learns nothing, or "
                "name in 'trained_in' a dataset that has it"
            )
        return None

    def _describe_tables(self) -> TableSettings:
        runs = {name: tuple(self.runs_of(name)) for name in self.file.systems}
        choices = tuple(
            ChoiceRow(
                name=name,
                of=choice.of if choice.of in self.file.choices else runs[choice.of][0],
                options=choice.encoder,
            )
            for name, choice in self.file.choices.items()
        )
        printed = {name: str(one.published_as) for name, one in self.file.systems.items()}
        return fill(
            TableSettings,
            self.file,
            systems=tuple(runs),
            runs=runs,
            published_as={name: row for name, row in printed.items() if row},
            seen=self._find_seen(),
            choices=choices,
        )

    def _find_seen(self) -> dict[str, str]:
        """Find what systems that others trained have seen, also those with kept results."""
        stop_words = str(RunOptions.model_fields["stop_words"].default)
        load = partial(load_model, root=self.root, stop_words=stop_words, seed=self.file.seed)
        models = {name: load(one.model or name) for name, one in self.file.systems.items()}
        return {name: one.seen.tell() for name, one in models.items() if one.seen is not None}

    def _is_lent_and_kept(self, run: str, system: str, seed: int) -> bool:
        """Say whether a borrowed system has kept results and its dataset is not here to check."""
        options = self.file.systems[system]
        dataset, model = options.trained_in, options.model or system
        if not dataset or Path("data", dataset).exists():
            return False
        kept = self.read_kept(*_name_results(run)).get("settings")
        kept = kept if isinstance(kept, dict) else {}
        lent = kept.get("trained_with", {}).get("borrowed", {})
        found = [lent.get("dataset"), kept.get("seed"), *map(kept.get, _SEARCH)]
        wanted = [dataset, seed, *(getattr(self.file, key) for key in _SEARCH)]
        models = (model, f"{model}-seed{seed}")
        return lent.get("model") in models and json.dumps(found) == json.dumps(wanted)

    def _list(self, language: str) -> FunctionRepositories:
        path = Path(self.file.repositories)
        return read_function_repositories(path, language, self.file.filters)

    def _source(self, language: str) -> SourceAtHand:
        return SourceAtHand(
            self.file.source,
            self._list(language).listed.repositories,
            Path("data", self.name, "commits", language),
            LANGUAGES[language].suffixes[0],
        )

    def _list_state(self, language: str) -> dict[str, Any]:
        """Describe the state of the list: its path, and a hash of the lines of this language."""
        sha256 = None
        with suppress(NcsbenchError):  # the rule that reads the list reports it
            listed = self._list(language)
            content = [
                [(one.full_name, one.commit) for one in listed.listed.repositories],
                listed.listed.rejected,
                sorted(listed.ranks.items()),
                sorted(listed.parts.items()),
                listed.absent,
            ]
            sha256 = hash_bytes(json.dumps(content).encode())
        return {"path": self.file.repositories, "sha256": sha256}

    def _source_state(self, language: str) -> dict[str, Any]:
        found = ""
        with suppress(NcsbenchError):
            found = self._source(language).hash()
        return {**self.file.source.as_json(), "sha256": found}


def _name_results(run: str) -> tuple[str, str, str]:
    """Return the record of a run's results, and the two files that tables are made of."""
    return f"systems/{run}.json", f"ranks/{run}.parquet", f"challenge/{run}.parquet"
