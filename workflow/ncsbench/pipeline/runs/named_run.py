"""Base class of runs: the places of their files, kept results, and settings files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ncsbench.base.configuration.strict_model import Settings, StrictModel
from ncsbench.pipeline.files.input_paths import InputPaths
from ncsbench.pipeline.freshness.rule_code import RuleCode, describe_code
from ncsbench.pipeline.runs.input_files import describe_input
from ncsbench.posts.published_inputs.checksums import check_published
from ncsbench.posts.published_inputs.source_files import PublishedInput, is_published_input
from ncsbench.rankers.learnt_kinds import list_loaders


@dataclass(frozen=True)
class NamedRun:
    """A run that is named by its file, which is read only where a file of the run is asked for.

    The run's settings lie below ``data/<name>/settings``, its artifacts below ``data/<name>``, and
    its kept results below ``results/<name>``.

    Attributes:
        name: name of the run's file in ``folder`` and of its folders in ``data`` and ``results``.
        root: folder of the Snakefile.
        published: files of others that a rule gets where they are absent, by path.
        inputs: inputs that lie elsewhere on this machine.
    """

    folder: ClassVar[str]

    name: str
    root: Path
    published: Mapping[str, PublishedInput]
    inputs: InputPaths | None = None

    @property
    def where(self) -> Path:
        """The file of the run, as messages name it."""
        return self.root / self.folder / f"{self.name}.yaml"

    @property
    def file(self) -> Any:
        """The content of the run's file; ``ConfigurationError`` where it cannot be used."""
        raise NotImplementedError

    @property
    def raw_inputs(self) -> dict[str, str]:
        """Paths of the raw inputs that are read, by name."""
        raise NotImplementedError

    @property
    def rankers(self) -> Iterable[str]:
        """Kinds of the rankers that the run searches with."""
        return ()

    @property
    def corpora_of(self) -> list[str]:
        """Names of the runs of CodeSearchNet whose corpora this run reads."""
        return []

    @property
    def notices(self) -> list[str]:
        """Lines for the user about results that are asked for and cannot be made."""
        return []

    def list_settings(self, library: Path) -> Mapping[str, Any]:
        """Return settings of every stage, and states of inputs of this run alone, by name.

        Args:
            library: folder of the package ``ncsbench``.
        """
        raise NotImplementedError

    def describe(self, rules: Mapping[str, RuleCode], library: Path) -> dict[str, Any]:
        """Make the content of every settings file, by path below ``data``.

        Args:
            rules: commands of the rules of runs of this kind.
            library: folder of the package ``ncsbench``.
        """
        settings = {
            key: one.as_json() if isinstance(one, StrictModel) else one
            for key, one in self.list_settings(library).items()
        }
        settings |= describe_code_and_inputs(
            rules, self.rankers, library, self.raw_inputs, self.published
        )
        return name_settings(self.name, settings)

    def is_at_hand(self, path: str) -> bool:
        """Say whether an input is there, or a rule gets it."""
        return path in self.published or Path(path).exists()

    def check_inputs(self) -> None:
        """Raise ``DataError`` for a published input that exists and has another checksum."""
        paths = filter(is_published_input, self.raw_inputs.values())
        check_published({path: self.published[path] for path in dict.fromkeys(paths)})

    def list_states(self, *names: str) -> list[str]:
        """List the settings files with the states of raw inputs."""
        return [f"data/{self.name}/settings/inputs/{name}.json" for name in names]

    def list_published(self, *names: str) -> list[str]:
        """List the raw inputs of these names that a rule gets where they are absent."""
        return [path for name in names if is_published_input(path := self.raw_inputs[name])]

    def read_kept(self, record: str, *files: str) -> dict[str, Any]:
        """Read the record of committed results, which need not be made again.

        Args:
            record: path of the record below ``results/<name>``.
            files: paths of the results below the same folder.

        Returns:
            The record; empty where the record or a result is absent, or the run keeps no results.
        """
        folder = Path("results", self.name)
        if self.file.finished != "kept" or not all((folder / one).exists() for one in files):
            return {}
        try:
            found = json.loads((folder / record).read_bytes())
        except (OSError, RecursionError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def is_kept(self, settings: StrictModel, record: str, *files: str) -> bool:
        """Say whether results made with these settings are committed (``read_kept``)."""
        made_with = self.read_kept(record, *files).get("settings")
        return bool(made_with == json.loads(json.dumps(settings.as_json())))


def fill(kind: type[Settings], *options: StrictModel, **given: Any) -> Settings:
    """Make the settings of a stage from equally named fields of options, and from given fields.

    Where several options have a field, the last of them counts; ``given`` precedes all options.
    """
    shared = {
        name: getattr(one, name)
        for one in options
        for name in type(one).model_fields.keys() & kind.model_fields.keys()
    }
    # Options have texts in fields that are paths in some settings.
    return kind.model_validate({**shared, **given}, strict=False)


def name_settings(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of settings files of a run or dataset by path below ``data``."""
    return {f"{name}/settings/{key}.json": value for key, value in settings.items()}


def describe_code_and_inputs(
    rules: Mapping[str, RuleCode],
    kinds: Iterable[str],
    library: Path,
    inputs: Mapping[str, str],
    published: Mapping[str, PublishedInput],
) -> dict[str, Any]:
    """Describe code of rules, rankers and loaders, and raw inputs, by key of ``name_settings``.

    Args:
        rules: the command of each rule.
        kinds: kinds of the rankers.
        library: folder of the package ``ncsbench``.
        inputs: paths of the raw inputs, by name.
        published: inputs that a rule gets where they are absent, by path.
    """
    code = describe_code(rules, kinds, library, loaders=list_loaders())
    states = {name: describe_input(path, published) for name, path in inputs.items()}
    return {
        **{f"code/{name}": value for name, value in code.items()},
        **{f"inputs/{name}": value for name, value in states.items()},
    }
