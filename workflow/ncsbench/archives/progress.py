"""How far a fetching job is: a line now and then, and a file that another terminal can read."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import TYPE_CHECKING

from ncsbench.artifacts.storage import read_json, write_json
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.errors import NcsbenchError
from ncsbench.run_control.run_lock import LOCK

if TYPE_CHECKING:
    from ncsbench.archives.http_client import Clock

_FILE = "progress.json"
_NOTE_SECONDS = 1.0


class ProgressState(StrictModel):
    """Counts of a job; seconds count from its start."""

    listed: int
    here_before: int
    fetched: int = 0
    missing: int = 0
    waiting: int = 0
    """Still to be asked for, where they are listed or at Software Heritage."""
    bytes: int = 0
    done: int = 0
    """Fetched or found missing by this job."""
    seconds: float = 0

    @property
    def per_minute(self) -> float:
        """Repositories that were done in a minute."""
        return self.done / self.seconds * 60 if self.seconds else 0.0

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


class Progress:
    """Counts what comes, and writes it down for another terminal."""

    def __init__(self, state: ProgressState, folder: Path, clock: Clock) -> None:
        """Begin with these counts, written into the folder, in the seconds of a clock."""
        self.state = state
        self._path = folder / _FILE
        self._clock = clock
        self._start = clock.monotonic()
        write_json(self._path, state.as_json())

    def count(self, **changes: int) -> None:
        """Add to the counts, by their names."""
        changes["done"] = -changes.get("waiting", 0)
        sums = {name: getattr(self.state, name) + some for name, some in changes.items()}
        self.state = self.state.model_copy(update=sums)

    def note(self) -> None:
        """Write the counts down, where the last time is a second ago."""
        seconds = self._clock.monotonic() - self._start
        if seconds >= self.state.seconds + _NOTE_SECONDS:
            self.state = self.state.model_copy(update={"seconds": seconds})
            write_json(self._path, self.state.as_json())


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
