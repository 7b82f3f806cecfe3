"""The way from a table, or one number of it, back to its sources."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from ncsbench.errors import DataError
from ncsbench.fingerprints import Fingerprints
from ncsbench.provenance.artifacts import describe_artifact
from ncsbench.provenance.crate_reading import read_lineage
from ncsbench.provenance.lineage import CODE, GONE, SETTINGS, SOURCE, Artifact, Lineage
from ncsbench.provenance.table1_rows import choose_inputs, describe_row
from ncsbench.provenance.table_cells import Selection, read_dataset, select_cells

FILE_NAME = "provenance.json"
_DATASET = re.compile(r"[A-Za-z0-9_-]+")
_TOLD = (SETTINGS, CODE)
"""Kinds of artifacts that are told with the job that read them."""
_MOST_BYTES = 2**28
"""A larger raw input is not hashed again; its size is looked at."""
_SOURCES = ".java"
"""Files that count in a folder of raw sources, as ``RawInputs.describe`` has it."""


@dataclass(frozen=True)
class Explanation:
    """Where a table or a part of it comes from.

    Attributes:
        table: the file that was asked about.
        start: the same in the lineage; another file where ``table`` is a copy of it.
        inputs: what each artifact was made from and is followed further, by path; of an artifact
            that no job made nothing. Keys are in the order of their distance from the table.
        troubles: lines about files that are not what was recorded.
        absent: what a job made and is not on the disk now; it can be made again.
        about: replicates and published figures of a row of Table 1.
    """

    table: str
    selection: Selection
    lineage: Lineage
    start: str
    inputs: Mapping[str, tuple[str, ...]]
    troubles: tuple[str, ...]
    absent: frozenset[str]
    about: Mapping[str, Sequence[str]] = field(default_factory=dict)


def explain_table(table: Path, *, row: str | None, column: str | None) -> Explanation:
    """Follow a table back to its sources by the provenance file beside or above it.

    Args:
        table: a table or another result, or a copy of a table in the folder above.
        row: a model of ``table1.csv``, or what the first column of another table has.
        column: a column of this row.

    Raises:
        DataError: where there is no such table, row or column, or no provenance of it.
    """
    if not table.is_file():
        raise DataError(f"{table}: there is no such table; `snakemake --cores all` makes Table 1")
    provenance = _find_provenance(table)
    lineage = read_lineage(provenance)
    root, start = _find_start(lineage, table.resolve())
    if start is None:
        root, start = _find_start(lineage, provenance.parent.resolve() / table.name)
    if start is None:
        raise DataError(
            f"{table}: {provenance} does not tell of it; `snakemake --cores all "
            f"--forcerun provenance -- {quote(str(provenance))}` writes it anew"
        )
    selection = select_cells(table, row, column)
    inputs = _follow(lineage, start, selection)
    troubles = _find_troubles(lineage, list(inputs), root)
    same = describe_artifact(str(table)).sha256 == lineage.artifacts[start].sha256
    if not same and (root / start).resolve() != table.resolve():
        troubles.insert(0, f"{table}: is not the {start} that was recorded")
    absent = frozenset(
        path
        for path in inputs
        if path in lineage.makers
        and lineage.artifacts[path].kind != GONE
        and not (root / path).exists()
    )
    job = lineage.makers.get(start)
    about = {}
    if job is not None and _is_table1(start, selection):
        about = describe_row(job, selection.rows[0])
    return Explanation(
        str(table), selection, lineage, start, inputs, tuple(troubles), absent, about
    )


def _find_provenance(table: Path) -> Path:
    for folder in (*table.parents, *table.resolve().parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
    dataset = read_dataset(table)
    command = "`snakemake --cores all` writes one beside the tables of a dataset"
    if dataset and _DATASET.fullmatch(dataset):
        folder = table.parent if table.parent.name == dataset else table.parent / dataset
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
        command = f"`snakemake --cores all -- {quote(str(folder / FILE_NAME))}` writes it"
    raise DataError(
        f"{table}: no {FILE_NAME} beside or above it tells where it comes from; {command}"
    )


def _find_start(lineage: Lineage, table: Path) -> tuple[Path, str | None]:
    """The project's folder, and the table as the lineage names it."""
    for path in sorted(lineage.artifacts, key=len, reverse=True):
        parts = Path(path).parts
        if parts and table.parts[-len(parts) :] == parts:
            return Path(*table.parts[: -len(parts)]), path
    return Path(), None


def _follow(lineage: Lineage, start: str, selection: Selection) -> dict[str, tuple[str, ...]]:
    """Inputs by artifact, breadth first, so that each stands where it is nearest to the table."""
    inputs: dict[str, tuple[str, ...]] = {}
    waiting = [start]
    for path in waiting:  # grows
        if path in inputs:
            continue
        job = lineage.makers.get(path)
        found = () if job is None else job.inputs
        if job is not None and path == start and _is_table1(start, selection):
            found = choose_inputs(lineage, job, selection.rows[0], selection.column)
        # A model stands before its variants, which have its name and more.
        nearest = sorted(found, key=lambda one: (one.rpartition(".")[0] or one, one))
        inputs[path] = tuple(one for one in nearest if lineage.artifacts[one].kind not in _TOLD)
        waiting += inputs[path]
    return inputs


def _is_table1(path: str, selection: Selection) -> bool:
    return bool(selection.rows) and Path(path).name == "table1.csv"


def _find_troubles(lineage: Lineage, paths: list[str], root: Path) -> list[str]:
    jobs = [job for path in paths if (job := lineage.makers.get(path)) is not None]
    told = {one for job in jobs for one in job.inputs if lineage.artifacts[one].kind in _TOLD}
    compared = [lineage.artifacts[path] for path in told.union(paths)]
    lines = [_compare(one, root, one.path in lineage.makers) for one in compared]
    return sorted(line for line in lines if line is not None)


def _compare(recorded: Artifact, root: Path, is_made: bool) -> str | None:
    """A line where a path is no longer what was recorded."""
    if recorded.kind == GONE or recorded.sha256 is None:
        return None
    # The path of raw sources may go on with the places of owner and name.
    place = root / (recorded.path.split("{", 1)[0] if recorded.kind == SOURCE else recorded.path)
    if not place.exists():
        return None if is_made else f"{recorded.path}: is gone"
    if not is_made and place.is_file() and place.stat().st_size > _MOST_BYTES:
        if place.stat().st_size == recorded.size:
            return None
        return f"{recorded.path}: no longer has the recorded size"
    if recorded.kind == SOURCE:
        found = Fingerprints(Path(os.devnull)).of_folder(place, _SOURCES)  # without a memory
    else:
        found = describe_artifact(str(place)).sha256 or ""
    if found == recorded.sha256:
        return None
    return (
        f"{recorded.path}: no longer has the recorded hash "
        f"(recorded {recorded.sha256[:12]}, now {found[:12]})"
    )
