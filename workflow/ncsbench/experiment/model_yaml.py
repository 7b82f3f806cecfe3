"""Model files as they are written: how they are named, and the keys that one takes from another."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ncsbench.configuration.files import list_names, read_yaml
from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import ConfigurationError


def is_path(name: str) -> bool:
    """Whether a model is named by the path of its file."""
    return name.endswith((".yaml", ".yml"))


def place_model(name: str) -> str:
    """The name of a model, or the whole path of its file."""
    return os.path.normpath(Path(name).absolute()) if is_path(name) else name


def name_rows(models: Iterable[str]) -> list[str]:
    """What models are called that are given by name or path."""
    return [Path(name).stem if is_path(name) else name for name in models]


def name_models(root: Path) -> list[str]:
    """Names of all model files, sorted."""
    return list_names(root / "config" / "models")


def read_model_file(path: Path, root: Path, known: list[str]) -> Any:
    """The keys of a model file, with those that its key ``like`` brings; not checked further.

    Args:
        path: of the file.
        root: folder of the Snakefile.
        known: names of the models that ``like`` may name; else it is the path of a model file.

    Raises:
        ConfigurationError: for a file that is not there, and for keys that would count for nothing.
    """
    own = _read_one(path)
    merged = _read_like(path, own, root, known)
    _refuse_beside(path, own, merged)
    return merged


def _read_one(path: Path) -> Any:
    """What one file says, with the path of a Python file as one from the working directory."""
    values = read_yaml(path)
    name = values.get("python") if isinstance(values, dict) else None
    if isinstance(name, str):
        found = _find_file(path, "python", name)
        # The same on every machine, where it can be.
        relative = os.path.relpath(found)
        below = not relative.startswith("..")
        values["python"] = relative if below else os.path.normpath(found.absolute())
    return values


def _find_file(path: Path, key: str, name: str) -> Path:
    """A file that a key of a model file names: beside that file, or in the working directory."""
    for place in (path.parent / name, Path(name)):
        if place.is_file():
            return place
    raise ConfigurationError(
        f"{path}: {key}: {name} lies neither beside the model file nor in the working directory"
    )


_TAKEN_OVER = {
    "base": ("words", "embedding", "training", "vectors_of"),
    "vectors_of": ("words", "embedding"),
}
"""Keys that another model's file answers for."""


def _refuse_beside(path: Path, own: Any, merged: Any) -> None:
    """``ConfigurationError`` for a key of the file itself that would count for nothing."""
    for other, keys in _TAKEN_OVER.items():
        for key in keys:
            if isinstance(own, dict) and key in own and other in merged:
                raise ConfigurationError(
                    f"{path}: {key!r} counts for nothing beside '{other}: {merged[other]}', which "
                    f"brings its own; remove one of them"
                )


def _read_like(path: Path, own: Any, root: Path, known: list[str]) -> Any:
    """The keys of a model file over those of the file that its key ``like`` names."""
    if not isinstance(own, dict) or "like" not in own:
        return own
    like = own.pop("like")
    if isinstance(like, str) and is_path(like):
        source = _find_file(path, "like", like)
    elif like in known:
        source = root / "config" / "models" / f"{like}.yaml"
    else:
        raise ConfigurationError(f"{path}: like: {like!r} is no model; {nearest(str(like), known)}")
    pattern = _read_one(source)
    if not isinstance(pattern, dict) or "like" in pattern:
        raise ConfigurationError(f"{path}: like: {source.name} must be a model file without 'like'")
    # Only the file that says so rebuilds a published system or stands beside one.
    for key in ("published_as", "beside"):
        pattern.pop(key, None)
    for key, other in (("kind", "python"), ("python", "kind")):
        if key in own:
            pattern.pop(other, None)
    merged = {**pattern, **own}
    for key, value in own.items():
        if isinstance(pattern.get(key), dict) and isinstance(value, dict):
            merged[key] = {**pattern[key], **value}
    if isinstance(merged.get("parts"), dict):
        merged["parts"] = _leave_out(path, pattern.get("parts") or {}, merged["parts"])
    return merged


def _leave_out(path: Path, those: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """The parts that are not ``null``; ``those`` are the ones of the other file."""
    for name in (name for name, part in parts.items() if part is None and name not in those):
        raise ConfigurationError(
            f"{path}: parts.{name}: null leaves out a part of the other file, which has no such "
            f"one; {nearest(str(name), sorted(those))}"
        )
    return {name: part for name, part in parts.items() if part is not None}
