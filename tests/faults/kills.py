"""The main process is ended at random moments, by three signals; jobs end, a plain rerun mends."""

import random
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

from tests.faults.bench import Bench, Outcome
from tests.faults.project import Finished, Project, end_processes, wait_for_processes
from tests.patience import LONGEST

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
CHAIN = 5
AT_ONCE = 0.5  # part of the kills with SIGKILL after which nobody waits
LONGEST_JOB = 3.0
LAST = 0.93  # the last jobs are shorter than it takes to look at the log
TRIES = 5
JOBS = re.compile(r"^total +(\d+)\s*$", re.MULTILINE)
STEPS = re.compile(r"^(\d+) of (\d+) steps", re.MULTILINE)


@dataclass(frozen=True)
class Kill:
    """A signal to the main process when a part of the jobs is done, and some seconds later.

    With ``at_once`` the next run begins as soon as the main process is killed, whatever its jobs
    do; SIGTERM and SIGINT let the main process wait for them.
    """

    number: int
    signal: signal.Signals
    part: float
    seconds: float
    at_once: bool


def plan_chains(count: int, generator: random.Random, chain: int = CHAIN) -> list[list[Kill]]:
    """Chains of kills: of each, every run but the last is killed.

    The work of a run is cut into as many parts as there are kills and a moment drawn in each; the
    chains take turns, so that each one has moments from the beginning to the end, and so do the
    signals. Jobs are counted and not seconds, which another program's load would stretch; the
    seconds that come on top are up to those of the longest job, so that a kill hits jobs at any
    stage, and the start of a run that finds the jobs before its moment done.
    """
    needed = max(1, -(-count // chain))
    chains: list[list[Kill]] = [[] for _ in range(needed)]
    for number in range(count):
        turn, first = divmod(number, needed)
        signal_ = SIGNALS[(turn + first) % len(SIGNALS)]
        part = LAST * (number + generator.random()) / count
        seconds, at_once = LONGEST_JOB * generator.random(), generator.random() < AT_ONCE
        chains[first].append(Kill(number, signal_, part, seconds, at_once))
    return chains


def inject(bench: Bench) -> None:
    """All chains of kills."""
    for number, kills in enumerate(plan_chains(bench.kills, bench.generator("kills"))):
        run_chain(bench, number, kills)


def run_chain(bench: Bench, number: int, kills: list[Kill]) -> None:
    """Runs that are killed one after the other, then one that is not."""
    with bench.project(f"kills-{number}", whole=False) as project:
        for kill in kills:
            bench.add(_kill_until_hit(project, kill, bench.jobs))
        said = [f"after {len(kills)} kills"]
        with bench.case("kills", f"chain {number}: plain rerun", said):
            bench.check(project, project.run())


def _kill_until_hit(project: Project, kill: Kill, jobs: int) -> Outcome:
    """One kill; a run that ended before it begins anew from nothing."""
    started = time.monotonic()
    for _ in range(TRIES):
        held, said = _kill(project, kill, jobs)
        if not held or said:
            break
        for folder in ("data", "results", ".snakemake"):
            shutil.rmtree(project.folder / folder)
    else:
        held, said = False, f"the run had ended before in {TRIES} tries: mend the case"
    case = f"{kill.signal.name} {kill.number:02}"
    return Outcome("kills", case, held, said, time.monotonic() - started)


def _kill(project: Project, kill: Kill, jobs: int) -> tuple[bool, str]:
    """Start a run, kill its main process, and see whether everything it started ends too.

    Returns:
        Whether that was so, and words for it; no words where the run ended well before.
    """
    started = time.monotonic()
    process = project.start()
    done = _wait_for_moment(project, process, kill, jobs)
    if process.poll() is not None:
        return process.returncode == 0, "" if process.returncode == 0 else _ending(project)
    process.send_signal(kill.signal)
    sent = time.monotonic()
    said = f"at {sent - started:4.1f} s, {done} of {jobs} jobs done"
    try:
        process.wait(LONGEST)  # after SIGTERM and SIGINT it waits for its jobs
    except subprocess.TimeoutExpired:
        end_processes(project.mark)
        process.wait()
        return False, f"{said}, the main process lived on for {LONGEST:.0f} s"
    if kill.at_once and kill.signal == signal.SIGKILL:
        return True, f"{said}, the next run began at once"
    if wait_for_processes(project.mark, LONGEST) is None:
        end_processes(project.mark)
        return False, f"{said}, jobs lived on for {LONGEST:.0f} s after the main process"
    return True, f"{said}, all ended within {time.monotonic() - sent:.1f} s"


def _wait_for_moment(
    project: Project, process: subprocess.Popen[bytes], kill: Kill, jobs: int
) -> int:
    """Wait until it is time for a kill, or the run has ended; jobs done so far, of all."""
    done = wait_for_part(project, process, kill.part, jobs)
    try:
        process.wait(kill.seconds)
    except subprocess.TimeoutExpired:
        done = _jobs_done(project.output(), jobs)
    return done


def wait_for_part(
    project: Project, process: subprocess.Popen[bytes], part: float, jobs: int
) -> int:
    """Wait until a part of the jobs of a run is done, or the run has ended; jobs done so far."""
    done = 0
    while process.poll() is None:
        done = _jobs_done(project.output(), jobs)
        if done >= int(part * jobs):
            break
        time.sleep(0.05)
    return done


def _jobs_done(output: str, jobs: int) -> int:
    """Jobs that need not be done again: those of this run, and those it left out."""
    if not (total := JOBS.findall(output)):
        return 0
    steps = STEPS.findall(output)
    return max(jobs - int(total[0]), 0) + (int(steps[-1][0]) if steps else 0)


def _ending(project: Project) -> str:
    return f"the rerun failed: {Finished(1, project.output(), 0.0).tail()}"
