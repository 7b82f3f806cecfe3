"""What a table was made from: artifacts, the jobs that made them, code and machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

Value = str | int | float | bool
"""A setting; lists, mappings and null stand as JSON text."""

FILE = "file"
FOLDER = "folder"
SETTINGS = "settings"
CODE = "code"
SOURCE = "source"
GONE = "gone"
KINDS = (FILE, FOLDER, SETTINGS, CODE, SOURCE, GONE)
"""Kinds of artifacts: a file, a folder, settings of a job, hashes of a job's code, a place of raw
sources that is not hashed file by file here, and what lies no longer on the disk."""


@dataclass(frozen=True)
class Part:
    """One file of a folder."""

    name: str
    sha256: str
    size: int


@dataclass(frozen=True)
class Artifact:
    """A file or folder that a job read or made.

    Attributes:
        path: as the workflow names it, from the project's folder.
        kind: one of ``KINDS``.
        sha256: of its bytes; of a folder ``artifacts.hash_parts``; None where it is not known.
        size: bytes, of a folder those of its files.
        parts: files of a folder by name.
    """

    path: str
    kind: str
    sha256: str | None = None
    size: int | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Software:
    """The code that a job ran.

    Attributes:
        version: version of ncsbench and commit of its checkout.
        modules: hashes by name of the module; empty where they were not recorded.
        packages: versions by name.
    """

    version: str
    modules: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Job:
    """One execution of a rule.

    Attributes:
        inputs, outputs: paths, sorted.
        started, ended: ISO 8601 in UTC; None where nobody recorded them.
        settings: what it was configured with, by path of the settings file.
        machine: the one that wrote the provenance after the job, in words.
    """

    rule: str
    command: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    started: str | None
    ended: str | None
    software: Software
    machine: str
    settings: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)


@dataclass(frozen=True)
class Lineage:
    """Tables of a dataset with everything between them and the raw sources.

    Attributes:
        artifacts: by path.
        tables: paths of the tables that were asked for.
        notes: what a reader must know, such as jobs that nobody recorded.
    """

    dataset: str
    artifacts: Mapping[str, Artifact]
    jobs: tuple[Job, ...]
    tables: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def makers(self) -> dict[str, Job]:
        """The job that made a path; a path without one is a source."""
        return {path: job for job in self.jobs for path in job.outputs}
