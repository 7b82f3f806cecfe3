"""How long tests wait for what must end: a guard against hanging that says nothing of speed."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 1800.0
"""Seconds; on the slowest machine nothing that works comes near."""


@contextmanager
def guard_against_hanging() -> Iterator[None]:
    """``TimeoutError`` where the block does not end; inputs are long enough that it matters."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"no end after {LONGEST:.0f} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(int(LONGEST))
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
