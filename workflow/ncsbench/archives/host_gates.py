"""Limits per host over all threads: connections, requests a minute, pauses that a host asks for."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from ncsbench.archives.clock import Clock


class HostGates:
    """One gate for each host (``host`` or ``host:port``), made when it is first asked for."""

    def __init__(
        self,
        *,
        connections: int,
        requests_per_minute: float,
        clock: Clock,
        end: threading.Event,
    ) -> None:
        self._connections = connections
        self._interval = 60 / requests_per_minute
        self._clock = clock
        self._end = end
        self._gates: dict[str, _Gate] = {}
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def enter(self, host: str) -> Iterator[None]:
        """Wait for one's turn to send a request, or the end; hold a connection in the block."""
        gate = self._gate(host)
        with gate.connections:
            gate.wait_for_turn(self._end)
            yield

    def pause(self, host: str, seconds: float) -> None:
        """Let no further request start for some seconds."""
        self._gate(host).pause(seconds)

    def _gate(self, host: str) -> _Gate:
        with self._lock:
            if host not in self._gates:
                self._gates[host] = _Gate(self._connections, self._interval, self._clock)
            return self._gates[host]


class _Gate:
    def __init__(self, connections: int, interval: float, clock: Clock) -> None:
        self.connections = threading.BoundedSemaphore(connections)
        self._interval = interval
        self._clock = clock
        self._next = clock.monotonic()
        self._lock = threading.Lock()

    def wait_for_turn(self, end: threading.Event) -> None:
        while not end.is_set():
            with self._lock:
                now = self._clock.monotonic()
                wait = self._next - now
                if wait <= 0:
                    self._next = now + self._interval
                    return
            self._clock.sleep(wait, end)  # a pause may begin meanwhile: looked at again

    def pause(self, seconds: float) -> None:
        with self._lock:
            self._next = max(self._next, self._clock.monotonic() + seconds)
