"""Curation files: which candidates a reader kept, and why not the others (``id,keep,reason``)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ncsbench.artifacts.csv_tables import read_records
from ncsbench.artifacts.storage import write_text
from ncsbench.errors import DataError

HEADER = ("id", "keep", "reason")
_KEEP = {"yes": True, "no": False}


@dataclass(frozen=True)
class Decision:
    """What a reader decided; ``reason`` may be empty."""

    keep: bool
    reason: str = ""


def read_decisions(path: Path) -> dict[str, Decision]:
    """Decisions by Stack Overflow id, in the order of the file.

    Raises:
        DataError: with the line, where the file is no CSV of ``HEADER``, ``keep`` is neither yes
            nor no, or an id is missing or stands twice.
    """
    records = [(line, record) for line, record in read_records(path) if record]
    if not records or tuple(records[0][1]) != HEADER:
        raise DataError(f"{path}, line 1: the header must be {','.join(HEADER)!r}")
    decisions: dict[str, Decision] = {}
    lines: dict[str, int] = {}
    for line, record in records[1:]:
        where = f"{path}, line {line}"
        if len(record) != len(HEADER):
            raise DataError(
                f"{where}: has {len(record)} cells, not {len(HEADER)}; quote a reason with commas"
            )
        id_, keep, reason = (cell.strip() for cell in record)
        if not id_:
            raise DataError(f"{where}: has no id")
        if keep.lower() not in _KEEP:
            raise DataError(f"{where}: keep must be yes or no, not {keep!r}")
        if id_ in lines:
            raise DataError(f"{where}: id {id_!r} stands in line {lines[id_]} already; keep one")
        lines[id_] = line
        decisions[id_] = Decision(_KEEP[keep.lower()], reason)
    return decisions


def write_decisions(path: Path, decisions: Mapping[str, Decision]) -> None:
    """Write decisions in their order, atomically."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for id_, decision in decisions.items():
        writer.writerow([id_, "yes" if decision.keep else "no", decision.reason])
    write_text(path, text.getvalue())
