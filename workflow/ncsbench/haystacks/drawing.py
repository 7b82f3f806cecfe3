"""Drawing repositories from a published list, as distractors."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.errors import ConfigurationError
from ncsbench.sources.repositories import read_repositories

DRAWN_COLUMNS = ("repo", "commit", "drawn")
"""``drawn``: from 1 in the order drawn; empty for repositories that were there before."""


def draw_repositories(*, listed: Path, kept: Path, count: int, seed: int, output: Path) -> None:
    """Write the repositories of one list and ``count`` others that are drawn from another.

    The order of drawing depends on the seed and the names alone, so that a larger number begins
    with the same repositories.

    Args:
        listed: list to draw from.
        kept: list of the repositories that are written first and not drawn.
        count: how many to draw.
        seed: of the drawing.
        output: CSV file to write; it can be the ``repositories`` of a dataset.

    Raises:
        ConfigurationError: where the list has too few others.
    """
    before = read_repositories(kept).repositories
    names = {one.full_name for one in before}
    others = [one for one in read_repositories(listed).repositories if one.full_name not in names]
    if count > len(others):
        raise ConfigurationError(
            f"{listed}: has only {len(others)} repositories beside those of {kept}; lower --count"
        )
    others.sort(key=lambda one: draw_key(seed, one.full_name))
    rows = [(one, "") for one in before] + [
        (one, str(number)) for number, one in enumerate(others[:count], 1)
    ]
    write_rows(
        output,
        DRAWN_COLUMNS,
        [
            {"repo": one.full_name, "commit": one.commit or "", "drawn": drawn}
            for one, drawn in rows
        ],
    )


def draw_key(seed: int, name: str) -> bytes:
    """What repositories are sorted by: their order depends on the seed and the names alone."""
    return hashlib.sha256(f"{seed} {name}".encode()).digest()
