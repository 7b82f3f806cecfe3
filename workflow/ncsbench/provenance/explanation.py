"""The way from a table, or one number of it, back to its sources."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ncsbench.errors import DataError
from ncsbench.provenance.job_graph import trace_tables
from ncsbench.provenance.lineage import Artifact, Lineage, code_of, describe_artifact, read_lineage
from ncsbench.provenance.snakemake_records import FOLDER, Metadata
from ncsbench.provenance.table_cells import FILE_NAME as PER_QUESTION
from ncsbench.provenance.table_cells import (
    Selection,
    choose_inputs,
    describe_cell,
    read_dataset,
    select_cells,
)
from ncsbench.sources.source_protocol import find_fixed_folder
from ncsbench.text.safe_text import show_line

FILE_NAME = "provenance.json"
_DATASET = re.compile(r"[A-Za-z0-9_-]+")
_SETTINGS = re.compile(r"(data/[A-Za-z0-9_-]+/settings)/.+")
_TOLD = ("settings", "code")
"""Kinds of artifacts that belong to the job that read them, and are not listed."""
_MOST_BYTES = 2**28
"""A larger raw input is not hashed again; its size is looked at."""
_DIGITS = 12
_SHARD = re.compile(r"(?<=/)\d{4}(?=[./]|$)")
"""The number of a shard in a path; of files that differ in it alone the first one is shown."""


@dataclass(frozen=True)
class Explanation:
    """Where a table or a part of it comes from.

    Attributes:
        table: the file that was asked about.
        start: the same in the lineage; another file where ``table`` is a copy of it.
        paths: the table and what it was made from, down to the sources, nearest to the table first.
        troubles: lines about files that are not what was recorded.
        arithmetic: lines that compute a figure of Table 1 from its questions; else empty.
    """

    table: str
    selection: Selection
    lineage: Lineage
    start: str
    paths: tuple[str, ...]
    troubles: tuple[str, ...]
    arithmetic: tuple[str, ...] = ()


KnownLineage = tuple[Lineage, Path, str]
"""What tells of a table, the project's folder, and the table as it is named there."""


def explain_table(
    table: Path,
    *,
    row: str | None,
    column: str | None,
    published: KnownLineage | None = None,
) -> Explanation:
    """Follow a table back to its sources.

    The provenance file beside or above it tells them; what none tells, such as a result made
    later or one of no dataset, Snakemake's own records.

    Args:
        table: a table or another result, or a copy of a table in the folder above.
        row: a model of ``table1.csv``, or what the first column of another table has.
        column: a column of this row.
        published: what evidence tells of a table that is made of it.

    Raises:
        DataError: where there is no such table, row or column, or nothing tells of it.
    """
    if not table.is_file():
        trial = table.parent.name if table.parent.parent.name == "trials" else ""
        target = f"--config trial={trial} -- trial" if trial else str(table)
        raise DataError(
            f"{table}: there is no such table; "
            f"if it is one of the workflow, `snakemake --cores all {target}` makes it"
        )
    lineage, root, start = published or _find_lineage(table)
    selection = select_cells(table, row, column)
    paths = _follow(lineage, start, selection)
    # Of evidence, what lies here is of another run, if it is there at all.
    troubles = [] if published else _find_troubles(lineage, paths, root)
    same = describe_artifact(str(table)).sha256 == lineage.artifacts[start].sha256
    if not same and (root / start).resolve() != table.resolve():
        troubles.insert(0, f"{table}: is not the {start} that was recorded")
    arithmetic: list[str] = []
    if column is not None and _is_table1(start, selection):
        try:
            arithmetic = _compute(lineage, root, start, selection)
        except DataError as error:
            troubles.insert(0, str(error))
    return Explanation(
        str(table), selection, lineage, start, tuple(paths), tuple(troubles), tuple(arithmetic)
    )


def _find_lineage(table: Path) -> KnownLineage:
    """What tells of a table, the project's folder, and the table as it is named there."""
    resolved = table.resolve()
    files = [folder / FILE_NAME for folder in (*table.parents, *resolved.parents)]
    dataset = read_dataset(table)
    if _DATASET.fullmatch(dataset):
        files.append(table.parent / dataset / FILE_NAME)
    file = next((file for file in files if file.is_file()), None)
    if file is not None:
        lineage = read_lineage(file)
        for place in (resolved, file.parent.resolve() / table.name):  # the table, or its original
            for path in sorted(lineage.artifacts, key=len, reverse=True):
                parts = Path(path).parts
                if parts and place.parts[-len(parts) :] == parts:
                    return lineage, Path(*place.parts[: -len(parts)]), path
    for root in resolved.parents:
        if (root / FOLDER).is_dir():
            found = _trace_records(root, resolved.relative_to(root).as_posix())
            if found is not None:
                return found, root, resolved.relative_to(root).as_posix()
    raise DataError(
        f"{table}: nothing tells where it comes from: no {FILE_NAME} beside or above it names it, "
        "and no run made it here (`make check` says which committed tables can be made here)"
    )


def _trace_records(root: Path, table: str) -> Lineage | None:
    """What Snakemake's records tell of a file; None where they do not."""
    with contextlib.chdir(root):
        records = Metadata()
        record = records.record(table)
        if record is None:
            return None
        settings = [found[1] for one in record.inputs if (found := _SETTINGS.fullmatch(one))]
        folder = Path(settings[0] if settings else "data/settings")
        return trace_tables([table], dataset=folder.parent.name, metadata=records, settings=folder)


