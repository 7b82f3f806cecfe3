"""A reduced copy of the project, plain runs in it, and what they made."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from tests.patience import LONGEST
from tests.workflow.conftest import copy_project

MODELS = ("bm25", "ncs", "unif_stackoverflow_c")
TARGET = "results/table1.csv"
TABLES = (TARGET, "results/sample/table1.csv")
MARK = "NCSBENCH_FAULT"
ERROR = re.compile(r"ncsbench: error|[A-Z]\w+(Error|Exception):|Error in rule|^Error:")
# Measurements, and what a run knows about its own past.
SOCKETS = shutil.ignore_patterns("ncsbench.jobs")
"""What cannot be copied: where jobs of a run that is no more were asked for."""
LEFT_OUT_FOLDERS = {"logs", "checksums"}
LEFT_OUT_FILES = {"provenance.json", ".snakemake_timestamp"}


@dataclass(frozen=True)
class Finished:
    """How a run ended: its exit status, what it wrote to the terminal, how long it took."""

    status: int
    output: str
    seconds: float

    def tail(self, lines: int = 8) -> str:
        """Its lines with an error, else the last lines of what it wrote, as one line."""
        written = [line.strip() for line in self.output.splitlines() if line.strip()]
        errors = [line for line in written if ERROR.search(line)]
        return " | ".join((errors or written)[-lines:])[:1000]


@dataclass
class Project:
    """A copy of the project in a folder; ``prefix`` stands before every command."""

    folder: Path
    prefix: list[str] = field(default_factory=list)
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def log(self) -> Path:
        """Where the runs write to; beside the copy, so that no run can find it."""
        return self.folder.parent / f"{self.folder.name}.log"

    def environment(self) -> dict[str, str]:
        """The caller's variables without those of this project, the mark that processes carry."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("NCSBENCH") and name != "PYTHONPATH"
        }
        path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", os.defpath)])
        return {**kept, "PATH": path, MARK: self.mark}

    def start(self, *targets: str, log: Path | None = None) -> subprocess.Popen[bytes]:
        """Begin a plain run; its terminal is a file, which an orphan cannot block."""
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *(targets or (TARGET,))]
        with (log or self.log).open("wb") as output:
            return subprocess.Popen(
                [*self.prefix, *command],
                cwd=self.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def run(self, *targets: str) -> Finished:
        """A plain run to its end."""
        started = time.monotonic()
        process = self.start(*targets)
        try:
            status = process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            end_processes(self.mark)
            return Finished(-1, f"no end after {LONGEST:.0f} s", LONGEST)
        return Finished(status, self.output(), time.monotonic() - started)

    def call(self, command: str) -> Finished:
        """A command as a person would paste it into a shell."""
        started = time.monotonic()
        done = subprocess.run(
            [*self.prefix, "bash", "-c", command],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST,
        )
        return Finished(done.returncode, done.stdout + done.stderr, time.monotonic() - started)

    def output(self) -> str:
        """What the last run wrote to its terminal so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def artifacts(self) -> dict[str, str]:
        """SHA-256 of every file that runs made, except measurements."""
        return {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for top in ("data", "results")
            for path in sorted((self.folder / top).rglob("*"))
            if path.is_file()
            and not LEFT_OUT_FOLDERS & set(path.relative_to(self.folder).parts)
            and path.name not in LEFT_OUT_FILES
        }

    def forget_tables(self, but: Path | None = None) -> None:
        """Remove what the last jobs made, so that a run has something to do; one file may stay."""
        for table in TABLES:
            if self.folder / table != but:
                (self.folder / table).unlink(missing_ok=True)

    def leftovers(self) -> list[str]:
        """Files under a temporary name."""
        found = [path for top in ("data", "results") for path in (self.folder / top).rglob("*.tmp")]
        return sorted(str(path.relative_to(self.folder)) for path in found)


def reduce_project(root: Path, folder: Path, models: Sequence[str]) -> Project:
    """A copy with few models and no replicates: every kind of rule and artifact, in a short run."""
    copy_project(root, folder)
    path = folder / "config" / "config.yaml"
    config = yaml.safe_load(path.read_text())
    config["models"] = list(models)
    path.write_text(yaml.safe_dump(config))
    sample = "config/datasets/sample.yaml"
    shutil.copyfile(root / sample, folder / sample)  # without the replicate of the copy
    return Project(folder)


def processes_with(mark: str) -> list[int]:
    """Ids of the living processes that carry a mark in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:  # ended in the meantime, or another user's
            continue
        if f"{MARK}={mark}".encode() in environment:
            found.append(int(entry.name))
    return found


def wait_for_processes(mark: str, seconds: float) -> float | None:
    """Seconds until no process with this mark lives; None where some still do."""
    started = time.monotonic()
    while processes_with(mark):
        if time.monotonic() - started > seconds:
            return None
        time.sleep(0.1)
    return time.monotonic() - started


def end_processes(mark: str) -> None:
    """Kill what is left of the runs of one project."""
    while left := processes_with(mark):
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.1)


@contextmanager
def copied(source: Project, folder: Path, *, keep: Callable[[], bool]) -> Iterator[Project]:
    """A copy of a project with the times of its files; removed afterwards unless to be kept."""
    shutil.copytree(source.folder, folder, symlinks=True, ignore=SOCKETS)
    project = Project(folder)
    try:
        yield project
    finally:
        end_processes(project.mark)
        if not keep():
            shutil.rmtree(folder, ignore_errors=True)
            project.log.unlink(missing_ok=True)
