"""Where the inputs of a dataset lie on this machine; the block ``inputs`` of a configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ncsbench.configuration.files import without_braces
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import ConfigurationError

WHERE = "config/config.yaml or --config: inputs"


def _list_paths(value: Any) -> Any:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


Paths = Annotated[
    tuple[str, ...], BeforeValidator(_list_paths, json_schema_input_type=str | tuple[str, ...])
]
"""One path or a list of paths."""
_Path = Annotated[str, Field(min_length=1)]


class InputPaths(StrictModel):
    """Where inputs lie on this machine, instead of where the dataset file says.

    Each must be there, and replaces a key that the dataset file has. A relative path is looked for
    from the folder in which Snakemake runs.
    """

    repositories: _Path | None = None
    """Instead of ``repositories``."""
    source: _Path | None = None
    """Instead of ``source.path``."""
    questions: Paths = ()
    """Instead of ``questions``."""
    posts: _Path | None = None
    """Instead of ``posts.path``."""
    users: _Path | None = None
    """Instead of ``posts.users``."""
    links: _Path | None = None
    """Instead of ``posts.links``."""
    pairs: dict[str, _Path] = Field({})
    """Instead of ``path`` of sets of training pairs, by name of the set."""
    published: Path | None = None
    """Folder with the files of config/sources/, by name, which are copied from there and not
    downloaded (docs/datasets.md)."""


def check_given(key: str, path: str) -> str:
    """A path of the block as an input of the workflow.

    Raises:
        ConfigurationError: where there is nothing, or a brace is in its name.
    """
    if not Path(path).exists():
        raise ConfigurationError(f"{WHERE}.{key}: there is no {path}; correct or remove the line")
    return without_braces(f"{WHERE}.{key}", path)
