"""Hashes of texts and of pairs of hashes, for tokens, labels and features (DEV-37)."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numba import njit


def hash_text(text: str) -> int:
    """64-bit hash of a token."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


@njit(cache=True, inline="always")
def mix(left: Any, right: Any) -> Any:
    """Hash of an ordered pair of uint64 numbers (with the finaliser of SplitMix64)."""
    value = left * np.uint64(0x9E3779B97F4A7C15) + right + np.uint64(0x632BE59BD9B4E019)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
