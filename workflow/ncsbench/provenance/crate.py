"""Lineage as JSON-LD: an RO-Crate 1.1 that follows the Process Run Crate profile.

https://w3id.org/ro/crate/1.1 and https://w3id.org/ro/wfrun/process/0.5. Identifiers of files are
their paths from the project's folder, which is the root of the crate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from ncsbench.provenance.lineage import FOLDER, GONE, SOURCE, Artifact, Job, Lineage
from ncsbench.storage import hash_bytes

ROOT = "./"
_DESCRIPTOR = "ro-crate-metadata.json"
_CRATE = "https://w3id.org/ro/crate/1.1"
_PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
_TERMS = "https://w3id.org/ro/terms/workflow-run/context"
_LICENCE = "https://spdx.org/licenses/Apache-2.0"
_NEVER = "1970-01-01T00:00:00.000+00:00"

_FORMATS = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".trec": "text/plain",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".xml": "application/xml",
}

Entity = dict[str, Any]


def to_crate(lineage: Lineage) -> dict[str, Any]:
    """The document; the same for the same lineage, whatever the order it was found in."""
    entities: dict[str, Entity] = {}
    identities = {path: _identify(artifact) for path, artifact in lineage.artifacts.items()}
    for artifact in lineage.artifacts.values():
        for entity in _describe_artifact(artifact):
            entities.setdefault(entity["@id"], entity)
    for job in lineage.jobs:
        for entity in _describe_job(job, identities):
            entities.setdefault(entity["@id"], entity)
    for number, note in enumerate(lineage.notes, start=1):
        entities[f"#note/{number}"] = {"@id": f"#note/{number}", "@type": "Comment", "text": note}
    entities[_PROFILE] = {
        "@id": _PROFILE,
        "@type": "CreativeWork",
        "name": "Process Run Crate",
        "version": "0.5",
    }
    entities[_LICENCE] = {"@id": _LICENCE, "@type": "CreativeWork", "name": "Apache-2.0"}
    root = _describe_root(lineage, entities, identities)
    descriptor = {
        "@id": _DESCRIPTOR,
        "@type": "CreativeWork",
        "conformsTo": {"@id": _CRATE},
        "about": {"@id": ROOT},
    }
    others = [entities[key] for key in sorted(entities)]
    return {"@context": [f"{_CRATE}/context", _TERMS], "@graph": [descriptor, root, *others]}


def _describe_root(
    lineage: Lineage, entities: dict[str, Entity], identities: dict[str, str]
) -> Entity:
    inner = {
        part
        for key in identities.values()
        if not key.startswith("#")
        for part in read_references(entities[key], "hasPart")
    }
    payload = {key for key in identities.values() if not key.startswith("#")} | inner
    ended = [job.ended for job in lineage.jobs if job.ended is not None]
    return {
        "@id": ROOT,
        "@type": "Dataset",
        "name": f"Tables of the dataset {lineage.dataset}",
        "description": (
            f"How ncsbench made the tables of the dataset {lineage.dataset}: every job and file "
            "between them and the raw sources. Paths are from the project's folder."
        ),
        "datePublished": max(ended, default=_NEVER),
        "license": {"@id": _LICENCE},
        "conformsTo": {"@id": _PROFILE},
        "identifier": lineage.dataset,
        "hasPart": _refer(payload),
        "mainEntity": _refer(identities[path] for path in lineage.tables),
        "mentions": _refer(_identify_job(job) for job in lineage.jobs),
        "comment": _refer(key for key in entities if key.startswith("#note/")),
    }


def _describe_artifact(artifact: Artifact) -> list[Entity]:
    identity = _identify(artifact)
    types = {FOLDER: "Dataset", SOURCE: "CreativeWork", GONE: "CreativeWork"}
    entity: Entity = {
        "@id": identity,
        "@type": types.get(artifact.kind, "File"),
        "name": artifact.path,
        "additionalType": artifact.kind,
    }
    if artifact.sha256 is not None:
        entity["sha256"] = artifact.sha256
    if artifact.size is not None:
        entity["contentSize"] = str(artifact.size)
    if entity["@type"] == "File":
        entity["encodingFormat"] = _name_format(artifact.path)
    if artifact.kind == GONE:
        entity["description"] = "Was not there any more when this was written."
    parts = [
        {
            "@id": f"{identity}{quote(part.name)}",
            "@type": "File",
            "name": part.name,
            "encodingFormat": _name_format(part.name),
            "sha256": part.sha256,
            "contentSize": str(part.size),
        }
        for part in artifact.parts
    ]
    if artifact.kind == FOLDER:
        entity["hasPart"] = _refer(part["@id"] for part in parts)
    return [entity, *parts]


def _describe_job(job: Job, identities: dict[str, str]) -> list[Entity]:
    settings: list[Entity] = [
        {
            "@id": f"#setting/{quote(path)}/{quote(key, safe='')}",
            "@type": "PropertyValue",
            "name": key,
            "value": value,
            "isPartOf": {"@id": identities[path]},
        }
        for path, values in job.settings.items()
        if path in identities
        for key, value in values.items()
    ]
    machine = {
        "@id": f"#machine/{_digest(job.machine)}",
        "@type": "PropertyValue",
        "name": "machine",
        "value": job.machine,
    }
    instrument, *software = _describe_software(job)
    action: Entity = {
        "@id": _identify_job(job),
        "@type": "CreateAction",
        "name": job.rule,
        "description": job.command,
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "instrument": {"@id": instrument["@id"]},
        "object": _refer(
            [*(identities[path] for path in job.inputs), *(s["@id"] for s in settings)]
        ),
        "result": _refer(identities[path] for path in job.outputs),
        "additionalProperty": {"@id": machine["@id"]},
    }
    times = {"startTime": job.started, "endTime": job.ended}
    action |= {key: time for key, time in times.items() if time is not None}
    return [action, instrument, machine, *software, *settings]


def _describe_software(job: Job) -> list[Entity]:
    """The code of a job's rule at one version, its modules and its packages."""
    modules = [
        {
            "@id": f"#module/{quote(name)}/{quote(digest)}",
            "@type": "SoftwareSourceCode",
            "name": name,
            "identifier": digest,
        }
        for name, digest in job.software.modules.items()
    ]
    packages = [
        {
            "@id": f"#package/{quote(name)}/{quote(version)}",
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": version,
        }
        for name, version in job.software.packages.items()
    ]
    content = [job.software.version, *(entity["@id"] for entity in (*modules, *packages))]
    code = {
        "@id": f"#code/{quote(job.rule)}/{_digest(*content)}",
        "@type": "SoftwareApplication",
        "name": f"ncsbench, as rule {job.rule} runs it",
        "softwareVersion": job.software.version,
        "hasPart": _refer(module["@id"] for module in modules),
        "softwareRequirements": _refer(package["@id"] for package in packages),
    }
    return [code, *modules, *packages]


