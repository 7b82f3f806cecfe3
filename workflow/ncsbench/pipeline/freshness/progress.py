"""The line of a quiet run, which says how far its jobs are, and lines that say why jobs failed."""

from __future__ import annotations

import atexit
import os
import re
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from ncsbench.base.text.progress_line import ProgressLine
from ncsbench.base.text.safe_text import show_line, show_visibly

ERROR = "ncsbench: error: "
"""Beginning of a line that says why a run failed."""
_TRACEBACK = "Traceback (most recent call last):"
_COLOUR = re.compile(r"\033\[[0-9;]*m")
_END = "ncsbench: the run is over\n"


def begin_line() -> ProgressLine:
    """Show a line until the process ends, and above it what the process and its jobs say.

    That is read from a pipe, and shown without what acts on a terminal.
    """
    error, (ours, theirs) = sys.stderr.fileno(), os.pipe()
    screen = os.fdopen(os.dup(error), "w", errors="backslashreplace")
    os.dup2(theirs, error)
    os.close(theirs)
    line = ProgressLine(screen)

    def read() -> None:
        with os.fdopen(ours, errors="replace") as said:
            for text in said:
                if text == _END:
                    break
                if text.strip():
                    line.note(show_visibly(_COLOUR.sub("", text.rstrip("\n"))))

    def end() -> None:
        sys.stderr.flush()
        os.write(error, f"\n{_END}".encode())
        reader.join()
        os.dup2(screen.fileno(), error)
        line.__exit__()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    atexit.register(end)
    return line.__enter__()


def list_errors(folders: Iterable[Path], *, since: float) -> list[str]:
    """List the last error line of each log that a run wrote, equal lines once.

    Args:
        folders: folders of the logs of jobs; ``*.log`` counts.
        since: time at which the run started, in seconds since the epoch.

    Returns:
        Safe lines, those of older logs first; for a log that ends in a traceback its path and last
        line; the log of a killed job gives no line.
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
