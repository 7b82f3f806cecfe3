"""Lineage as an RO-Crate 1.1 that follows the Process Run Crate profile, for other tools.

https://w3id.org/ro/crate/1.1 and https://w3id.org/ro/wfrun/process/0.5. Identifiers of files are
their paths from the project's folder, which is the root of the crate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from rocrate.model.contextentity import ContextEntity
from rocrate.model.data_entity import DataEntity
from rocrate.rocrate import ROCrate

from ncsbench.artifacts.storage import hash_bytes, write_json
from ncsbench.provenance.lineage import (
    Artifact,
    Job,
    Lineage,
    Part,
    code_of,
    read_lineage,
    settings_of,
)

_PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
_TERMS = "https://w3id.org/ro/terms/workflow-run/context"
_LICENCE = "https://spdx.org/licenses/Apache-2.0"
_NEVER = datetime.fromtimestamp(0, UTC)
_FORMATS = {
    **{".csv": "text/csv", ".json": "application/json", ".md": "text/markdown"},
    **{".parquet": "application/vnd.apache.parquet", ".svg": "image/svg+xml"},
    **{".tex": "application/x-tex", ".trec": "text/plain", ".txt": "text/plain"},
    **{".gz": "application/gzip", ".tsv": "text/tab-separated-values", ".xml": "application/xml"},
}

_Properties = dict[str, Any]


def export_crate(provenance: Path, output: Path) -> None:
    """Write the metadata document of a crate, ``ro-crate-metadata.json``, atomically.

    Raises:
        DataError: where the provenance file cannot be read or the output not be written.
    """
    write_json(output, to_crate(read_lineage(provenance)))


def to_crate(lineage: Lineage) -> dict[str, Any]:
    """The document; the same for the same lineage."""
    identities = {path: _identify(path, one) for path, one in lineage.artifacts.items()}
    entities: dict[str, _Properties] = {
        _PROFILE: {"@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
        _LICENCE: {"@type": "CreativeWork", "name": "Apache-2.0"},
    }
    for path, artifact in lineage.artifacts.items():
        entities |= _describe_artifact(path, artifact)
    for job in lineage.jobs:
        entities |= _describe_job(job, lineage, identities)
    for number, note in enumerate(lineage.notes, start=1):
        entities[f"#note/{number}"] = {"@type": "Comment", "text": note}
    crate = ROCrate(version="1.1")
    crate.metadata.extra_contexts.append(_TERMS)
    for identity, properties in sorted(entities.items()):
        in_crate = properties["@type"] in ("File", "Dataset") and not identity.startswith("#")
        crate.add((DataEntity if in_crate else ContextEntity)(crate, identity, properties))
    for name, value in _describe_root(lineage, entities, identities).items():
        crate.root_dataset[name] = value
    document: dict[str, Any] = crate.metadata.generate()
    return document


def _describe_root(
    lineage: Lineage, entities: Iterable[str], identities: dict[str, str]
) -> _Properties:
    ended = [job.ended for job in lineage.jobs if job.ended is not None]
    return {
        "name": f"Tables of the dataset {lineage.dataset}",
        "description": (
            f"How ncsbench made the tables of the dataset {lineage.dataset}: every job and file "
            "between them and the raw sources. Paths are from the project's folder."
        ),
        "datePublished": max(ended, default=_NEVER).isoformat(),
        "license": {"@id": _LICENCE},
        "conformsTo": {"@id": _PROFILE},
        "identifier": lineage.dataset,
        "mainEntity": _refer(identities[path] for path in lineage.tables),
        "mentions": _refer(_identify_job(job) for job in lineage.jobs),
        "comment": _refer(key for key in entities if key.startswith("#note/")),
    }


def _describe_artifact(path: str, artifact: Artifact) -> dict[str, _Properties]:
    identity = _identify(path, artifact)
    entity: _Properties = {"@type": "File", "name": path, "additionalType": artifact.kind}
    entity |= _measure(artifact)
    if artifact.kind in ("gone", "source"):
        return {identity: {**entity, "@type": "CreativeWork"}}
    if artifact.kind != "folder":
        return {identity: {**entity, "encodingFormat": _name_format(path)}}
    parts: dict[str, _Properties] = {
        f"{identity}{quote(name)}": {
            **{"@type": "File", "name": name, "encodingFormat": _name_format(name)},
            **_measure(part),
        }
        for name, part in artifact.parts.items()
    }
    return {identity: {**entity, "@type": "Dataset", "hasPart": _refer(parts)}, **parts}


def _measure(described: Artifact | Part) -> _Properties:
    size = None if described.size is None else str(described.size)
    measures = {"sha256": described.sha256, "contentSize": size}
    return {name: value for name, value in measures.items() if value is not None}


def _describe_job(job: Job, lineage: Lineage, identities: dict[str, str]) -> dict[str, _Properties]:
    settings: dict[str, _Properties] = {
        f"#setting/{quote(path)}/{quote(key, safe='')}": {
            "@type": "PropertyValue",
            "name": key,
            "value": value if isinstance(value, str | int | float) else json.dumps(value),
            "isPartOf": {"@id": identities[path]},
        }
        for path, content in settings_of(job, lineage.artifacts).items()
        for key, value in (content if isinstance(content, dict) else {"content": content}).items()
    }
    software = _describe_software(job, lineage)
    action: _Properties = {
        "@type": "CreateAction",
        "name": job.rule,
        "description": job.command,
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "instrument": {"@id": next(iter(software))},
        "object": _refer([*(identities[path] for path in job.inputs), *settings]),
        "result": _refer(identities[path] for path in job.outputs),
    }
    others: dict[str, _Properties] = {}
    if job.machine is not None:
        machine = f"#machine/{_digest(job.machine)}"
        others[machine] = {"@type": "PropertyValue", "name": "machine", "value": job.machine}
        action["additionalProperty"] = {"@id": machine}
    times = {"startTime": job.started, "endTime": job.ended}
    action |= {key: time.isoformat() for key, time in times.items() if time is not None}
    return {_identify_job(job): action, **software, **others, **settings}


def _describe_software(job: Job, lineage: Lineage) -> dict[str, _Properties]:
    """The code of a job's rule at one version, then its modules and its packages."""
    modules: dict[str, _Properties] = {
        f"#module/{quote(name)}/{quote(digest)}": {
            "@type": "SoftwareSourceCode",
            "name": name,
            "identifier": digest,
        }
        for name, digest in code_of(job, lineage.artifacts, "modules").items()
    }
    packages: dict[str, _Properties] = {
        f"#package/{quote(name)}/{quote(version)}": {
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": version,
        }
        for name, version in code_of(job, lineage.artifacts, "packages").items()
    }
    version = "not recorded" if job.code is None else str(job.code)
    code: _Properties = {
        "@type": "SoftwareApplication",
        "name": f"ncsbench, as rule {job.rule} runs it",
        "softwareVersion": version,
        "hasPart": _refer(modules),
        "softwareRequirements": _refer(packages),
    }
    identity = f"#code/{quote(job.rule)}/{_digest(version, *modules, *packages)}"
    return {identity: code, **modules, **packages}


def _identify(path: str, artifact: Artifact) -> str:
    """A path below the project's folder, or a fragment for what is not there to be found."""
    place = PurePosixPath(path)
    inside = not place.is_absolute() and ".." not in place.parts and path != "."
    slash = "/" if artifact.kind == "folder" else ""
    fragment = "" if inside and artifact.kind not in ("source", "gone") else "#file/"
    return f"{fragment}{quote(path)}{slash}"


def _identify_job(job: Job) -> str:
    return f"#job/{quote(job.rule)}/{_digest(*job.outputs)}"


def _digest(*texts: str) -> str:
    return hash_bytes(json.dumps(texts).encode())[:12]


def _refer(identities: Iterable[str]) -> list[_Properties] | _Properties:
    """References; one stands by itself, as RO-Crate 1.1 recommends."""
    references: list[_Properties] = [{"@id": identity} for identity in sorted(set(identities))]
    return references[0] if len(references) == 1 else references


def _name_format(path: str) -> str:
    return _FORMATS.get(PurePosixPath(path).suffix, "application/octet-stream")
