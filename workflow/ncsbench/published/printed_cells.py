"""Printed figures of a paper by table, row and column."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ncsbench.published.score_sheet_table import read_published

PublishedCells = Mapping[tuple[str, str, str], str]
"""By table, row and column: the value as printed."""
NEAR = 0.05
"""How far pairs and queries may be from the printed numbers for a verdict (DEV-197)."""


def read_published_cells(path: Path | None) -> PublishedCells:
    """Read a file of ``config/published``; nothing without a path.

    Raises:
        DataError: for what ``read_published`` refuses.
    """
    figures = read_published(path) if path else ()
    return {(one.table, one.row, one.column): one.value for one in figures}


def tell_other_size(name: str, own: int, printed: str) -> str:
    """Why figures are not comparable where a number is not near the printed one; else empty."""
    if not printed or abs(own / int(printed) - 1) <= NEAR:
        return ""
    return f"not comparable: {name} ({own:,} for {int(printed):,})"
