"""One line about long work: what is done of all, the rate, and the time left.

It has one form for ``make``, ``snakemake --quiet`` and commands. Work says by ``report`` and
``advance`` how far it is, which does nothing where no line is shown, as in a job.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections import deque
from typing import IO

_LINES: list[ProgressLine] = []
_CLEAR = "\r\033[K"
_PATIENCE, _PAUSE, _APART = 2.0, 10.0, 0.5


def report(what: str, done: int, total: int) -> None:
    """Note on the line that is shown, if one is, that ``done`` of ``total`` steps are done."""
    for line in _LINES[-1:]:
        line(what, done, total)


def advance(steps: int) -> None:
    """Note on the line that is shown, if one is, that so many further steps are done."""
    for line in _LINES[-1:]:
        line(line.what, line.done + steps, line.total)


class ProgressLine:
    """A line with the latest report, removed at the end.

    On a terminal the line is shown after two seconds and replaced as reports come, elsewhere a new
    line is printed each 10 s.
    """

    def __init__(self, screen: IO[str]) -> None:
        self._screen = screen
        self._clear = _CLEAR if screen.isatty() and os.environ.get("TERM") != "dumb" else ""
        self.what, self.done, self.total = "", 0, 0
        self._shown = ""
        self._end, self._writing = threading.Event(), threading.Lock()

    def __enter__(self) -> ProgressLine:
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        _LINES.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _LINES.remove(self)
        self._end.set()
        self._thread.join()
        self._write(self._clear if self._shown else "")

    def __call__(self, what: str, done: int, total: int, share: float | None = None) -> None:
        """Note that ``done`` of ``total`` steps are done.

        Args:
            what: name of the work, with a noun for its steps at the end.
            done: number of steps that are done; less than before where other work begins.
            total: number of all steps; 0 where it is unknown.
            share: share of the work that is done, where steps are known to differ in length.
        """
        mark = time.monotonic(), done, done / (total or 1) if share is None else share
        if not self.what or done < self.done or total != self.total:
            self._marks = deque([mark], maxlen=60)  # what the rate is of
        elif done > self.done and mark[0] >= self._marks[-1][0] + _APART:
            self._marks.append(mark)
        self.what, self.done, self.total = what, done, total

    def note(self, text: str) -> None:
        """Show a line that stays, above this one."""
        self._write(f"{self._clear}{text}\n{self._shown if self._clear else ''}")

    def describe(self) -> str:
        """Describe the latest report: rate and time left only where steps were seen to be done."""
        (start, first, before), (end, done, share) = self._marks[0], self._marks[-1]
        text = f"ncsbench: {self.what}" + (f" {self.done:,}" if self.done or self.total else "")
        text += f" of {self.total:,}" if self.total else ""
        if end > start:
            text += f", {show_rate((done - first) / (end - start))}"
        if self.total and share > before:
            # Where the next step takes longer than all was to take, no time is known.
            left = (1 - share) / (share - before) * (end - start) + end - time.monotonic()
            text += f", about {show_seconds(left)} left" if left >= 1 else ""
        return text

    def _watch(self) -> None:
        wait = _PATIENCE if self._clear else _PAUSE
        while not self._end.wait(wait):
            wait = 0.1 if self._clear else _PAUSE
            line = self.describe() if self.what else ""
            if self._clear:
                line = line[: shutil.get_terminal_size().columns - 1]
            if line != self._shown:
                self._shown = line
                self._write(f"{self._clear}{line}" if self._clear else f"{line}\n")

    def _write(self, text: str) -> None:
        with self._writing:
            self._screen.write(text)
            self._screen.flush()


def show_rate(rate: float) -> str:
    """Write steps a second for people, as ``3.4 a second``, or ``2 min each`` for less than one."""
    shown = f"{rate:,.{int(rate < 10)}f} a second"
    return shown if rate >= 1 else f"{show_seconds(1 / rate)} each"


def show_seconds(seconds: float) -> str:
    """Write a time for people, as ``3 h 20 min``, ``5 min`` or ``12 s``."""
    minutes = int(seconds // 60)
    if minutes >= 48 * 60:
        return f"{minutes / 60 / 24:.1f} days"
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"
