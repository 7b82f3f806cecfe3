"""Hours, memory, disk and network of a target before it runs: the jobs of a dry run, added up.

Each job says in a dry run what it asks for. Four further resources, which no scheduler limits, say
what a job is expected to take: ``expected_ms``, ``longest_ms``, ``disk_kib`` and ``network_kb``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ncsbench.base.text.progress_line import show_seconds
from ncsbench.base.text.safe_text import show_line
from ncsbench.corpus.archives.progress import show_bytes
from ncsbench.errors import NcsbenchError
from ncsbench.pipeline.freshness.progress import ERROR

_RULE = re.compile(r"(?:local)?rule (\w+):")
_RESOURCES = re.compile(r" +resources: (.*)")
_EXCEPTION = re.compile(r"\w*(Error|Exception)\b")
_AMOUNT = re.compile(r"(\w+)=(\d+)(?=,|$)")


class PlannedJob(NamedTuple):
    """A job of a dry run: its rule, and its resources that are whole numbers, by name."""

    rule: str
    amounts: dict[str, int]


def list_jobs(arguments: Sequence[str]) -> list[PlannedJob]:
    """List the jobs that a call of Snakemake would run.

    Args:
        arguments: targets and options of ``snakemake``.

    Raises:
        NcsbenchError: where Snakemake cannot plan the run, with the line that says why.
    """
    command = [sys.executable, "-m", "snakemake", "--dry-run", "--nocolor", *arguments]
    done = subprocess.run(  # noqa: S603
        command, check=False, capture_output=True, text=True, errors="replace"
    )
    lines = f"{done.stdout}\n{done.stderr}".splitlines()
    if done.returncode:
        reason = _find_reason(lines)
        if reason.endswith("No module named snakemake"):  # which start.py explains
            raise ModuleNotFoundError(reason, name="snakemake")
        raise NcsbenchError(show_line(reason))
    return list(read_jobs(lines))


def read_jobs(lines: Iterable[str]) -> Iterator[PlannedJob]:
    """Read the jobs out of the output of a dry run, line by line."""
    rule = ""
    for line in lines:
        if found := _RULE.match(line):
            rule = found[1]
        elif rule and (found := _RESOURCES.match(line)):
            amounts = {name: int(value) for name, value in _AMOUNT.findall(found[1])}
            yield PlannedJob(rule, amounts)
            rule = ""


def _find_reason(lines: Sequence[str]) -> str:
    """Find the message of a failed dry run; that of Snakemake's own goes on in the next line."""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith(ERROR):
            return line.removeprefix(ERROR)
        if _EXCEPTION.match(line):
            return f"{line} {following.strip()}".partition(" (if you use")[0]
    return lines[-1] if lines else "snakemake ended without a message"


def describe_jobs(jobs: Sequence[PlannedJob]) -> Iterator[str]:
    """Write lines for people about jobs together: time, memory, disk and network."""
    if not jobs:
        yield "jobs        0: all is made"
        return
    rules = Counter(job.rule for job in jobs)
    often = ", ".join(f"{name} {count:,}" for name, count in rules.most_common(3))
    yield f"jobs        {len(jobs):,} of {len(rules)} rules (most: {often})"
    if any(job.amounts.get("expected_ms") for job in jobs):
        longest = max(jobs, key=lambda job: job.amounts.get("expected_ms", 0))
        yield (
            f"time        about {_show_time(jobs, 'expected_ms')} of one core; "
            f"the longest job {_show_time([longest], 'expected_ms')} ({longest.rule})"
        )
    if unmeasured := {job.rule for job in jobs if job.amounts.get("longest_ms")}:
        first, *others = sorted(unmeasured)
        yield (
            f"unmeasured  on published sizes at most {_show_time(jobs, 'longest_ms')}, on samples "
            f"minutes: {first}" + (f" and {len(others)} other rules" if others else "")
        )
    largest = max(jobs, key=lambda job: job.amounts.get("mem_mb", 0))
    memory = show_bytes(largest.amounts.get("mem_mb", 0) * 1e6)
    yield f"memory      {memory} for the largest job ({largest.rule})"
    disk = show_bytes(_sum(jobs, "disk_kib") * 1024)
    yield f"disk        {'not known' if disk == '0 bytes' else f'about {disk} more'}"
    network = show_bytes(_sum(jobs, "network_kb") * 1000)
    yield f"network     {'nothing to fetch' if network == '0 bytes' else f'at most {network}'}"
    if "fetch" in rules:
        yield "            and archives of repositories: ncsbench corpus plan says what they take"


def _show_time(jobs: Iterable[PlannedJob], name: str) -> str:
    return show_seconds(_sum(jobs, name) / 1000)


def _sum(jobs: Iterable[PlannedJob], name: str) -> int:
    return sum(job.amounts.get(name, 0) for job in jobs)