def _compute(lineage: Lineage, root: Path, start: str, selection: Selection) -> list[str]:
    """The arithmetic of a cell, line by line; empty where there is none.

    Raises:
        DataError: where the questions cannot be read, are others than recorded, or give another
            value than the cell.
    """
    path = f"{Path(start).parent.as_posix()}/{PER_QUESTION}"
    if not (root / path).is_file():
        return []
    trouble = path in lineage.artifacts and _compare(path, lineage.artifacts[path], root, True)
    if trouble:
        raise DataError(trouble)
    cell = selection.values[0]
    value, lines = describe_cell(root / path, selection.rows[0], str(selection.column)) or (
        cell,
        [],
    )
    if value != cell:
        raise DataError(
            f"{start}: {selection.column} of {selection.row} is {cell}, but the questions of "
            f"{path} give {value}; run Snakemake again"
        )
    return lines


def _follow(lineage: Lineage, start: str, selection: Selection) -> list[str]:
    """The table and what it was made from, breadth first: what is nearest to the table first."""
    paths = [start]
    seen = {start}
    for path in paths:  # grows
        job = lineage.makers.get(path)
        found = () if job is None else job.inputs
        if job is not None and path == start and _is_table1(start, selection):
            found = choose_inputs(lineage, job, str(selection.row))
        # A model stands before its variants, which have its name and more.
        nearest = sorted(found, key=lambda one: (one.rpartition(".")[0] or one, one))
        further = [one for one in nearest if lineage.artifacts[one].kind not in _TOLD]
        paths += [one for one in further if one not in seen]
        seen.update(further)
    return paths


def _is_table1(path: str, selection: Selection) -> bool:
    return bool(selection.rows) and Path(path).name == "table1.csv"


def _find_troubles(lineage: Lineage, paths: list[str], root: Path) -> list[str]:
    jobs = [job for path in paths if (job := lineage.makers.get(path)) is not None]
    told = {one for job in jobs for one in job.inputs if lineage.artifacts[one].kind in _TOLD}
    lines = [
        _compare(path, lineage.artifacts[path], root, path in lineage.makers)
        for path in told.union(paths)
    ]
    return sorted(line for line in lines if line is not None)


def _compare(path: str, recorded: Artifact, root: Path, is_made: bool) -> str | None:
    """A line where a path is no longer what was recorded."""
    if recorded.kind == "gone" or recorded.sha256 is None:
        return None
    # The path of raw sources may go on with the places of owner and name.
    place = root / (find_fixed_folder(path) if recorded.kind == "source" else path)
    if not place.exists():  # settings are recorded with their content
        return None if is_made or recorded.kind in _TOLD else f"{path}: is not here"
    if recorded.kind == "source":  # the next run looks at all of it
        return None
    if not is_made and place.is_file() and place.stat().st_size > _MOST_BYTES:
        same = place.stat().st_size == recorded.size
        return None if same else f"{path}: no longer has the recorded size"
    found = describe_artifact(str(place)).sha256 or ""
    told = f"(recorded {recorded.sha256[:12]}, now {found[:12]})"
    same = found == recorded.sha256
    return None if same else f"{path}: no longer has the recorded hash {told}"


def format_explanation(explanation: Explanation) -> Iterator[str]:
    """Lines: troubles, the number, how it is computed, sources, what jobs made of them, the code.

    Nothing of what others wrote acts on the terminal: it is shown by ``show_line``.
    """
    artifacts, makers = explanation.lineage.artifacts, explanation.lineage.makers
    notes = (*explanation.troubles, *explanation.lineage.notes)
    yield from (f"! {show_line(one)}" for one in notes)
    yield from _format_title(explanation)
    yield from (f"  {show_line(one)}" for one in explanation.arithmetic)
    made = {path: makers[path] for path in explanation.paths if path in makers}
    sources = [path for path in explanation.paths if path not in makers]
    yield f"sources: {len(sources)}"
    yield from (_format_file(path, artifacts[path]) for path in sources)
    jobs = {job.outputs: job for job in made.values()}.values()
    codes = sorted({str(job.code) for job in jobs if job.code is not None})
    labels = {text: f"code {number}" for number, text in enumerate(codes, start=1)}
    yield f"files made from them, nearest to the table first: {len(made)}, by jobs: {len(jobs)}"
    shards: dict[tuple[str, str], list[str]] = {}
    for path, job in made.items():
        shards.setdefault((_SHARD.sub("*", path), job.rule), []).append(path)
    for (_, rule), paths in shards.items():
        about = [f"rule {show_line(rule)}"]
        about += [labels[str(code)] for code in [made[paths[0]].code] if code is not None]
        about += [f"the first of {len(paths)} shards"] if len(paths) > 1 else []
        yield _format_file(paths[0], artifacts[paths[0]], *about)
    yield from (f"{label}: {show_line(text)}" for text, label in labels.items())
    packages = [code_of(job, artifacts, "packages").items() for job in jobs]
    if used := sorted({" ".join(package) for each in packages for package in each}):
        yield f"packages: {show_line(', '.join(used))}"


def _format_title(explanation: Explanation) -> Iterator[str]:
    selection = explanation.selection
    title = show_line(explanation.table)
    if selection.row is not None:
        title = f"{show_line(selection.row)} in {title}"
    if selection.column is not None:
        values = ", ".join(show_line(value) or "(empty)" for value in selection.values)
        title = f"{show_line(selection.column)} of {title}: {values}"
    yield title


def _format_file(path: str, artifact: Artifact, *maker: str) -> str:
    facts = list[str]()
    if artifact.sha256 is not None:
        facts.append(f"sha256 {show_line(artifact.sha256[:_DIGITS])}")
    if artifact.size is not None:
        facts.append(f"{artifact.size:,} bytes")
    if artifact.kind == "gone":
        facts.append("gone when recorded")
    return f"  {show_line(path)}  {', '.join([*facts, *maker])}".rstrip()
