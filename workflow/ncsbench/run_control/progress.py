"""One line of progress in place of what Snakemake prints; why it fails where it fails.

``python -m ncsbench.run_control.progress snakemake ...`` runs the command, says on standard error
how far it is, and ends with its code. On a terminal the line is written over; elsewhere there is a
line for each tenth of the jobs. Snakemake keeps its whole output in ``.snakemake/log``.
"""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from ncsbench.text.safe_text import show_line

_RULE = re.compile(r"(?:local)?rule (\w+):")
_DONE = re.compile(r"(\d+) of (\d+) steps")
_TOTAL = re.compile(r"total +(\d+)$")
_LOG = re.compile(r"Complete log")
# Notices of a run, and warnings of jobs, as rules/common.smk shows them; errors come at the end.
_NOTICE = re.compile(r"ncsbench: (?!error: )|Nothing to be done|[a-z_]+: warning: ")
_TROUBLE = re.compile(r".*(Error|Exception|Traceback|error:)")
_CLEAR = "\r\033[K"


def run_with_progress(command: Sequence[str], screen: TextIO) -> int:
    """Run a command of Snakemake's and report on it.

    Args:
        command: program and arguments.
        screen: where the progress is shown.

    Returns:
        Its exit code, 128 and more after a signal as in a shell.
    """
    line = _Line(screen)
    output: list[str] = []
    with contextlib.ExitStack() as stack:
        # An interrupt of the terminal is for Snakemake too, which ends in order.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        stack.callback(signal.signal, signal.SIGINT, before)
        process = stack.enter_context(
            subprocess.Popen(  # noqa: S603
                list(command),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                preexec_fn=lambda: signal.signal(signal.SIGINT, before),  # noqa: PLW1509
            )
        )
        assert process.stdout is not None  # noqa: S101
        for text in process.stdout:
            output.append(text)
            line.read(text.rstrip())
    line.end()
    code = process.returncode
    if code:
        errors = dict.fromkeys(text for text in output if text.startswith(ERROR))
        places = [number for number, text in enumerate(output) if _TROUBLE.match(text)]
        trouble = output[places[0] if places else 0 :]
        # Jobs say why they failed; what Snakemake says of it is only shown where none did.
        for text in [*filter(_LOG.match, output), *errors] if errors else trouble:
            screen.write(f"{show_line(text)}\n")
    return code if code >= 0 else 128 - code


class _Line:
    """What is known of a run, on one line."""

    def __init__(self, screen: TextIO) -> None:
        self._screen = screen
        self._written_over = screen.isatty()
        self._started = time.monotonic()
        self._done, self._total, self._rule = 0, 0, ""

    def read(self, text: str) -> None:
        """Take in a line of Snakemake's."""
        if found := _RULE.match(text):
            self._rule = found[1]
            if self._written_over:
                self._show()
        elif found := _DONE.match(text):
            before, self._done, self._total = self._done, int(found[1]), int(found[2])
            tenths = [10 * done // self._total for done in (before, self._done)]
            if self._written_over or tenths[0] < tenths[1]:
                self._show()
        elif found := _TOTAL.match(text):
            self._total = int(found[1])
        elif _NOTICE.match(text):
            self._screen.write(f"{_CLEAR if self._written_over else ''}{show_line(text)}\n")

    def end(self) -> None:
        """Leave the line."""
        if self._written_over and self._total:
            self._screen.write("\n")
        self._screen.flush()

    def _show(self) -> None:
        seconds = int(time.monotonic() - self._started)
        text = f"{self._done} of {self._total} jobs, {seconds} s: {self._rule}"
        self._screen.write(f"{_CLEAR}{text}" if self._written_over else f"{text}\n")
        self._screen.flush()


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


if __name__ == "__main__":
    sys.exit(run_with_progress(sys.argv[1:], sys.stderr))
