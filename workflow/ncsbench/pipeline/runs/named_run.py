"""What runs have in common: where their files are, what is kept of them, and settings files."""

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
    """A run that is named by its file, and looked at only where one of its files is asked for.

    Its settings, what was made of it and what is kept of it have one place each: below
    ``data/<name>/settings``, ``data/<name>`` and ``results/<name>``.

    Attributes:
        name: of its file in ``folder``, of its folders in ``data`` and ``results``.
        root: folder of the Snakefile.
        published: files of others that a rule gets where they are not there, by path.
        inputs: what lies elsewhere on this machine.
    """

    folder: ClassVar[str]

    name: str
    root: Path
    published: Mapping[str, PublishedInput]
    inputs: InputPaths | None = None

    @property
    def where(self) -> Path:
        """Its file, as messages name it."""
        return self.root / self.folder / f"{self.name}.yaml"

    @property
    def file(self) -> Any:
        """What its file says; ``ConfigurationError`` where it cannot be used."""
        raise NotImplementedError

    @property
    def raw_inputs(self) -> dict[str, str]:
        """Paths of the raw inputs that are read, by name."""
        raise NotImplementedError

    @property
    def rankers(self) -> Iterable[str]:
        """Kinds of the rankers that it searches with."""
        return ()

    @property
    def corpora_of(self) -> list[str]:
        """Names of the runs of CodeSearchNet whose corpora it reads."""
        return []

    @property
    def notices(self) -> list[str]:
        """Lines for the user about what is asked for and cannot be made."""
        return []

    def list_settings(self, library: Path) -> Mapping[str, Any]:
        """Settings of every stage, and states of inputs that are its own, by their name.

        Args:
            library: folder of the package ``ncsbench``.
        """
        raise NotImplementedError

    def describe(self, rules: Mapping[str, RuleCode], library: Path) -> dict[str, Any]:
        """Content of every settings file, by path below ``data``.

        Args:
            rules: what the rules of such runs execute.
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
        """Whether an input is there, or a rule gets it."""
        return path in self.published or Path(path).exists()

    def check_inputs(self) -> None:
        """Raise ``DataError`` for a published input that is there and not as it should be."""
        paths = filter(is_published_input, self.raw_inputs.values())
        check_published({path: self.published[path] for path in dict.fromkeys(paths)})

    def list_states(self, *names: str) -> list[str]:
        """List the files that say what raw inputs are like."""
        return [f"data/{self.name}/settings/inputs/{name}.json" for name in names]

    def list_published(self, *names: str) -> list[str]:
        """List the raw inputs of these names that a rule gets where they are absent."""
        return [path for name in names if is_published_input(path := self.raw_inputs[name])]

    def read_kept(self, record: str, *files: str) -> dict[str, Any]:
        """The record of results that are committed, so that they need not be made again.

        Args:
            record: its path below ``results/<name>``.
            files: the results, likewise.

        Returns:
            An empty one where something is not there, or the run keeps nothing.
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
        """Whether results are committed that were made with these settings (``read_kept``)."""
        made_with = self.read_kept(record, *files).get("settings")
        return bool(made_with == json.loads(json.dumps(settings.as_json())))


def fill(kind: type[Settings], *options: StrictModel, **given: Any) -> Settings:
    """Settings of a stage: what options say of fields that these have too, and ``given`` fields.

    Of several options the last one counts, and what is given before all.
    """
    shared = {
        name: getattr(one, name)
        for one in options
        for name in type(one).model_fields.keys() & kind.model_fields.keys()
    }
    # Options have texts where some settings have paths.
    return kind.model_validate({**shared, **given}, strict=False)


def name_settings(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Content of settings files of a run or dataset by path below ``data``, from that by key."""
    return {f"{name}/settings/{key}.json": value for key, value in settings.items()}


def describe_code_and_inputs(
    rules: Mapping[str, RuleCode],
    kinds: Iterable[str],
    library: Path,
    inputs: Mapping[str, str],
    published: Mapping[str, PublishedInput],
) -> dict[str, Any]:
    """Code of rules, rankers and loaders, and states of raw inputs, by key of ``name_settings``.

    Args:
        rules: what each rule executes.
        kinds: the rankers.
        library: folder of the package ``ncsbench``.
        inputs: paths of the raw inputs, by name.
        published: those that a rule gets where they are not there, by path.
    """
    code = describe_code(rules, kinds, library, loaders=list_loaders())
    states = {name: describe_input(path, published) for name, path in inputs.items()}
    return {
        **{f"code/{name}": value for name, value in code.items()},
        **{f"inputs/{name}": value for name, value in states.items()},
    }
