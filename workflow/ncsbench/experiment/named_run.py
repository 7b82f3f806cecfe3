"""What runs have in common: where their files are, and settings files of code and of raw inputs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ncsbench.configuration.strict_model import StrictModel
from ncsbench.experiment.input_files import describe_input
from ncsbench.published_inputs.checksums import check_published
from ncsbench.published_inputs.source_files import PublishedInput, is_published_input
from ncsbench.rankers.learnt_kinds import list_loaders
from ncsbench.run_control.rule_code import RuleCode, describe_code


@dataclass(frozen=True)
class NamedRun:
    """A run that is named by its file, and looked at only where one of its files is asked for.

    Attributes:
        name: of its file in ``folder``, of its folders in ``data`` and ``results``.
        root: folder of the Snakefile.
        published: files of others that a rule gets where they are not there, by path.
    """

    folder: ClassVar[str]

    name: str
    root: Path
    published: Mapping[str, PublishedInput]

    @property
    def where(self) -> Path:
        """Its file, as messages name it."""
        return self.root / self.folder / f"{self.name}.yaml"

    def is_at_hand(self, path: str) -> bool:
        """Whether an input is there, or a rule gets it."""
        return path in self.published or Path(path).exists()

    def check_inputs(self, paths: Iterable[str]) -> None:
        """Raise ``DataError`` for a published input that is there and not as it should be."""
        published = [path for path in dict.fromkeys(paths) if is_published_input(path)]
        check_published({path: self.published[path] for path in published})


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


def read_record(path: Path) -> dict[str, Any]:
    """The record beside a result that is kept; empty where there is none that can be read."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, RecursionError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def is_made_with(made_with: object, settings: StrictModel) -> bool:
    """Whether the ``settings`` of a record are these."""
    return bool(made_with == json.loads(json.dumps(settings.as_json())))
