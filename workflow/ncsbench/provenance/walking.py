"""The way from tables back to their raw sources, from what Snakemake recorded of its jobs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from ncsbench.errors import DataError
from ncsbench.provenance.artifacts import describe_artifact
from ncsbench.provenance.lineage import (
    CODE,
    FILE,
    GONE,
    SETTINGS,
    SOURCE,
    Artifact,
    Job,
    Lineage,
    Software,
    Value,
)
from ncsbench.provenance.metadata import Metadata, Record, format_time
from ncsbench.safe_text import show_visibly
from ncsbench.storage import read_json


def trace_tables(
    tables: Iterable[str],
    *,
    dataset: str,
    metadata: Metadata,
    settings: Path,
    version: str,
    machine: str,
    earlier: Lineage | None = None,
    made: Iterable[str] = (),
) -> Lineage:
    """Everything between tables and their raw sources.

    A job of ``earlier`` stays as it is told there where its outputs and inputs are the same: after
    ``dvc pull`` and ``snakemake --touch`` the records say when files were touched, not when they
    were made, nor on which machine.

    Args:
        tables: paths as the workflow names them.
        dataset: name of the dataset.
        metadata: Snakemake's records.
        settings: folder of the settings files. What is in ``code/`` tells the code of a rule, what
            is in ``inputs/`` the path and hash of a raw input.
        version: of the code, for jobs that ``earlier`` does not tell.
        machine: of such jobs.
        earlier: what was written before.
        made: folders in which everything but settings is made by a job.

    Raises:
        DataError: where a table is missing, a record or a settings file is broken, or a file
            cannot be read.
    """
    before = earlier or Lineage("", {}, (), ())
    walk = _Walk(metadata, PurePosixPath(settings), version, machine, before, tuple(made))
    asked = tuple(sorted(set(tables)))
    for table in asked:
        if not Path(table).is_file():
            raise DataError(f"{table}: there is no such file; run Snakemake to make it")
    walk.go(asked)
    return Lineage(
        dataset=dataset,
        artifacts=dict(sorted(walk.artifacts.items())),
        jobs=tuple(sorted(walk.jobs, key=lambda job: (job.rule, job.outputs))),
        tables=asked,
        notes=tuple(walk.notes()),
    )


@dataclass
class _Walk:
    _metadata: Metadata
    _settings: PurePosixPath
    _version: str
    _machine: str
    _earlier: Lineage
    _made: tuple[str, ...]
    _checksums: dict[str, str] = field(default_factory=dict)
    _stated: dict[str, str] = field(default_factory=dict)  # hash of a raw input, by its path
    _unrecorded: list[str] = field(default_factory=list)
    _changed: set[str] = field(default_factory=set)
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)

    def go(self, tables: Iterable[str]) -> None:
        waiting, seen = list(tables), set(tables)
        made: set[str] = set()
        while waiting:
            path = waiting.pop()
            if path in made:  # by a job that another of its outputs led to
                continue
            job = self._find_job(path)
            if job is None:
                self._describe(path)
                if self._is_made(path):
                    self._unrecorded.append(path)
                continue
            self.jobs.append(job)
            made.update(job.outputs)
            for output in job.outputs:
                self._describe(output)
            waiting += sorted(set(job.inputs) - seen)
            seen.update(job.inputs)

    def notes(self) -> list[str]:
        notes = []
        if self._unrecorded:
            some = ", ".join(sorted(self._unrecorded)[:3])
            notes.append(
                f"nobody recorded how {len(self._unrecorded)} of the files were made ({some}): "
                "they stand here as sources"
            )
        notes += [
            f"{path} is no longer what the rules that read it were given; run Snakemake again"
            for path in sorted(self._changed)
        ]
        return notes

    def _find_job(self, path: str) -> Job | None:
        old = self._earlier.makers.get(path)
        record = self._metadata.record(path)
        if record is None:
            return old if old is not None and self._is_unchanged(old) else None
        new = self._make_job(record, path)
        same = old is not None and (old.rule, old.command) == (new.rule, new.command)
        if old is not None and same and set(new.outputs) <= set(old.outputs):
            if set(old.inputs) == set(new.inputs) and self._is_unchanged(old):
                return old
        return new

    def _make_job(self, record: Record, path: str) -> Job:
        outputs = tuple(sorted({*self._metadata.outputs_of(record), path}))
        records = [found for one in outputs if (found := self._metadata.record(one)) is not None]
        self._checksums |= record.checksums
        inputs = tuple(sorted({self._resolve(one) for one in record.inputs}))
        self._note_changes(record, inputs)
        settings = {one: self._read_settings(one) for one in inputs if self._kind(one) == SETTINGS}
        codes = [self._read_code(one) for one in inputs if self._kind(one) == CODE]
        return Job(
            rule=record.rule,
            command=record.command,
            inputs=inputs,
            outputs=outputs,
            started=format_time(min((r.started for r in records if r.started), default=None)),
            ended=format_time(max((r.ended for r in records if r.ended), default=None)),
            software=Software(
                version=self._version,
                modules=_join(code.get("modules") for code in codes),
                packages=_join(code.get("packages") for code in codes),
            ),
            machine=self._machine,
            settings={one: values for one, values in settings.items() if values},
        )

    def _note_changes(self, record: Record, inputs: Iterable[str]) -> None:
        for one in inputs:
            known, now = record.checksums.get(one), self._describe(one)
            if known is not None and now.kind != GONE and now.sha256 not in (None, known):
                self._changed.add(one)

    def _is_unchanged(self, old: Job) -> bool:
        """Whether what an earlier job read and made is what lies there now, as far as is known."""
        for path in (*old.outputs, *old.inputs):
            told, now = self._earlier.artifacts.get(path), self._describe(path)
            if told is None:
                return False
            if None not in (told.sha256, now.sha256) and told.sha256 != now.sha256:
                return False
        return True

    def _describe(self, path: str) -> Artifact:
        if path not in self.artifacts:
            self.artifacts[path] = self._look_at(path)
        return self.artifacts[path]

    def _look_at(self, path: str) -> Artifact:
        told = self._earlier.artifacts.get(path)
        if path in self._stated:
            return self._look_at_raw(path, self._stated[path])
        if told is not None and told.kind == SOURCE:
            return told
        found = describe_artifact(path)
        if found.kind == GONE:
            known = self._checksums.get(path) or (told.sha256 if told is not None else None)
            return replace(found, sha256=known)
        return replace(found, kind=self._kind(path)) if found.kind == FILE else found

    def _look_at_raw(self, path: str, sha256: str) -> Artifact:
        """A raw input as its settings file tells of it: it may be too large to be hashed again."""
        place = Path(path)
        if place.is_file():
            return Artifact(path, FILE, sha256 or None, place.stat().st_size)
        return Artifact(path, SOURCE, sha256 or None)

    def _resolve(self, path: str) -> str:
        """The raw input that a settings file tells the state of; else the path itself."""
        if PurePosixPath(path).parent != self._settings / "inputs" or not Path(path).is_file():
            return path
        state = read_json(Path(path))
        raw = state.get("path") if isinstance(state, dict) else None
        sha256 = state.get("sha256") if isinstance(state, dict) else None
        if not isinstance(raw, str) or not isinstance(sha256, str | None):
            raise DataError(f"{path}: tells no path and hash of a raw input; remove it")
        self._stated[raw] = sha256 or ""
        return raw

    def _kind(self, path: str) -> str:
        place = PurePosixPath(path)
        if not place.is_relative_to(self._settings):
            return FILE
        return CODE if place.parent == self._settings / "code" else SETTINGS

    def _is_made(self, path: str) -> bool:
        place = PurePosixPath(path)
        if place.is_relative_to(self._settings):
            return False
        return any(place.is_relative_to(folder) for folder in self._made)

    def _read_settings(self, path: str) -> dict[str, Value]:
        if not Path(path).is_file():
            return {}
        value = read_json(Path(path))
        content = value if isinstance(value, dict) else {"content": value}
        return {_clean(key): _to_value(one) for key, one in sorted(content.items())}

    def _read_code(self, path: str) -> dict[str, Any]:
        value = read_json(Path(path)) if Path(path).is_file() else {}
        if not isinstance(value, dict):
            raise DataError(f"{path}: tells no code of a rule; remove it")
        return value


def _to_value(value: Any) -> Value:
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return _clean(json.dumps(value, sort_keys=True, ensure_ascii=False))


def _clean(text: str) -> str:
    """Text that can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return show_visibly(text)
    return text


def _join(mappings: Iterable[Any]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for mapping in mappings:
        if isinstance(mapping, dict):
            joined |= {_clean(str(key)): _clean(str(value)) for key, value in mapping.items()}
    return dict(sorted(joined.items()))
