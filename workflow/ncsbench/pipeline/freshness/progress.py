"""Progress of a command on one line; that of Snakemake replaces its output, with errors at the end.

``python -m ncsbench.pipeline.freshness.progress snakemake ...`` runs the command, shows progress on
standard error, and ends with the command's code. Snakemake's whole output is in ``.snakemake/log``.
"""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from ncsbench.base.text.safe_text import show_line

_RULE = re.compile(r"(?:local)?rule (\w+):")
_DONE = re.compile(r"(\d+) of (\d+) steps")
_TOTAL = re.compile(r"total +(\d+)$")
_LOG = re.compile(r"Complete log")
# Notices of a run, and warnings of jobs, as rules/common.smk shows them; errors come at the end.
_NOTICE = re.compile(r"ncsbench: (?!error: )|Nothing to be done|[a-z_]+: warning: ")
_TROUBLE = re.compile(r".*(Error|Exception|Traceback|error:)")
_CLEAR = "\r\033[K"
_PATIENCE = 2.0


class ProgressLine:
    """A line with the latest report, shown after two seconds.

    On a terminal the line is replaced as reports come, elsewhere a new line is printed each 5 s.
    """

    def __init__(self, screen: IO[str]) -> None:
        self._screen = screen
        self._clear = _CLEAR if screen.isatty() else ""
        self._line = self._shown = ""
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> ProgressLine:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._write(self._clear if self._shown else "")

    def __call__(self, what: str, done: int, total: int) -> None:
        """Note that ``done`` of ``total`` steps are done; 0 of 0 where the number is unknown."""
        self._line = f"ncsbench: {what}" + (f" {done:,} of {total:,}" if total else "")

    def note(self, text: str) -> None:
        """Show a line that stays."""
        self._write(f"{self._clear}{text}\n")

    def _watch(self) -> None:
        wait = _PATIENCE
        while not self._end.wait(wait):
            wait = 0.1 if self._clear else 5.0
            if self._line != self._shown:
                self._shown = self._line
                self._write(f"{self._clear}{self._shown}" if self._clear else f"{self._shown}\n")

    def _write(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()


def run_with_progress(command: Sequence[str], screen: IO[str]) -> int:
    """Run a command of Snakemake's and show its progress.

    Args:
        command: program and arguments.
        screen: stream on which the progress is shown.

    Returns:
        The command's exit code; after a signal above 128, as in a shell.
    """
    output: list[str] = []
    done, total, rule = 0, 0, ""
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
        progress = stack.enter_context(ProgressLine(screen))
        assert process.stdout is not None  # noqa: S101
        for text in process.stdout:
            output.append(text)
            if _NOTICE.match(text):
                progress.note(show_line(text))
            elif found := _RULE.match(text):
                rule = found[1]
            elif found := _DONE.match(text):
                done, total = int(found[1]), int(found[2])
            elif found := _TOTAL.match(text):
                total = int(found[1])
            if total:
                progress(f"{rule}, jobs", done, total)
    code = process.returncode
    if code:
        errors = dict.fromkeys(text for text in output if text.startswith(ERROR))
        places = [number for number, text in enumerate(output) if _TROUBLE.match(text)]
        trouble = output[places[0] if places else 0 :]
        # Jobs say why they failed; Snakemake's messages are only shown where no job said so.
        for text in [*filter(_LOG.match, output), *errors] if errors else trouble:
            screen.write(f"{show_line(text)}\n")
    return code if code >= 0 else 128 - code


ERROR = "ncsbench: error: "
"""Beginning of a line that says why a run failed."""
_TRACEBACK = "Traceback (most recent call last):"


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


if __name__ == "__main__":
    sys.exit(run_with_progress(sys.argv[1:], sys.stderr))
