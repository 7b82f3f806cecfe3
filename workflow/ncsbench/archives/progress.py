"""Counts of a fetching job, and a line about them for people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Progress:
    """Counts of a job."""

    listed: int
    here_before: int
    missing: int
    waiting: int
    """Still to be asked for, where they are listed or at Software Heritage."""
    fetched: int = 0
    bytes: int = 0
    done: int = 0
    """Fetched or found missing by this job."""

    def settle(self, size: int | None = None) -> None:
        """Count a repository that waits no more: fetched with so many bytes, or missing."""
        self.waiting -= 1
        self.done += 1
        self.missing += size is None
        self.fetched += size is not None
        self.bytes += size or 0

    def line(self, seconds: float) -> str:
        """One line for people, so long after the start."""
        parts = [
            f"{self.here_before + self.fetched:,} of {self.listed:,} fetched",
            f"{self.missing:,} missing",
            f"{self.waiting:,} to ask for",
            f"{show_bytes(self.bytes)} in {show_seconds(seconds)}",
        ]
        if self.done and seconds:
            left = self.waiting / self.done * seconds
            rate = self.done / seconds * 60
            parts += [f"{rate:.0f} a minute", f"{show_seconds(left)} left"]
        return ", ".join(parts)


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
