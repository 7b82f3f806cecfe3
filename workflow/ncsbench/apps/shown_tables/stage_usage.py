"""Time, memory and bytes of each stage, from the lines that commands leave in their logs."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from ncsbench.base.files.csv_tables import Row, name_cells
from ncsbench.errors import DataError

COLUMNS = (
    "stage",
    "jobs",
    "seconds",
    "longest_seconds",
    "peak_mib",
    "processor_seconds",
    "longest_processor_seconds",
    "written_mib",
)

_USAGE = re.compile(
    r"usage: seconds=([\d.]+) peak_mib=(\d+) children_peak_mib=(\d+)"
    r" processor_seconds=([\d.]+) written_mib=([\d.]+)"
)
# Suffixes of shards, keys of options and variants of a model; the model's name is kept.
_PART = re.compile(
    r"(?:-(?:\d{4}|[0-9a-f]{8}|seed\d+|(?:repositories|pairs|dimension)-\d+-of-\d+))+$"
)


@dataclass(frozen=True)
class JobUsage:
    """Time, memory and bytes of one finished command.

    Attributes:
        stage: rule of the command, with the model where it has one.
        seconds: seconds of the wall clock.
        peak_mib: largest resident set of the command, in MiB.
        children_peak_mib: largest resident set of any of its children, in MiB.
        processor_seconds: processor seconds of the command and its children.
        written_mib: bytes that it wrote, in MiB.
        ended: time of the last write to its log, in seconds since 1970.
    """

    stage: str
    seconds: float
    peak_mib: int
    children_peak_mib: int
    processor_seconds: float
    written_mib: float
    ended: float


def read_jobs(logs: Path) -> list[JobUsage]:
    """Read the finished commands of a run, in the order of the names of their logs.

    Args:
        logs: folder with the logs of a dataset, ``data/<dataset>/logs``.

    Raises:
        DataError: where no log reports a finished command.
    """
    jobs = []
    for path in sorted(logs.glob("*.log")):
        uses = _USAGE.findall(path.read_text(encoding="utf-8", errors="replace"))
        if uses:
            seconds, own, children, processor, written = uses[-1]
            jobs.append(
                JobUsage(
                    stage=_PART.sub("", path.stem),
                    seconds=float(seconds),
                    peak_mib=int(own),
                    children_peak_mib=int(children),
                    processor_seconds=float(processor),
                    written_mib=float(written),
                    ended=path.stat().st_mtime,
                )
            )
    if not jobs:
        raise DataError(f"{logs}: holds no log of a finished command")
    return jobs


def summarise_usage(logs: Path) -> list[Row]:
    """Sum up each stage, and model where the stage has one, in alphabetical order.

    Args:
        logs: folder with the logs of a dataset, ``data/<dataset>/logs``.

    Returns:
        Rows of ``COLUMNS``: number of jobs; seconds of all and of the longest; the largest resident
        set of a command or one of its children in MiB; processor seconds of all and of the longest;
        and MiB written.

    Raises:
        DataError: where no log reports a finished command.
    """
    found: dict[str, list[JobUsage]] = defaultdict(list)
    for job in read_jobs(logs):
        found[job.stage].append(job)
    rows = []
    for stage, jobs in sorted(found.items()):
        seconds = [job.seconds for job in jobs]
        processor = [job.processor_seconds for job in jobs]
        written = sum(job.written_mib for job in jobs)
        figures = (sum(seconds), max(seconds), sum(processor), max(processor), written)
        cells = [f"{figure:.1f}" for figure in figures]
        peak = max(max(job.peak_mib, job.children_peak_mib) for job in jobs)
        rows.append((stage, len(jobs), *cells[:2], peak, *cells[2:]))
    return name_cells(COLUMNS, rows)
