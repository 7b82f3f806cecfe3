"""The way from tables back to their raw sources, from what Snakemake recorded of its jobs."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from ncsbench.artifacts.storage import read_json
from ncsbench.errors import DataError
from ncsbench.provenance.lineage import (
    Artifact,
    Checkout,
    Job,
    Kind,
    Lineage,
    code_of,
    describe_artifact,
    describe_checkout,
    describe_machine,
    read_lineage,
    write_lineage,
)
from ncsbench.provenance.snakemake_records import Metadata, Record

_LOG = logging.getLogger("provenance")
_TRIALS = "trials"


def trace_tables(
    tables: Iterable[str],
    *,
    dataset: str,
    metadata: Metadata,
    settings: Path,
    code: Checkout | None = None,
    machine: str | None = None,
    earlier: Lineage | None = None,
    made: Iterable[str] = (),
) -> Lineage:
    """Everything between tables and their raw sources.

    A job of ``earlier`` stays as it is told there where its outputs and inputs are the same: after
    ``dvc pull`` and ``snakemake --touch`` the records say when files were touched, not when they
    were made, nor on which machine. Only where it had run code that no commit of the history has,
    and the same code stands in a commit now, that commit is named.

    Args:
        tables: paths as the workflow names them.
        dataset: name of the dataset.
        metadata: Snakemake's records.
        settings: folder of the settings files. What is in ``code/`` tells the code of a rule, what
            is in ``inputs/`` the path and hash of a raw input.
        code: the checkout, for jobs that ``earlier`` does not tell; None where it may have been
            another then.
        machine: of such jobs, likewise.
        earlier: what was written before.
        made: folders in which everything but settings is made by a job.

    Raises:
        DataError: where a table is missing, a record or a settings file is broken, or a file
            cannot be read.
    """
    before = earlier or Lineage("", {}, (), ())
    walk = _Walk(metadata, PurePosixPath(settings), code, machine, before, tuple(made))
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
    _code: Checkout | None
    _machine: str | None
    _earlier: Lineage
    _made: tuple[str, ...]
    _checksums: dict[str, str] = field(default_factory=dict)
    _stated: dict[str, dict[str, Any]] = field(default_factory=dict)  # of a raw input, by its path
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
                place = PurePosixPath(path)
                is_setting = place.is_relative_to(self._settings)
                if not is_setting and any(map(place.is_relative_to, self._made)):
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
        if (
            old is not None
            and (old.rule, old.command, {*old.inputs}) == (new.rule, new.command, {*new.inputs})
            and {*new.outputs} <= {*old.outputs}
            and self._is_unchanged(old)
        ):
            return replace(old, code=_choose_code(old.code, new.code))
        return new

    def _make_job(self, record: Record, path: str) -> Job:
        outputs = tuple(sorted({*self._metadata.outputs_of(record), path}))
        records = [found for one in outputs if (found := self._metadata.record(one)) is not None]
        self._checksums |= record.checksums
        inputs = tuple(sorted({self._resolve(one) for one in record.inputs}))
        for one in inputs:
            known, now = record.checksums.get(one), self._describe(one)
            if known is not None and now.kind != "gone" and now.sha256 not in (None, known):
                self._changed.add(one)
        job = Job(
            rule=record.rule,
            command=record.command,
            inputs=inputs,
            outputs=outputs,
            started=min((r.started for r in records if r.started), default=None),
            ended=max((r.ended for r in records if r.ended), default=None),
            machine=self._machine,
        )
        if self._code is None:
            return job
        modules = code_of(job, self.artifacts, "modules")
        changed = [name for name in self._code.changed if name in modules or not modules]
        return replace(job, code=replace(self._code, changed=tuple(changed)))

    def _is_unchanged(self, old: Job) -> bool:
        """Whether what an earlier job read and made is what lies there now, as far as is known."""
        for path in (*old.outputs, *old.inputs):
            told, now = self._earlier.artifacts.get(path), self._describe(path)
            if told is None or (
                None not in (told.sha256, now.sha256) and told.sha256 != now.sha256
            ):
                return False
        return True

    def _describe(self, path: str) -> Artifact:
        if path not in self.artifacts:
            self.artifacts[path] = self._look_at(path)
        return self.artifacts[path]

    def _look_at(self, path: str) -> Artifact:
        told = self._earlier.artifacts.get(path)
        if path in self._stated:  # as its settings file tells: it may be too large to hash again
            is_file = Path(path).is_file()
            size = Path(path).stat().st_size if is_file else None
            state = self._stated[path]
            kind: Kind = "file" if is_file else "source"
            return Artifact(kind, state["sha256"] or None, size, content=state.get("kind"))
        if told is not None and told.kind == "source":
            return told
        found = describe_artifact(path)
        if found.kind == "gone":
            known = self._checksums.get(path) or (told.sha256 if told is not None else None)
            return replace(found, sha256=known)
        place = PurePosixPath(path)
        if found.kind != "file" or not place.is_relative_to(self._settings):
            return found
        told_by: Kind = "code" if place.parent == self._settings / "code" else "settings"
        return replace(found, kind=told_by, content=read_json(Path(path)))

    def _resolve(self, path: str) -> str:
        """The raw input that a settings file tells the state of; else the path itself."""
        if PurePosixPath(path).parent != self._settings / "inputs" or not Path(path).is_file():
            return path
        state = read_json(Path(path))
        raw = state.get("path") if isinstance(state, dict) else None
        sha256 = state.get("sha256") if isinstance(state, dict) else None
        if not isinstance(raw, str) or not isinstance(sha256, str | None):
            raise DataError(f"{path}: tells no path and hash of a raw input; remove it")
        self._stated[raw] = {"sha256": None, **state}
        return raw


def _choose_code(old: Checkout | None, new: Checkout | None) -> Checkout | None:
    """Of two checkouts with the same modules the first, unless only the other is a commit."""
    is_commit = [
        one is not None and one.commit is not None and not one.changed for one in (old, new)
    ]
    return new if is_commit == [False, True] or old is None else old


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
        output: the provenance file; jobs that it names already stay as they are.
        tables: paths as the workflow names them, from the working directory.
        dataset: name of the dataset.
        settings: folder of the settings files of the dataset.
        metadata: folder of Snakemake's records.
        also: folders of which every file is described that is there and has a record, but for those
            of trials, which have a provenance of their own.
        made: folders in which everything but settings is made by a job; one without a record is
            named in a note.

    Raises:
        DataError: where a table is missing, or a record, a settings file or ``output`` as it was
            is broken.
    """
    records = Metadata(metadata)
    if not records.outputs():
        _LOG.warning("%s: there are no records of Snakemake", metadata)
    asked = {path.as_posix() for path in tables}
    for place in map(Path, records.outputs()):
        for folder in also:
            is_of_it = place.is_relative_to(folder) and not place.is_relative_to(folder / _TRIALS)
            if is_of_it and place != output and place.is_file():
                asked.add(place.as_posix())
    earlier = read_lineage(output) if output.exists() else None
    lineage = trace_tables(
        asked,
        dataset=dataset,
        metadata=records,
        settings=settings,
        code=describe_checkout(),
        machine=describe_machine(),
        earlier=earlier,
        made=[folder.as_posix() for folder in made],
    )
    for note in lineage.notes:
        _LOG.warning("%s", note)
    write_lineage(output, lineage)
