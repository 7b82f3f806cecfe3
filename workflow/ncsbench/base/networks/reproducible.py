"""Use of PyTorch in ways that give the same bits every time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np
import torch
from torch.utils import deterministic

from ncsbench.errors import ConfigurationError


@contextlib.contextmanager
def reproducible(threads: int, device: torch.device) -> Iterator[None]:
    """Run a block with ``threads`` threads and, on the CPU, only deterministic operations.

    These give the same bits every time. Random numbers that the block draws from torch do not
    change those drawn outside.
    """
    before = (
        torch.get_num_threads(),
        torch.get_deterministic_debug_mode(),
        deterministic.fill_uninitialized_memory,  # type: ignore[attr-defined]
    )
    torch.set_num_threads(threads)
    # As torch.use_deterministic_algorithms, which imports PyTorch's compiler first: two seconds.
    torch.set_deterministic_debug_mode("error" if device.type == "cpu" else "default")
    # Filling all new memory would take a tenth of the time; every operation here writes all of it.
    deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    try:
        with torch.random.fork_rng(enabled=True):
            yield
    finally:
        torch.set_num_threads(before[0])
        torch.set_deterministic_debug_mode(before[1])
        deterministic.fill_uninitialized_memory = before[2]  # type: ignore[attr-defined]


def choose_device(asked: str, block: str, *, instead: str) -> torch.device:
    """Return the device of an option ``device``; ``auto`` means a GPU where there is one.

    Args:
        asked: ``cpu``, ``cuda`` or ``auto``.
        block: name of the options in the message.
        instead: value of the option that is possible without a GPU.

    Raises:
        ConfigurationError: where ``cuda`` is asked for and there is no GPU.
    """
    there = torch.cuda.is_available()
    if asked == "cuda" and not there:
        raise ConfigurationError(f"{block}: option 'device: cuda' finds no GPU; take {instead!r}")
    return torch.device("cuda" if there and asked != "cpu" else "cpu")


def draw_seed(*numbers: int) -> int:
    """Draw a seed for torch from several numbers, such as a seed, a stream and an epoch."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])
