"""A run that fetches archives is killed at random moments; the store ends as if it never was.

Moments are counted in what is stored and not in seconds, which another program's load would
stretch. Who is killed is the main process, by SIGKILL, and the fetching job, by SIGKILL or SIGTERM.
"""

import contextlib
import os
import random
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from ncsbench.base.files.run_lock import LOCK
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.repositories import read_repositories
from tests.archive_server import ArchiveServer
from tests.faults.archive_project import archive_project, read_store
from tests.faults.bench import Bench, PromiseError
from tests.faults.project import (
    Finished,
    Project,
    end_processes,
    processes_with,
    wait_for_processes,
)
from tests.hub import ZIP, count_asked
from tests.patience import LONGEST

ROOT = Path(__file__).resolve().parents[2]
TARGET = "corpus"
KILLS = 20
CHAIN = 5
SECONDS = 0.3  # for an answer: a kill hits downloads under way
LONGEST_PAUSE = 1.0
SECONDS_OF_EXTRACTION = 3.0
STORED = 13  # repositories, in the end


@dataclass(frozen=True)
class FetchKill:
    """A kill when so many repositories are stored, and some seconds later."""

    stored: int
    seconds: float
    signal: signal.Signals
    job: bool


def plan_kills(count: int, generator: random.Random) -> list[FetchKill]:
    """Kills spread over what a run stores, a moment drawn in each part of it.

    The last ones hit the sealing of the store, or the jobs that follow.
    """
    kinds = [(signal.SIGKILL, False), (signal.SIGTERM, True), (signal.SIGKILL, True)]
    return [
        FetchKill(
            int((STORED + 2) * (number + generator.random()) / count),
            LONGEST_PAUSE * generator.random(),
            *kinds[number % len(kinds)],
        )
        for number in range(count)
    ]


def inject(bench: Bench) -> None:
    """Chains of kills, of which every run but the last is killed."""
    expected = run_undisturbed(ROOT, bench.scratch / "fetch-whole")
    plans = plan_kills(KILLS, bench.generator("fetch"))
    chains = KILLS // CHAIN
    for number in range(chains):
        said: list[str] = []
        with bench.case("fetch", f"chain {number}: {CHAIN} kills and a plain rerun", said):
            said += run_killed(
                ROOT, bench.scratch / f"fetch-{number}", plans[number::chains], expected
            )


def run_undisturbed(root: Path, folder: Path) -> dict[str, bytes]:
    """The store of a run that nobody kills."""
    with archive_project(root, folder) as (project, server):
        server.seconds = SECONDS
        _check_end(project.run(TARGET))
        if len(find_stored(project)) != STORED:
            raise PromiseError(f"{find_stored(project)} are stored")
        return read_store(project)


def run_killed(
    root: Path, folder: Path, kills: list[FetchKill], expected: dict[str, bytes]
) -> list[str]:
    """Kill one run after the other, let the last one end, and compare its store.

    Returns:
        Words for each kill.

    Raises:
        PromiseError: where the store is another, or something stored was asked for again.
    """
    said: list[str] = []
    seen: list[dict[str, int]] = []
    with archive_project(root, folder) as (project, server):
        server.seconds = SECONDS
        for kill in kills:
            said.append(_kill(project, server, kill))
            asked = count_asked(server, ZIP)
            seen.append({name: asked[name] for name in find_stored(project)})
            said[-1] += f", {len(seen[-1])} stored"
        _check_end(project.run(TARGET))
        asked = count_asked(server, ZIP)
        twice = {name for stored in seen for name, count in stored.items() if asked[name] > count}
        if twice:
            raise PromiseError(f"asked for again: {sorted(twice)}; {'; '.join(said)}")
        if read_store(project) != expected:
            raise PromiseError(f"the store is another after {'; '.join(said)}")
        work = project.folder / "data/stores/archives.fetching"
        left = [path.name for path in work.iterdir() if path.name != LOCK]
        if left or project.leftovers():
            raise PromiseError(f"files are left: {left}, {project.leftovers()}")
    return said


def find_stored(project: Project) -> list[str]:
    """Repositories that are in the store."""
    listed = read_repositories(project.folder / "list.csv").repositories
    store = ArchiveStore(project.folder / "data/stores/archives", listed)
    return [one.full_name for one in listed if store.has(one)]


def _kill(project: Project, server: ArchiveServer, kill: FetchKill) -> str:
    process = project.start(TARGET)
    while process.poll() is None and _count_stored(project) < min(kill.stored, STORED):
        time.sleep(0.02)
    if process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(kill.seconds + SECONDS_OF_EXTRACTION * max(0, kill.stored - STORED))
    name = kill.signal.name
    if process.poll() is not None:
        who = "ended before"
    elif kill.job and (job := _find_job(project)):
        who = f"{name} to the job"
        with contextlib.suppress(ProcessLookupError):
            os.kill(job, kill.signal)
    else:
        who = "SIGKILL to the main process"
        process.kill()
    said = f"{who} at {len(server.requests)} requests"
    process.wait(LONGEST)
    if wait_for_processes(project.mark, LONGEST) is None:
        end_processes(project.mark)
        raise PromiseError(f"{said}: jobs lived on")
    return said


def _count_stored(project: Project) -> int:
    """About how many repositories are stored, cheaply."""
    folder = project.folder / "data/stores/archives"
    return sum(1 for _ in folder.glob("fetched/*/*.parquet"))


def _find_job(project: Project) -> int | None:
    """The process that fetches, which has written its number into the lock of the store."""
    try:
        text = (project.folder / "data/stores/archives.fetching" / LOCK).read_text()
        job = int(text.split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return job if job in processes_with(project.mark) else None


def _check_end(done: Finished) -> None:
    if done.status != 0:
        raise PromiseError(f"the run ended with {done.status}: {done.tail()}")
