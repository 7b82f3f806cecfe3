"""Places of a dataset's inputs on this machine; the block ``inputs`` of a configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ncsbench.base.configuration.files import without_braces
from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.corpus.sources.source_protocol import find_fixed_folder
from ncsbench.errors import ConfigurationError
from ncsbench.posts.published_inputs.source_files import is_published_input

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
    """Places of inputs on this machine, instead of the places in the dataset file.

    Each input must exist, and replaces a key that the dataset file has. A relative path is looked
    for from the folder in which Snakemake runs.
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
    """Folder with files of config/sources/, by name; they are copied from this folder and not
    downloaded (docs/datasets.md)."""


def check_given(key: str, path: str) -> str:
    """Check a path of the block ``inputs``, and return it as an input of the workflow.

    Raises:
        ConfigurationError: where the path does not exist, or has a brace in its name.
    """
    if not Path(path).exists():
        raise ConfigurationError(f"{WHERE}.{key}: there is no {path}; correct or remove the line")
    return without_braces(f"{WHERE}.{key}", path)


def find_input(file: Path, key: str, name: str) -> str:
    """Find an input that a configuration file names: beside that file, else as its path says.

    Args:
        file: the configuration file.
        key: key that has the name in this file, for messages.
        name: path of the input; that of a published input and an empty path are not changed.

    Raises:
        ConfigurationError: where the path has a brace in it.
    """
    if name and not is_published_input(name):
        beside = file.parent / name
        name = str(beside if beside.exists() else Path(name))
    return without_braces(f"{file}: {key}", name)


def require_input(file: Path, key: str, name: str) -> str:
    """Find an input as ``find_input`` does; it must exist, unless it is a published input.

    Raises:
        ConfigurationError: where the input does not exist, or its path has a brace in it.
    """
    found = find_input(file, key, name)
    if not (is_published_input(found) or Path(found).exists()):
        raise _tell_absent(file, key, name)
    return found


def find_template(file: Path, path: str) -> str:
    """Find a folder as ``find_input`` does; its path may hold ``{owner}`` and ``{repo}``."""
    beside = file.parent / find_fixed_folder(path)
    return str(file.parent / path) if beside.exists() else path


def require_template(file: Path, key: str, path: str) -> str:
    """Find a folder as ``find_template`` does; it must exist up to the first brace of its path."""
    found = find_template(file, path)
    if not find_fixed_folder(found).exists():
        raise _tell_absent(file, key, str(find_fixed_folder(path)))
    return found


def check_template(where: str, kind: str, path: str) -> None:
    """Raise ``ConfigurationError`` where the path of clones lacks ``{owner}`` or ``{repo}``."""
    if kind == "git" and not ("{owner}" in path and "{repo}" in path):
        raise ConfigurationError(
            f"{where} of kind git needs {{owner}} and {{repo}} in it, for example "
            "clones/{owner}/{repo}"
        )


def _tell_absent(file: Path, key: str, name: str) -> ConfigurationError:
    return ConfigurationError(
        f"{file}: {key}: {name} exists neither beside the file nor in the working directory"
    )
