"""The JSON files of a store of archives: what was sealed, and what cannot be had.

Where a disk or an editor damaged one of them, a line says what to remove, and what that costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ncsbench.artifacts.storage import read_json
from ncsbench.errors import DataError
from ncsbench.sources.store_files import read_shard


class _Held(BaseModel):
    model_config = ConfigDict(strict=True)
    shard: int
    listed: str | None
    commit: str | None


class _Manifest(BaseModel):
    """What is read of a manifest; older ones have no ``missing_at``."""

    model_config = ConfigDict(strict=True)
    list: str
    missing: dict[str, str]
    missing_at: dict[str, str | None] = {}
    repositories: dict[str, _Held]


class _Note(BaseModel):
    model_config = ConfigDict(strict=True)
    reason: str


def read_manifest(path: Path) -> dict[str, Any]:
    """What was sealed, as ``ArchiveStore.seal`` has it.

    Raises:
        DataError: where the file is not there or damaged, with the remedy.
    """
    remedy = "the next run that fetches makes it again from the shards"
    return _read(path, _Manifest, remedy)


def read_note(path: Path) -> str:
    """Why a repository cannot be had; errors as above."""
    remedy = "the next run asks for this repository again"
    return str(_read(path, _Note, remedy)["reason"])


def _read(path: Path, shape: type[BaseModel], remedy: str) -> dict[str, Any]:
    try:
        value: dict[str, Any] = read_json(path)
        shape.model_validate(value)
    except DataError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise
        raise DataError(f"{error}; remove it, and {remedy}") from error
    except ValidationError as error:
        raise DataError(f"{path}: is not what was written; remove it, and {remedy}") from error
    return value


def describe_shards(shards: Iterable[Path]) -> dict[str, Any]:
    """What the manifest of these shards said, where it is gone: all but what was missing.

    Raises:
        DataError: where a shard is damaged.
    """
    held = {
        stored.name: {"shard": int(path.stem)} | stored.summarise()
        for path in shards
        for stored in read_shard(path)
    }
    return {"list": "", "missing": {}, "repositories": held}
