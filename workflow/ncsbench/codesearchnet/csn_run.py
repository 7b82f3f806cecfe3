"""What a run of CodeSearchNet is made of: settings files, states of inputs, code of its rules.

It is looked at only where one of its files or rules is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from ncsbench.artifacts.storage import hash_bytes
from ncsbench.codesearchnet.csn_systems import CsnSystems
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError, NcsbenchError
from ncsbench.experiment.csn_file import FOLDER, CsnFile, load_csn_file
from ncsbench.experiment.named_run import NamedRun, describe_code_and_inputs, name_settings
from ncsbench.function_corpus.corpus_options import (
    ExtractionSettings,
    FunctionCorpusSettings,
    InventorySettings,
)
from ncsbench.function_corpus.function_repositories import (
    FunctionRepositories,
    read_function_repositories,
)
from ncsbench.functions.registry import LANGUAGES
from ncsbench.published_inputs.source_files import is_published_input
from ncsbench.rankers.learnt_kinds import name_loader_code
from ncsbench.run_control.code_imports import CodeTracer
from ncsbench.run_control.rule_code import RuleCode, name_code, read_pins
from ncsbench.sources.source_at_hand import SourceAtHand


@dataclass(frozen=True)
class CsnRun(NamedRun):
    """A run, by name."""

    folder: ClassVar[str] = FOLDER

    @cached_property
    def file(self) -> CsnFile:
        """Its file; ``ConfigurationError`` where it cannot be used."""
        return load_csn_file(self.where)

    @cached_property
    def systems(self) -> CsnSystems:
        """The systems of its tables."""
        return CsnSystems(self.name, self.file, self.where, self.root)

    @property
    def shards(self) -> list[str]:
        """Names of the parts in which the files of a language are parsed."""
        return [f"{shard:04}" for shard in range(self.file.shards)]

    @property
    def challenge(self) -> dict[str, str]:
        """Files of the challenge, by name of the option."""
        return {key: getattr(self.file, key) for key in ("annotations", "queries")}

    @property
    def corpora(self) -> dict[str, str]:
        """Folders of its corpora, by language."""
        return {one: f"data/{self.name}/corpus/{one}" for one in self.file.languages}

    @property
    def targets(self) -> list[str]:
        """Files that stand for all that is made of it."""
        of_systems = ("table3", "table4") if self.file.systems else ()
        tables = ("table1", "table2", *of_systems, *(("csn_choices",) if self.file.choices else ()))
        return [
            *(f"{folder}/manifest.json" for folder in self.corpora.values()),
            *(f"results/{self.name}/{table}.csv" for table in tables),
        ]

    def list_extracted(self, language: str) -> list[str]:
        """What is extracted of a language: functions and ledger of each part."""
        folder = f"data/{self.name}/extracted/{language}"
        endings = (".parquet", ".ledger.parquet")
        return [f"{folder}/{shard}{ending}" for ending in endings for shard in self.shards]

    def list_ranker_code(self, system: str) -> list[str]:
        """The code of the ranker of a system, and of what reads what it learnt."""
        model = self.systems.runs[system].model
        names = [*map(name_code, model.specification.kinds), *map(name_loader_code, model.learnt)]
        return [f"data/{self.name}/settings/code/{name}.json" for name in names]

    @property
    def published_files(self) -> list[str]:
        """Files of the challenge that a rule gets where they are absent."""
        return [path for path in self.challenge.values() if is_published_input(path)]

    @property
    def is_published(self) -> bool:
        """Whether its annotations are those of the paper, beside whose figures tables stand."""
        return bool(self.published_files) or self.file.annotations.startswith("config/published/")

    def check(self, language: str) -> None:
        """End where the corpus of a language cannot be made.

        Raises:
            NcsbenchError: with what is missing and where it is looked for.
        """
        if language not in self.file.languages:
            known = ", ".join(self.file.languages)
            raise ConfigurationError(f"{self.where}: languages: has no {language}, only {known}")
        for key, path in self.challenge.items():
            if not self.is_at_hand(path):
                raise ConfigurationError(f"{self.where}: {key}: there is no {path}")
        self.check_inputs(self.challenge.values())
        reason = self._source(language).explain_none()
        if reason:
            raise ConfigurationError(f"{self.file.repositories}: {language}: {reason}")

    def describe(self, rules: Mapping[str, RuleCode], library: Path) -> dict[str, Any]:
        """Content of every settings file, by path below ``data``.

        Args:
            rules: what the rules of such runs execute.
            library: folder of the package ``ncsbench``.
        """
        runs = self.systems.runs.values()
        kinds = [kind for run in runs for kind in run.model.specification.kinds]
        settings = {
            **self.systems.describe(),
            **describe_code_and_inputs(rules, kinds, library, self.challenge, self.published),
        }
        pins = read_pins(self.root / "envs" / "functions.yaml")
        tracer = CodeTracer(library)
        for language in self.file.languages:
            settings |= self._describe_language(language)
            # The rule names no module of a language.
            code = tracer.trace_module(LANGUAGES[language].module)
            settings[f"code/functions_{language}"] = {
                "modules": code.modules,
                "packages": {name: pins[name] for name in code.packages if name in pins},
            }
        return name_settings(self.name, settings)

    def _describe_language(self, language: str) -> dict[str, Any]:
        given = {key: getattr(self.file, key) for key in CsnFile.model_fields}
        given |= {"language": language} | {
            key: Path(given[key]) for key in ("repositories", "annotations", "queries")
        }
        types: dict[str, type[StrictModel]] = {
            "inventory": InventorySettings,
            "extraction": ExtractionSettings,
            "corpus": FunctionCorpusSettings,
        }
        stages = {
            stage: settings(**{key: given[key] for key in settings.model_fields})
            for stage, settings in types.items()
        }
        return {
            **{f"{language}/{stage}": one.as_json() for stage, one in stages.items()},
            f"inputs/{language}/source": self._source_state(language),
            f"inputs/{language}/list": self._list_state(language),
        }

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
        """The lines of the list that are of the language, not those of others."""
        sha256 = None
        with suppress(NcsbenchError):  # who reads it says so
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
