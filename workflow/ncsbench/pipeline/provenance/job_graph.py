"""The way from tables back to their raw sources, from Snakemake's records of its jobs.

Snakemake writes one JSON file per output. The names and contents of these files are private to
Snakemake (``snakemake.persistence``); no other module of this package knows them.
"""

from __future__ import annotations

import base64
import binascii
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ncsbench.base.files.storage import read_json
from ncsbench.errors import DataError
from ncsbench.pipeline.provenance.lineage import (
    Artifact,
    Checkout,
    Job,
    Lineage,
    code_of,
    describe_artifact,
    describe_checkout,
    describe_fault,
    read_lineage,
    write_lineage,
)

FOLDER = Path(".snakemake/metadata")
_LOG = logging.getLogger("provenance")
_TRIALS = "trials"


class _Record(BaseModel):
    """The fields of a record that are used, under Snakemake's names."""

    model_config = ConfigDict(strict=True)

    rule: str
    shellcmd: str | None = None
    input: list[str] | None = None
    input_checksums: dict[str, Any] | None = None
    """SHA-256 of the small inputs when the job ended, by path."""


class Metadata:
    """The records below a folder; empty where there is no such folder."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._records: dict[str, tuple[Job, dict[str, Any]] | DataError] = {}
        self._outputs: dict[Job, list[str]] = {}
        for output, path in sorted(_find_records(folder)):
            try:
                read = _read_record(path)
            except DataError as error:  # the error matters only where a table depends on the record
                self._records[output] = error
                continue
            job = Job(read.rule, read.shellcmd or "", tuple(sorted(set(read.input or []))))
            self._records[output] = job, read.input_checksums or {}
            self._outputs.setdefault(job, []).append(output)

    def outputs(self) -> list[str]:
        """List all outputs with a record, sorted."""
        return sorted(self._records)

    def find(self, output: str) -> tuple[Job, dict[str, Any]] | None:
        """Find the job that made an output, and Snakemake's checksums of small inputs by path.

        Returns:
            None where there is no record.

        Raises:
            DataError: where the record is broken.
        """
        found = self._records.get(output)
        if isinstance(found, DataError):
            raise found
        if found is None:
            return None
        return replace(found[0], outputs=tuple(self._outputs[found[0]])), found[1]


def _find_records(folder: Path) -> Iterator[tuple[str, Path]]:
    """Find outputs with the files of their records.

    A file has the output's name in Base64; long names are cut into folders marked with ``@``.
    """
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent) / name
            *folders, last = path.relative_to(folder).parts
            encoded = "".join(part.removeprefix("@") for part in folders) + last
            try:
                yield base64.b64decode(encoded, altchars=b"-_", validate=True).decode(), path
            except (binascii.Error, ValueError):
                continue  # the file is no record


def _read_record(path: Path) -> _Record:
    try:
        # Not read_json: pydantic's reader also refuses text that cannot be written as UTF-8.
        return _Record.model_validate_json(path.read_bytes())
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except ValidationError as error:
        raise DataError(
            f"{path}: is no record of Snakemake ({describe_fault(error)}); "
            "remove it and run Snakemake again"
        ) from error


def trace_tables(
    tables: Iterable[str],
    *,
    dataset: str,
    metadata: Metadata,
    settings: Path,
    code: Checkout | None = None,
    earlier: Lineage | None = None,
    made: Iterable[str] = (),
) -> Lineage:
    """Trace tables back to their raw sources.

    A job without a record, as after ``dvc pull``, is taken from ``earlier`` if its outputs and
    inputs have not changed.

    Args:
        tables: paths as the workflow names them.
        dataset: name of the dataset.
        metadata: Snakemake's records.
        settings: folder of the settings files. ``code/`` in it has the code of each rule,
            ``inputs/`` the path and hash of each raw input.
        code: the checkout; None where the jobs may have run another one.
        earlier: the lineage that was written before.
        made: folders in which everything but settings is made by a job.

    Raises:
        DataError: where a table is missing, a record or a settings file is broken, or a file
            cannot be read.
    """
    before = earlier or Lineage("", {}, (), ())
    walk = _Walk(metadata, PurePosixPath(settings), code, before)
    asked = tuple(sorted(set(tables)))
    for table in asked:
        if not Path(table).is_file():
            raise DataError(f"{table}: there is no such file; run Snakemake to make it")
    folders = tuple(made)
    unrecorded = [
        path
        for path in walk.go(asked)
        if not PurePosixPath(path).is_relative_to(settings)
        and any(map(PurePosixPath(path).is_relative_to, folders))
    ]
    some = ", ".join(sorted(unrecorded)[:3])
    sources = f"{len(unrecorded)} of the files were made ({some}): they count as sources here"
    notes = [f"nobody recorded how {sources}"] if unrecorded else []
    changed = "is no longer what the rules that read it were given; run Snakemake again"
    notes += [f"{path} {changed}" for path in sorted(walk.changed)]
    return Lineage(
        dataset=dataset,
        artifacts=dict(sorted(walk.artifacts.items())),
        jobs=tuple(sorted(walk.jobs, key=lambda job: (job.rule, job.outputs))),
        tables=asked,
        notes=tuple(notes),
    )


@dataclass
class _Walk:
    _metadata: Metadata
    _settings: PurePosixPath
    _code: Checkout | None
    _earlier: Lineage
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)

    def go(self, tables: Iterable[str]) -> list[str]:
        """Find jobs and artifacts down to the sources, and return the sources."""
        waiting, seen = list(tables), set(tables)
        made, sources = set[str](), list[str]()
        while waiting:
            path = waiting.pop()
            if path in made:  # by a job that was found from another of its outputs
                continue
            job = self._find_job(path)
            if job is None:
                self._describe(path)
                sources.append(path)
                continue
            self.jobs.append(job)
            made.update(job.outputs)
            for one in (*job.outputs, *job.inputs):
                self._describe(one)
            waiting += sorted(set(job.inputs) - seen)
            seen.update(job.inputs)
        return sources

    def _find_job(self, path: str) -> Job | None:
        found = self._metadata.find(path)
        if found is None:
            old = self._earlier.makers.get(path)
            return old if old is not None and self._is_unchanged(old) else None
        job, checksums = found
        job = replace(job, inputs=tuple(sorted({self._resolve(one) for one in job.inputs})))
        read = {one: self._describe(one) for one in job.inputs}
        for one, now in read.items():
            known = str(checksums.get(one, "")).removeprefix("sha256:")
            if known and now.kind != "gone" and now.sha256 not in (None, known):
                self.changed.add(one)
        if self._code is None:
            return job
        modules = code_of(job, read, "modules")
        changed = [name for name in self._code.changed if name in modules or not modules]
        return replace(job, code=replace(self._code, changed=tuple(changed)))

    def _is_unchanged(self, old: Job) -> bool:
        """Return True if inputs and outputs of an earlier job are unchanged, as far as is known."""
        for path in (*old.outputs, *old.inputs):
            told, now = self._earlier.artifacts[path].sha256, self._describe(path).sha256
            if None not in (told, now) and told != now:
                return False
        return True

    def _describe(self, path: str) -> Artifact:
        if path not in self.artifacts:
            self.artifacts[path] = self._look_at(path)
        return self.artifacts[path]

    def _look_at(self, path: str) -> Artifact:
        told = self._earlier.artifacts.get(path)
        if told is not None and told.kind == "source":
            return told
        found = describe_artifact(path)
        if found.kind == "gone" and told is not None:
            return replace(found, sha256=told.sha256)
        place = PurePosixPath(path)
        if found.kind != "file" or not place.is_relative_to(self._settings):
            return found
        is_code = place.parent == self._settings / "code"
        content = read_json(Path(path))
        return replace(found, kind="code" if is_code else "settings", content=content)

    def _resolve(self, path: str) -> str:
        """Return the raw input whose state a settings file has; the path itself for another file.

        A raw input may be too large to be hashed again.
        """
        if PurePosixPath(path).parent != self._settings / "inputs" or not Path(path).is_file():
            return path
        state = read_json(Path(path))
        raw = state.get("path") if isinstance(state, dict) else None
        sha256 = state.get("sha256") if isinstance(state, dict) else None
        if not isinstance(raw, str) or not isinstance(sha256, str | None):
            raise DataError(f"{path}: has no path and hash of a raw input; remove it")
        size = Path(raw).stat().st_size if Path(raw).is_file() else None
        kind = state.get("kind")
        self.artifacts[raw] = Artifact(
            "source" if size is None else "file", sha256 or None, size, content=kind
        )
        return raw


def write_provenance(
    output: Path,
    tables: Sequence[Path],
    dataset: str,
    settings: Path,
    metadata: Path = Path(".snakemake/metadata"),
    also: Sequence[Path] = (),
    made: Sequence[Path] = (),
) -> None:
    """Write the way from tables back to their raw sources, as JSON.

    Args:
        output: the provenance file; jobs in it that have no record are kept.
        tables: paths as the workflow names them, from the working directory.
        dataset: name of the dataset.
        settings: folder of the settings files of the dataset.
        metadata: folder of Snakemake's records.
        also: folders of which every file with a record is described, except for files of trials,
            which have a provenance of their own.
        made: folders in which everything but settings is made by a job; files without a record are
            named in a note.

    Raises:
        DataError: where a table is missing, or a record, a settings file or ``output`` as it was
            is broken.
    """
    records = Metadata(metadata)
    if not records.outputs():
        _LOG.warning("%s: there are no records of Snakemake", metadata)
    made_there = (
        place
        for folder in also
        for place in map(Path, records.outputs())
        if place.is_relative_to(folder) and not place.is_relative_to(folder / _TRIALS)
    )
    described = [place for place in made_there if place != output and place.is_file()]
    lineage = trace_tables(
        {path.as_posix() for path in (*tables, *described)},
        dataset=dataset,
        metadata=records,
        settings=settings,
        code=describe_checkout(),
        earlier=read_lineage(output) if output.exists() else None,
        made=[folder.as_posix() for folder in made],
    )
    for note in lineage.notes:
        _LOG.warning("%s", note)
    write_lineage(output, lineage)
