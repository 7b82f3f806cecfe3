"""Two ways to do the same work, timed in turns within one process: their ratio and its spread."""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ncsbench.base.files.csv_tables import Row

COLUMNS = (
    "stage", "methods", "unit", "ours", "peer", "ratio", "ratio_low", "ratio_high", "turns",
    "compared_with", "goal", "commit",
)  # fmt: skip


class Pair(NamedTuple):
    """A stage beside what it is compared with.

    Attributes:
        stage: name of the row.
        methods: size of the corpus; 0 for a stage without a corpus.
        ours: does the work; a number that it returns counts in place of its processor time.
        peer: does the same work, or its least part, in another way.
        compared_with: name of the peer.
        goal: ratio that the issue of speed asks for, or a text.
        per: units of work of a call, such as queries; seconds are of one.
        table: the table of the row: ``stages``, or ``growth`` for one of several sizes.
    """

    stage: str
    methods: int
    ours: Callable[[], object]
    peer: Callable[[], object]
    compared_with: str
    goal: str
    per: int = 1
    table: str = "stages"


def compare(pair: Pair, turns: int) -> Row:
    """Time both sides in turns, after a call of each: processor time of all threads."""
    measure(pair.ours)
    measure(pair.peer)
    seconds = [(measure(pair.ours) / pair.per, measure(pair.peer) / pair.per) for _ in range(turns)]
    ratios = [ours / peer for ours, peer in seconds]
    ours, peer = (statistics.median(side) for side in zip(*seconds, strict=True))
    unit, factor = ("ms", 1000) if max(ours, peer) < 0.1 else ("s", 1)
    values = (
        pair.stage, str(pair.methods or ""), unit, f"{ours * factor:.3g}", f"{peer * factor:.3g}",
        f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f}", f"{max(ratios):.2f}",
        str(turns), pair.compared_with, pair.goal, describe_commit(),
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def measure(work: Callable[[], object]) -> float:
    """Return the processor seconds of a call, or the number that it returns."""
    started = time.process_time()
    found = work()
    return found if isinstance(found, float) else time.process_time() - started


@cache
def describe_commit() -> str:
    """Describe the commit at the first row: later ones would see the rows that were written."""
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def run_command(*command: str, folder: Path, settings: Mapping[str, str] | None = None) -> float:
    """Run a command in a folder; return the processor seconds of it and its children."""
    before = os.times()
    environment = {**os.environ, **(settings or {})}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[-2000:]}")
    after = os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system
