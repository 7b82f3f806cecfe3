"""A second run in the same folder ends at once with one line and does not disturb the first."""

import signal
from pathlib import Path

from tests.faults.bench import Bench, PromiseError
from tests.faults.kills import wait_for_part
from tests.faults.messages import refuse_traceback
from tests.faults.project import Finished, Project
from tests.patience import LONGEST

WORDS = "another run"


def inject(bench: Bench) -> None:
    """The same target, another one, and one after the other in three stages of the first run."""
    for case, target, part in (
        ("the same target, early", "results/table1.csv", 0.0),
        ("the same target, midway", "results/table1.csv", 0.5),
        ("another target, midway", "results/published_table1.csv", 0.5),
        ("many in turn", "results/published_table1.csv", 0.25),
    ):
        run_twice(bench, case, target, part, times=4 if case == "many in turn" else 1)


def run_twice(bench: Bench, case: str, target: str, part: float, times: int = 1) -> None:
    """Begin a run, then one or more others for a target; all but the first must be refused.

    When a part of its jobs is done and before anything else begins, the first run is stopped: what
    waited for its end would wait for ever, and on no machine does it end before the others.
    """
    said: list[str] = []
    with bench.project("two", whole=False) as project, bench.case("two runs", case, said):
        first = project.start()
        wait_for_part(project, first, max(part, 1 / bench.jobs), bench.jobs)
        first.send_signal(signal.SIGSTOP)
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
            said.append(lines[0].strip())
        first.send_signal(signal.SIGCONT)
        status = first.wait(LONGEST)
        bench.check(project, Finished(status, project.output(), 0.0))
        done = project.run("results/published_table1.csv")
        table = "results/published_table1.csv"
        bench.check(project, done, {table: project.artifacts().get(table, "missing")})


def run_beside(project: Project, target: str) -> Finished:
    """A run to its end, with a terminal of its own."""
    log = Path(f"{project.log}.second")
    status = project.start(target, log=log).wait(LONGEST)
    output = log.read_text(encoding="utf-8", errors="replace")
    log.unlink()
    return Finished(status, output, 0.0)
