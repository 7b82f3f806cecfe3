"""How far a fetching job is: a line now and then, and a file that another terminal can read."""

from __future__ import annotations

import fcntl
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from ncsbench.archives.http_client import Clock
from ncsbench.artifacts.storage import read_json, write_json
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import NcsbenchError
from ncsbench.run_control.run_lock import LOCK

_FILE = "progress.json"
_SAMPLES = 20


class ProgressState(StrictModel):
    """What a job says of itself; seconds count from its start."""

    listed: int
    here_before: int
    fetched: int = 0
    missing: int = 0
    waiting: int = 0
    """Still to be asked for, where they are listed or at Software Heritage."""
    bytes: int = 0
    seconds: float = 0
    per_minute: float = 0

    def line(self) -> str:
        """One line for people."""
        parts = [
            f"{self.here_before + self.fetched:,} of {self.listed:,} fetched",
            f"{self.missing:,} missing",
            f"{self.waiting:,} to ask for",
            f"{show_bytes(self.bytes)} in {show_seconds(self.seconds)}",
        ]
        if self.per_minute > 0:
            left = self.waiting / self.per_minute * 60
            parts += [f"{self.per_minute:.0f} a minute", f"{show_seconds(left)} left"]
        return ", ".join(parts)


@dataclass
class Progress:
    """Counts what comes, and writes it down from time to time.

    Attributes:
        state: the counts.
        folder: where the file is written.
        clock: whose seconds count.
    """

    state: ProgressState
    folder: Path
    clock: Clock
    _start: float = field(init=False)
    _samples: deque[tuple[float, int]] = field(init=False)
    _noted: float = field(init=False)

    def __post_init__(self) -> None:
        self._start = self.clock.monotonic()
        self._samples = deque([(0.0, 0)], maxlen=_SAMPLES)
        self.note()

    def count(self, *, fetched: int = 0, missing: int = 0, waiting: int = 0, size: int = 0) -> None:
        """Add to the counts."""
        state = self.state
        self.state = state.model_copy(
            update={
                "fetched": state.fetched + fetched,
                "missing": state.missing + missing,
                "waiting": state.waiting + waiting,
                "bytes": state.bytes + size,
            }
        )

    def write(self) -> str:
        """Write the counts to the file; the line about them."""
        self.note()
        self._samples.append((self.state.seconds, self.state.fetched + self.state.missing))
        return self.state.line()

    def note(self, *, least_seconds: float = 0) -> None:
        """Write the counts to the file, where the last time is so many seconds ago."""
        now = self.clock.monotonic()
        if least_seconds and now < self._noted + least_seconds:
            return
        self._noted, seconds = now, now - self._start
        past, before = self._samples[0]
        done = self.state.fetched + self.state.missing - before
        rate = done / (seconds - past) * 60 if seconds > past else 0.0
        self.state = self.state.model_copy(
            update={"seconds": seconds, "per_minute": max(0.0, rate)}
        )
        write_json(self.folder / _FILE, self.state.as_json())


def read_progress(folder: Path) -> ProgressState | None:
    """What the job that works now says of itself; None where none does."""
    try:
        with (folder / LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return None
    except OSError:  # a job has it
        try:
            return ProgressState.parse(read_json(folder / _FILE), where=str(folder / _FILE))
        except NcsbenchError:  # it has only begun
            return None
    return None


def show_bytes(count: float) -> str:
    """``1.5 GB``; powers of 1000."""
    for unit in ("bytes", "kB", "MB"):
        if count < 999.5:  # else it is shown as 1e+03
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} GB"


def show_seconds(seconds: float) -> str:
    """``3 h 20 min``, ``5 min`` or ``12 s``."""
    minutes = int(seconds // 60)
    if minutes >= 48 * 60:
        return f"{minutes / 60 / 24:.1f} days"
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"
