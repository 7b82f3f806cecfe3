"""The selection funnel: how many questions each step kept and removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ncsbench.artifacts.csv_tables import Row, name_cells
from ncsbench.artifacts.storage import read_json, write_json
from ncsbench.errors import DataError

COLUMNS = ("step", "kept", "removed", "published")
"""Columns of ``funnel.csv``, in order."""


@dataclass(frozen=True)
class FunnelStep:
    """One step.

    Attributes:
        name: what had to hold, for a reader.
        kept: questions left after it.
        published: name of the published count that this step stands beside; may be empty.
    """

    name: str
    kept: int
    published: str = ""


def write_funnel(path: Path, steps: Sequence[FunnelStep]) -> None:
    """Write steps as JSON, in order, atomically."""
    write_json(path, [asdict(step) for step in steps])


def read_funnel(path: Path) -> list[FunnelStep]:
    """Read what ``write_funnel`` wrote; ``DataError`` where it is something else."""
    try:
        return [FunnelStep(**step) for step in read_json(path)]
    except TypeError as error:
        raise DataError(f"{path}: is no list of the selection's steps; make it again") from error


def funnel_rows(steps: Sequence[FunnelStep], published: Mapping[str, str]) -> list[Row]:
    """Rows of ``COLUMNS``: each step with what it removed, beside the published counts.

    Args:
        steps: all steps in order.
        published: printed count by the name that a step gives.

    Returns:
        One row a step; ``removed`` is empty for the first, ``published`` where nothing is printed.
    """
    before = [None, *(step.kept for step in steps)]
    records = (
        (one.name, one.kept, last and last - one.kept, published.get(one.published))
        for last, one in zip(before, steps, strict=False)
    )
    return name_cells(COLUMNS, records)
