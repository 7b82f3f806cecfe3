"""What the faults share: the undisturbed run, copies of it, and the record of outcomes."""

import random
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.faults.project import MODELS, SOCKETS, Finished, Project, copied, reduce_project


class PromiseError(Exception):
    """The project did not bear a fault as it must; the message says what was seen."""


@dataclass(frozen=True)
class Outcome:
    """One injected fault and how it ended."""

    fault: str
    case: str
    held: bool
    said: str
    seconds: float

    def line(self) -> str:
        """One line for the terminal."""
        verdict = "ok  " if self.held else "FAIL"
        return f"{verdict} {self.fault:<10} {self.case:<44} {self.seconds:6.1f} s  {self.said}"

    def row(self) -> dict[str, object]:
        """The same for ``--json``."""
        return asdict(self)


@dataclass
class Bench:
    """A reference run and the cases that are held against it.

    ``empty`` is a project in which nothing was run, ``whole`` one with a finished run;
    ``expected`` holds the hash of every artifact of it, ``intermediate`` those of the files that
    a finished run has removed and an interrupted one may have left; ``jobs`` is how many it has.
    """

    scratch: Path
    empty: Project
    whole: Project
    seconds: float
    jobs: int
    expected: dict[str, str]
    intermediate: dict[str, str]
    seed: int = 2019
    kills: int = 30
    keep: bool = False
    report: Callable[[Outcome], None] = lambda outcome: None
    outcomes: list[Outcome] = field(default_factory=list)

    def generator(self, name: str) -> random.Random:
        """Random numbers of one case, the same whichever other cases run."""
        return random.Random(f"{self.seed} {name}")  # noqa: S311

    @contextmanager
    def case(self, fault: str, name: str, said: list[str]) -> Iterator[None]:
        """Record how the block ends; ``said`` takes the words that describe it."""
        started = time.monotonic()
        held = True
        try:
            yield
        except PromiseError as fault_seen:
            held = False
            said.append(str(fault_seen))
        self.add(Outcome(fault, name, held, "; ".join(said), time.monotonic() - started))

    def add(self, outcome: Outcome) -> None:
        """Record an outcome and report it."""
        self.outcomes.append(outcome)
        self.report(outcome)

    @contextmanager
    def project(self, name: str, *, whole: bool) -> Iterator[Project]:
        """A copy for one case, kept afterwards only where asked for and where a case failed."""
        failed = sum(not outcome.held for outcome in self.outcomes)

        def keep() -> bool:
            return self.keep and sum(not one.held for one in self.outcomes) > failed

        folder = self.scratch / name
        shutil.rmtree(folder, ignore_errors=True)
        with copied(self.whole if whole else self.empty, folder, keep=keep) as project:
            yield project

    def check(self, project: Project, done: Finished, but: dict[str, str] | None = None) -> None:
        """``PromiseError`` unless a run ended well and the artifacts are those of the reference.

        ``but`` holds the artifacts that are to be there instead of the expected ones; a file
        mapped to "" may be absent.
        """
        if done.status != 0:
            raise PromiseError(f"the rerun ended with {done.status}: {done.tail()}")
        self.compare(project, but)

    def compare(self, project: Project, but: dict[str, str] | None = None) -> None:
        """``PromiseError`` unless the artifacts are those of the reference."""
        if left := project.leftovers():
            raise PromiseError(f"temporary files are left: {', '.join(left[:3])}")
        made, expected = project.artifacts(), {**self.expected, **(but or {})}
        optional = {name for name, digest in expected.items() if not digest}
        missing = sorted(set(expected) - set(made) - optional)
        other = sorted(
            name
            for name, digest in made.items()
            if digest
            != (expected.get(name) or self.expected.get(name) or self.intermediate.get(name))
        )
        if missing or other:
            raise PromiseError(
                f"{len(missing)} artifacts missing {missing[:3]}, {len(other)} other {other[:3]}"
            )


def make_bench(root: Path, scratch: Path, models: Sequence[str] = MODELS) -> Bench:
    """Make the undisturbed run of some models that everything is compared with.

    Raises:
        PromiseError: when the undisturbed run fails.
    """
    empty = reduce_project(root, scratch / "empty", models)
    whole_folder = scratch / "whole"
    shutil.copytree(empty.folder, whole_folder, symlinks=True, ignore=SOCKETS)
    whole = Project(whole_folder)
    done = whole.run("--notemp", "results/table1.csv")
    if done.status != 0:
        raise PromiseError(f"the undisturbed run failed: {done.tail()}")
    everything = whole.artifacts()
    removed = whole.run("--delete-temp-output", "results/table1.csv")
    if removed.status != 0:
        raise PromiseError(f"the intermediate files were not removed: {removed.tail()}")
    expected = whole.artifacts()
    intermediate = {name: everything[name] for name in set(everything) - set(expected)}
    jobs = done.output.count("Finished jobid:")
    return Bench(scratch, empty, whole, done.seconds, jobs, expected, intermediate)