def _identify(artifact: Artifact) -> str:
    """A path below the project's folder, or a fragment for what is not there to be found."""
    place = PurePosixPath(artifact.path)
    inside = not place.is_absolute() and ".." not in place.parts and artifact.path != "."
    slash = "/" if artifact.kind == FOLDER else ""
    fragment = "" if inside and artifact.kind not in (SOURCE, GONE) else "#file/"
    return f"{fragment}{quote(artifact.path)}{slash}"


def _identify_job(job: Job) -> str:
    return f"#job/{quote(job.rule)}/{_digest(*job.outputs)}"


def _digest(*texts: str) -> str:
    return hash_bytes(json.dumps(texts).encode())[:12]


def _refer(identities: Iterable[str]) -> list[Entity] | Entity:
    """References; one stands by itself, as RO-Crate 1.1 recommends."""
    references: list[Entity] = [{"@id": identity} for identity in sorted(set(identities))]
    return references[0] if len(references) == 1 else references


def read_references(entity: Entity, what: str) -> list[str]:
    """The identifiers that an entity refers to; none where it does not."""
    value = entity.get(what, [])
    references = [value] if isinstance(value, dict) else value
    return [reference["@id"] for reference in references]


def _name_format(path: str) -> str:
    return _FORMATS.get(PurePosixPath(path).suffix, "application/octet-stream")
