"""Time and peak memory of each stage, from the lines that commands leave in their logs."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row
from ncsbench.errors import DataError

COLUMNS = ("stage", "jobs", "seconds", "longest_seconds", "peak_mib")

_USAGE = re.compile(r"usage: seconds=([\d.]+) peak_mib=(\d+) children_peak_mib=(\d+)")
# Shards, keys of options and what makes a variant of a model; the model's name stays.
_PART = re.compile(
    r"(?:-(?:\d{4}|[0-9a-f]{8}|seed\d+|(?:repositories|pairs|dimension)-\d+-of-\d+))+$"
)


def summarise_usage(logs: Path) -> list[Row]:
    """One row for each stage, and model where it has one, in alphabetical order.

    Args:
        logs: folder with the logs of a dataset, ``data/<dataset>/logs``.

    Returns:
        Rows of ``COLUMNS``: number of jobs, seconds of all and of the longest, and the largest
        resident set of a command or one of its children, in MiB.

    Raises:
        DataError: where no log tells of a finished command.
    """
    found: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for path in sorted(logs.glob("*.log")):
        uses = _USAGE.findall(path.read_text(encoding="utf-8", errors="replace"))
        if uses:
            seconds, own, children = uses[-1]
            found[_PART.sub("", path.stem)].append((float(seconds), max(int(own), int(children))))
    if not found:
        raise DataError(f"{logs}: holds no log of a finished command")
    return [
        {
            "stage": stage,
            "jobs": str(len(uses)),
            "seconds": f"{sum(seconds for seconds, _ in uses):.1f}",
            "longest_seconds": f"{max(seconds for seconds, _ in uses):.1f}",
            "peak_mib": str(max(peak for _, peak in uses)),
        }
        for stage, uses in sorted(found.items())
    ]
