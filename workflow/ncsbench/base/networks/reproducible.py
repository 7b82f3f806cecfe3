"""PyTorch so that it gives the same bits every time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np
import torch
from torch.utils import deterministic

from ncsbench.errors import ConfigurationError


@contextlib.contextmanager
def reproducible(threads: int, device: torch.device) -> Iterator[None]:
    """So many threads and, on the CPU, only operations that give the same bits every time.

    Random numbers of torch that are drawn inside leave those outside as they are.
    """
    before = (
        torch.get_num_threads(),
        torch.are_deterministic_algorithms_enabled(),
        deterministic.fill_uninitialized_memory,  # type: ignore[attr-defined]
    )
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(device.type == "cpu")
    # It would fill all new memory first, a tenth of the time, though every operation here fills it.
    deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    try:
        with torch.random.fork_rng(enabled=True):
            yield
    finally:
        torch.set_num_threads(before[0])
        torch.use_deterministic_algorithms(before[1])
        deterministic.fill_uninitialized_memory = before[2]  # type: ignore[attr-defined]


def choose_device(asked: str, block: str, *, instead: str) -> torch.device:
    """The device of an option ``device``: a GPU where ``auto`` finds one.

    Args:
        asked: ``cpu``, ``cuda`` or ``auto``.
        block: what the message calls the options.
        instead: value of the option that is possible without a GPU.

    Raises:
        ConfigurationError: where ``cuda`` finds none.
    """
    there = torch.cuda.is_available()
    if asked == "cuda" and not there:
        raise ConfigurationError(f"{block}: option 'device: cuda' finds no GPU; take {instead!r}")
    return torch.device("cuda" if there and asked != "cpu" else "cpu")


def draw_seed(*numbers: int) -> int:
    """A seed for torch of a seed, a stream and an epoch."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])
