"""How many comments people must judge (Sun et al., ICSE 2022, section 5.2; DEV-198)."""

from __future__ import annotations

_MARGIN = 0.05
_UNLIMITED = 1.96**2 * 0.5 * 0.5 / _MARGIN**2
"""Cochran's size for an unlimited population: 95 % confidence, a margin of 5 points."""


def cochran_sample_size(population: int) -> int:
    """Cochran's sample size with the usual correction for a population, at least 0."""
    if population < 1:
        return 0
    return round(_UNLIMITED / (1 + (_UNLIMITED - 1) / population))


def printed_sample_size(population: int) -> int:
    """What the printed formula gives, which has ``c^2 - 1`` in place of ``n - 1``.

    It is 384 for every group of the paper, and more than there are for a small one.
    """
    if population < 1:
        return 0
    return int(_UNLIMITED / (1 + (_MARGIN**2 - 1) / population))
