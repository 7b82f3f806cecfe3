"""How many comments people must judge (Sun et al., ICSE 2022, section 5.2; DEV-198)."""

from __future__ import annotations

_MARGIN = 0.05
_VARIANCE = 1.96**2 * 0.5 * 0.5
_UNLIMITED = _VARIANCE / _MARGIN**2
"""Cochran's size for an unlimited population: 95 % confidence, a margin of 5 points."""


def cochran_sample_size(population: int) -> int:
    """Cochran's sample size with the usual correction for a population, at least 0."""
    if population < 1:
        return 0
    return round(_UNLIMITED / (1 + (_UNLIMITED - 1) / population))


def printed_sample_size(population: int) -> int:
    """What the printed formula gives, which divides by ``c^2 - 1`` where Cochran's subtracts 1.

    It is 384 or 385 for every group of the paper, and more than there are for a small one.
    """
    if population < 1:
        return 0
    return round(_UNLIMITED / (1 + _VARIANCE / (_MARGIN**2 - 1) / population))
