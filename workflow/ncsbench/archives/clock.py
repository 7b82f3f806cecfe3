"""Time as the client sees it: tests put another clock in its place."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """What waits and is waited by."""

    def monotonic(self) -> float:
        """Seconds since some moment; never jumps."""

    def wall(self) -> float:
        """Seconds since 1970 as the machine believes; may jump."""

    def sleep(self, seconds: float, end: threading.Event) -> None:
        """Return after ``seconds`` of ``monotonic``, or when ``end`` is set."""


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """See ``Clock``."""
        return time.monotonic()

    def wall(self) -> float:
        """See ``Clock``."""
        return time.time()

    def sleep(self, seconds: float, end: threading.Event) -> None:
        """See ``Clock``."""
        end.wait(seconds)
