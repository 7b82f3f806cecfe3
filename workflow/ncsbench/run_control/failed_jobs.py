"""Why the jobs of a run failed, in their own words: what a run that failed says last."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ncsbench.text.safe_text import show_line

ERROR = "ncsbench: error: "
"""What a line that says why a run failed begins with."""
_TRACEBACK = "Traceback (most recent call last):"


def list_errors(folders: Iterable[Path], *, since: float) -> list[str]:
    """The last line of error of each log that a run wrote, once each.

    Args:
        folders: where jobs write their logs; ``*.log`` counts.
        since: when the run started, in seconds since the epoch.

    Returns:
        Safe lines, those of older logs first; of a log that ends in a traceback its path and last
        line, none of a job that was killed.
    """
    logs = [(path.stat().st_mtime, path) for folder in folders for path in folder.glob("*.log")]
    found: dict[str, None] = {}
    for written, path in sorted(logs):
        text = path.read_text(encoding="utf-8", errors="replace") if written >= since else ""
        lines = text.splitlines()
        errors = [line for line in lines if line.startswith(ERROR)]
        if not errors and _TRACEBACK in lines:
            errors = [f"{ERROR}{path}: {lines[-1]}"]
        found |= {show_line(line): None for line in errors[-1:]}
    return list(found)
