"""Where the inputs of a dataset lie on this machine; the block ``inputs`` of a configuration."""

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


def find_input(file: Path, key: str, name: str) -> str:
    """Where an input is that a configuration file names: beside that file, else as it says.

    Args:
        file: the configuration file.
        key: of the name in it, for messages.
        name: path of the input; a published input, and nothing, stay as they are.

    Raises:
        ConfigurationError: where a brace is in its path.
    """
    if name and not is_published_input(name):
        beside = file.parent / name
        name = str(beside if beside.exists() else Path(name))
    return without_braces(f"{file}: {key}", name)


def require_input(file: Path, key: str, name: str) -> str:
    """``find_input`` of what must be there, unless it is a published input that is yet to be got.

    Raises:
        ConfigurationError: where it is nowhere, or a brace is in its path.
    """
    found = find_input(file, key, name)
    if not (is_published_input(found) or Path(found).exists()):
        raise _tell_absent(file, key, name)
    return found


def find_template(file: Path, path: str) -> str:
    """``find_input`` of a folder whose path may have the places of owner and name in it."""
    beside = file.parent / find_fixed_folder(path)
    return str(file.parent / path) if beside.exists() else path


def require_template(file: Path, key: str, path: str) -> str:
    """``find_template`` of a folder that must be there, as far as its path is known."""
    found = find_template(file, path)
    if not find_fixed_folder(found).exists():
        raise _tell_absent(file, key, str(find_fixed_folder(path)))
    return found


def check_template(where: str, kind: str, path: str) -> None:
    """``ConfigurationError`` where clones could not be told apart by the path of their folder."""
    if kind == "git" and not ("{owner}" in path and "{repo}" in path):
        raise ConfigurationError(
            f"{where} of kind git needs {{owner}} and {{repo}} in it, for example "
            "clones/{owner}/{repo}"
        )


def _tell_absent(file: Path, key: str, name: str) -> ConfigurationError:
    return ConfigurationError(
        f"{file}: {key}: {name} exists neither beside the file nor in the working directory"
    )
