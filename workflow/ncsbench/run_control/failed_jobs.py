"""Why the jobs of a run failed, in their own words: what a run that failed says last."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ncsbench.text.safe_text import show_line

_ERROR = "ncsbench: error: "


def list_errors(folders: Iterable[Path], *, since: float) -> list[str]:
    """The last line of error of each log that a run wrote, once each.

    Args:
        folders: where jobs write their logs; ``*.log`` counts.
        since: when the run started, in seconds since the epoch.

    Returns:
        Safe lines, those of older logs first; none of a job that was killed, or that ended
        otherwise than in such a line.
    """
    logs = [(path.stat().st_mtime, path) for folder in folders for path in folder.glob("*.log")]
    found: dict[str, None] = {}
    for written, path in sorted(logs):
        text = path.read_text(encoding="utf-8", errors="replace") if written >= since else ""
        errors = [line for line in text.splitlines() if line.startswith(_ERROR)]
        found |= {show_line(line): None for line in errors[-1:]}
    return list(found)
