"""The lineage of a table: artifacts, the jobs that made them and their code, as plain JSON.

``results/<dataset>/provenance.json`` holds a ``Lineage`` field by field, in the order of the names.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from ncsbench.base.files.hashes import FOLDER_FLAG, known_hash
from ncsbench.base.files.storage import read_json, write_text
from ncsbench.base.text.safe_text import show_visibly
from ncsbench.errors import DataError
from ncsbench.version import __version__

Kind = Literal["file", "folder", "settings", "code", "source", "gone"]
"""A file, a folder, settings of jobs, the code of a rule, raw sources that are not hashed file by
file here, and artifacts that are no longer on the disk."""


@dataclass(frozen=True)
class Artifact:
    """A file or folder that a job read or made.

    Attributes:
        sha256: hash of the bytes, for a folder as ``describe_artifact`` says; None where unknown.
        size: size in bytes, for a folder the sum over its files.
        content: content of a settings file or of the code of a rule; of raw sources, the kind of
            source.
    """

    kind: Kind
    sha256: str | None = None
    size: int | None = None
    content: Any = None


@dataclass(frozen=True)
class Checkout:
    """The code that a job ran, as git has it; without git, the hashes of modules identify the code.

    Attributes:
        version: version of ncsbench.
        commit: commit of the checkout; None where there is no checkout.
        changed: modules of the job that differ from the commit, sorted.
    """

    version: str
    commit: str | None = None
    changed: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.commit is None:
            return f"ncsbench {self.version}, not in a git checkout"
        text = f"ncsbench {self.version}, commit {self.commit}"
        more = f" and {len(self.changed) - 3} more modules" if self.changed[3:] else ""
        return text + f", with changes in {', '.join(self.changed[:3])}{more}" * bool(self.changed)


@dataclass(frozen=True)
class Job:
    """One execution of a rule.

    Attributes:
        inputs, outputs: paths, sorted.
        code: the checkout; None where nobody recorded it.
    """

    rule: str
    command: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    code: Checkout | None = None


@dataclass(frozen=True)
class Lineage:
    """Tables of a dataset with everything between them and the raw sources.

    Attributes:
        artifacts: artifacts by path, as the workflow names it, from the project's folder.
        jobs: jobs, sorted by rule and outputs.
        tables: paths of the tables that were asked for.
        notes: facts a reader must know, such as jobs that nobody recorded.
    """

    dataset: str
    artifacts: Mapping[str, Artifact]
    jobs: tuple[Job, ...]
    tables: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def makers(self) -> dict[str, Job]:
        """The jobs by the paths they made; a path without a job is a source."""
        return {path: job for job in self.jobs for path in job.outputs}


def code_of(
    job: Job, artifacts: Mapping[str, Artifact], what: Literal["modules", "packages"]
) -> dict[str, str]:
    """Collect hashes of the modules, or versions of the packages, that a job ran, by name."""
    joined: dict[str, str] = {}
    for artifact in (artifacts[path] for path in job.inputs):
        if artifact.kind == "code" and isinstance(artifact.content, dict):
            named = artifact.content.get(what)
            joined |= named if isinstance(named, dict) else {}
    return {name: str(value) for name, value in sorted(joined.items())}


def write_lineage(path: Path, lineage: Lineage) -> None:
    """Write a provenance file, atomically: the same bytes for the same lineage.

    Fields with default values are left out.

    Raises:
        DataError: where a name or a setting is not text.
    """
    try:
        value = TypeAdapter(Lineage).dump_python(lineage, mode="json", exclude_defaults=True)
        # An indent of one blank: this is the largest text of a release, whose size has a limit.
        plain = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
        write_text(path, f"{plain}\n")
    except ValueError as error:  # from the serializer, or from the encoding
        raise DataError(f"{path}: cannot be written, a name or setting is not text") from error


def read_lineage(path: Path) -> Lineage:
    """Read a provenance file; fields of former versions are left out.

    Raises:
        DataError: where the file is missing, or does not have the form that this version writes.
    """
    remedy = "remove it and run Snakemake again"
    try:
        value = read_json(path)
    except DataError as error:
        raise DataError(f"{error}; {remedy}") from error
    try:
        lineage = TypeAdapter(Lineage).validate_python(value)
    except ValidationError as error:
        wrong = describe_fault(error)
    else:
        jobs = {path for job in lineage.jobs for path in (*job.inputs, *job.outputs)}
        missing = sorted({*lineage.tables, *jobs} - lineage.artifacts.keys())
        if not missing:
            return lineage
        wrong = f"does not describe {missing[0]!r}"
    raise DataError(
        f"{path}: is no provenance file of this version of ncsbench ({wrong}); {remedy}"
    )


def describe_fault(error: ValidationError) -> str:
    """Describe the first fault of a file: its place and its kind."""
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'its content'}: {first['msg']}"


def describe_artifact(path: str) -> Artifact:
    """Find hash and size of the file or folder at a path now; kind ``gone`` where nothing is there.

    The hash of a folder is the SHA-256 over one line ``<sha256>  <name>`` for each of its files, in
    the order of the names.

    Raises:
        DataError: where the path cannot be read, or is neither a file nor a folder.
    """
    place = Path(path)
    try:
        if place.is_dir():
            files = [Path(parent) / name for parent, _, names in os.walk(place) for name in names]
            files = [one for one in files if one.name != FOLDER_FLAG and one.is_file()]
            named = {show_visibly(one.relative_to(place).as_posix()): one for one in files}
            lines = [f"{known_hash(one)}  {name}\n" for name, one in sorted(named.items())]
            sha256 = hashlib.sha256("".join(lines).encode()).hexdigest()
            return Artifact("folder", sha256, sum(one.stat().st_size for one in files))
        if place.is_file():
            return Artifact("file", known_hash(place), place.stat().st_size)
        if place.exists():
            raise DataError(f"{path}: is neither a file nor a folder")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    return Artifact("gone")


def describe_checkout(folder: Path | None = None) -> Checkout:
    """Find the version of ncsbench, the commit of its checkout, and modules that differ from it.

    Changes elsewhere do not count: commands, settings and raw inputs are recorded as they are.

    Args:
        folder: the folder with the Snakefile; default: that of this library's checkout.
    """
    folder = Path(__file__).resolve().parents[4] if folder is None else folder.resolve()
    top, commit = (_ask_git(folder, "rev-parse", what) for what in ("--show-toplevel", "HEAD"))
    options = ("--porcelain", "-z", "--no-renames", "--untracked-files=all")
    changed = _ask_git(folder, "status", *options, "workflow/ncsbench")
    # A copy inside the checkout of another project has no commit of its own.
    if not commit or not top or changed is None or Path(top).resolve() != folder:
        return Checkout(__version__)
    # An entry is a mark of three characters and a path: base/text/words.py becomes
    # ncsbench.base.text.words.
    paths = [entry[3:] for entry in changed.split("\0") if entry.endswith(".py")]
    names = (path.removeprefix("workflow/").removesuffix(".py") for path in paths)
    modules = (name.removesuffix("/__init__").replace("/", ".") for name in names)
    return Checkout(__version__, commit, tuple(sorted(modules)))


def _ask_git(folder: Path, *arguments: str) -> str | None:
    """Run git and return its output; None where git is absent or fails."""
    try:
        done = subprocess.run(  # noqa: S603  (fixed program and arguments)
            ["git", "--no-optional-locks", "-C", str(folder), *arguments],  # noqa: S607
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip("\n") if done.returncode == 0 else None
