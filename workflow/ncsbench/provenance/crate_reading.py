"""Lineage from the JSON-LD that ``crate`` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ncsbench.errors import DataError
from ncsbench.provenance.crate import ROOT, Entity, read_references
from ncsbench.provenance.lineage import KINDS, Artifact, Job, Lineage, Part, Software, Value
from ncsbench.storage import read_json


def read_lineage(path: Path) -> Lineage:
    """Read a provenance file.

    Raises:
        DataError: where it is missing, or is not what this version writes.
    """
    try:
        document = read_json(path)
    except DataError as error:
        raise DataError(f"{error}; remove it and run Snakemake again") from error
    try:
        graph = document["@graph"]
        entities = {entity["@id"]: entity for entity in graph}
        return _Reader(entities).lineage()
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{path}: is not a provenance file of this version of ncsbench "
            f"({type(error).__name__}: {error}); remove it and run Snakemake again"
        ) from error


class _Reader:
    def __init__(self, entities: dict[str, Entity]) -> None:
        self._entities = entities
        self._paths = {
            key: _text(entity["name"])
            for key, entity in entities.items()
            if entity.get("additionalType") in KINDS
        }

    def lineage(self) -> Lineage:
        root = self._entities[ROOT]
        artifacts = {path: self._artifact(key) for key, path in self._paths.items()}
        jobs = [self._job(self._entities[key]) for key in _keys(root, "mentions")]
        return Lineage(
            dataset=_text(root["identifier"]),
            artifacts=dict(sorted(artifacts.items())),
            jobs=tuple(sorted(jobs, key=lambda job: (job.rule, job.outputs))),
            tables=self._paths_of(root, "mainEntity"),
            notes=tuple(_text(self._entities[key]["text"]) for key in _keys(root, "comment")),
        )

    def _artifact(self, key: str) -> Artifact:
        entity = self._entities[key]
        parts = [self._entities[part] for part in _keys(entity, "hasPart")]
        return Artifact(
            path=self._paths[key],
            kind=_text(entity["additionalType"]),
            sha256=_optional(entity.get("sha256")),
            size=int(entity["contentSize"]) if "contentSize" in entity else None,
            parts=tuple(
                Part(
                    unquote(_text(part["@id"])[len(key) :]),
                    _text(part["sha256"]),
                    int(part["contentSize"]),
                )
                for part in parts
            ),
        )

    def _job(self, entity: Entity) -> Job:
        code = self._entities[_key(entity["instrument"])]
        modules = [self._entities[key] for key in _keys(code, "hasPart")]
        packages = [self._entities[key] for key in _keys(code, "softwareRequirements")]
        return Job(
            rule=_text(entity["name"]),
            command=_text(entity["description"]),
            inputs=self._paths_of(entity, "object"),
            outputs=self._paths_of(entity, "result"),
            started=_optional(entity.get("startTime")),
            ended=_optional(entity.get("endTime")),
            software=Software(
                version=_text(code["softwareVersion"]),
                modules={_text(one["name"]): _text(one["identifier"]) for one in modules},
                packages={_text(one["name"]): _text(one["softwareVersion"]) for one in packages},
            ),
            machine=_text(self._entities[_key(entity["additionalProperty"])]["value"]),
            settings=self._settings(entity),
        )

    def _settings(self, entity: Entity) -> dict[str, dict[str, Value]]:
        settings: dict[str, dict[str, Value]] = {}
        for key in _keys(entity, "object"):
            setting = self._entities[key]
            if setting["@type"] == "PropertyValue":
                path = self._paths[_key(setting["isPartOf"])]
                settings.setdefault(path, {})[_text(setting["name"])] = _value(setting["value"])
        return dict(sorted(settings.items()))

    def _paths_of(self, entity: Entity, what: str) -> tuple[str, ...]:
        return tuple(sorted(self._paths[key] for key in _keys(entity, what) if key in self._paths))


def _keys(entity: Entity, what: str) -> list[str]:
    return [_text(key) for key in read_references(entity, what)]


def _key(reference: Any) -> str:
    return _text(reference["@id"])


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _optional(value: Any) -> str | None:
    return None if value is None else _text(value)


def _value(value: Any) -> Value:
    if not isinstance(value, str | int | float | bool):
        raise TypeError(f"{value!r} is no value")
    return value
