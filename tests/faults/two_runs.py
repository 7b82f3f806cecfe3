"""A second run in the same folder ends at once with one line and does not disturb the first."""

from __future__ import annotations

import time
from pathlib import Path

from tests.faults.bench import Bench, PromiseError
from tests.faults.messages import refuse_traceback
from tests.faults.project import Finished, Project

AT_ONCE = 20.0
WORDS = "another run"


def inject(bench: Bench) -> None:
    """The same target, another one, and one after the other in three stages of the first run."""
    part = bench.seconds / 4
    for case, target, after in (
        ("the same target, early", "results/table1.csv", 2.0),
        ("the same target, midway", "results/table1.csv", 2 * part),
        ("another target, midway", "results/published_table1.csv", 2 * part),
        ("many in turn", "results/published_table1.csv", part),
    ):
        run_twice(bench, case, target, after, times=4 if case == "many in turn" else 1)


def run_twice(bench: Bench, case: str, target: str, after: float, times: int = 1) -> None:
    """Begin a run, then one or more others for a target; all but the first must be refused."""
    said: list[str] = []
    with bench.project("two", whole=False) as project, bench.case("two runs", case, said):
        first = project.start()
        time.sleep(after)
        for _ in range(times):
            second = run_beside(project, target)
            if first.poll() is not None:
                raise PromiseError(f"the first run ended before: {project.output()[-500:]}")
            if second.status == 0:
                raise PromiseError("the second run was let in")
            refuse_traceback(second.output, second)
            lines = [line for line in second.output.splitlines() if WORDS in line]
            if not lines:
                raise PromiseError(f"no line says that another run is at work: {second.tail()}")
            if second.seconds > AT_ONCE:
                raise PromiseError(f"the second run took {second.seconds:.0f} s to end")
            said.append(f"{second.seconds:.1f} s: {lines[0].strip()}")
        status = first.wait(600)
        bench.check(project, Finished(status, project.output(), 0.0))
        done = project.run("results/published_table1.csv")
        table = "results/published_table1.csv"
        bench.check(project, done, {table: project.artifacts().get(table, "missing")})


def run_beside(project: Project, target: str) -> Finished:
    """A run to its end, with a terminal of its own."""
    log = Path(f"{project.log}.second")
    started = time.monotonic()
    status = project.start(target, log=log).wait(300)
    output = log.read_text(encoding="utf-8", errors="replace")
    log.unlink()
    return Finished(status, output, time.monotonic() - started)
