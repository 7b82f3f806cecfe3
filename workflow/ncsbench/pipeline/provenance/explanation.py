"""The way from a table, or one number of it, back to its sources."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ncsbench.base.files.csv_tables import Row, read_headed_rows
from ncsbench.base.files.storage import read_table
from ncsbench.base.text.safe_text import show_line
from ncsbench.errors import DataError, nearest
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.evaluation.measures.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.measures.results import CEILING, format_value
from ncsbench.pipeline.provenance.job_graph import FOLDER, Metadata, trace_tables
from ncsbench.pipeline.provenance.lineage import (
    Artifact,
    Lineage,
    code_of,
    describe_artifact,
    read_lineage,
)

FILE_NAME = "provenance.json"
PER_QUESTION = "per_question.parquet"
_DATASET = re.compile(r"[A-Za-z0-9_-]+")
_SETTINGS = re.compile(r"(data/[A-Za-z0-9_-]+/settings)/.+")
_TOLD = ("settings", "code")
"""Kinds of artifacts that belong to the job that read them, and are not listed."""
_MOST_BYTES = 2**28
"""A larger raw input is not hashed again."""
_SHARD = re.compile(r"(?<=/)\d{4}(?=[./]|$)")
"""The number of a shard in a path; only the first of the files that differ in it alone is shown."""
_FIGURE = re.compile(rf"(strict_|charged_)?({'|'.join(METRICS)})")
_METRICS = {str(metric): metric for metric in METRICS}
_MOST_QUESTIONS = 100
"""Largest number of questions of one rank whose ids are shown; the rest is counted."""


@dataclass(frozen=True)
class Explanation:
    """The way of a table, or of a row or cell of the table, back to its sources.

    Attributes:
        title: the table, or the row or cell, that was asked about, with its value.
        paths: the table as the lineage names it, also where the file asked about is a copy of the
            table, and its inputs, down to the sources, nearest to the table first.
        troubles: lines about files that differ from their records.
        arithmetic: lines that compute a figure of Table 1 from its questions; else empty.
    """

    title: str
    lineage: Lineage
    paths: tuple[str, ...]
    troubles: tuple[str, ...]
    arithmetic: tuple[str, ...] = ()


KnownLineage = tuple[Lineage, Path, str]
"""A lineage that has a table, the project's folder, and the name of the table there."""


def explain_table(
    table: Path,
    *,
    row: str | None,
    column: str | None,
    published: KnownLineage | None = None,
) -> Explanation:
    """Follow a table back to its sources.

    The provenance file beside or above the table names the sources. For a result that no such file
    names, such as a later result or one of no dataset, Snakemake's own records do.

    Args:
        table: a table or another result, or a copy of a table in the folder above.
        row: a model of ``table1.csv``, or an entry of the first column of another table.
        column: a column of this row.
        published: the lineage of a table that is made of evidence.

    Raises:
        DataError: where there is no such table, row or column, or there is no record of the table.
    """
    if not table.is_file():
        trial = table.parent.name if table.parent.parent.name == "trials" else ""
        target = f"--config trial={trial} -- trial" if trial else str(table)
        raise DataError(
            f"{table}: there is no such table; "
            f"if it is one of the workflow, `snakemake --cores all {target}` makes it"
        )
    lineage, root, start = published or _find_lineage(table)
    rows, column = select_cells(table, row, column)
    model = row if row is not None and Path(start).name == "table1.csv" else None
    paths = _follow(lineage, start, model)
    # For evidence, files that lie here may belong to another run.
    troubles = [] if published else _find_troubles(lineage, paths, root)
    same = describe_artifact(str(table)).sha256 == lineage.artifacts[start].sha256
    if not same and (root / start).resolve() != table.resolve():
        troubles.insert(0, f"{table}: is not the {start} that was recorded")
    arithmetic = list[str]()
    questions = (root / start).with_name(PER_QUESTION)
    if model is not None and column is not None and questions.is_file():
        written = rows[0][column]
        try:
            value, arithmetic = describe_cell(questions, rows[0], column) or (written, [])
        except DataError as error:
            troubles.insert(0, str(error))
        else:
            if value != written:
                arithmetic = []
                given = f"the questions of {questions} give {value}; run Snakemake again"
                troubles.insert(0, f"{column} of {row} is {written}, but {given}")
    title = str(table) if row is None else f"{row} in {table}"
    if column is not None:
        title = f"{column} of {title}: {', '.join(one[column] or '(empty)' for one in rows)}"
    return Explanation(title, lineage, tuple(paths), tuple(troubles), tuple(arithmetic))


def select_cells(table: Path, row: str | None, column: str | None) -> tuple[list[Row], str | None]:
    """Select rows of a CSV table whose ``model`` (else: first column but ``dataset``) is ``row``.

    Args:
        table: the file.
        row: None for the whole table; then no row is returned.
        column: the wanted column, None for all; returned under its present name.

    Raises:
        DataError: where the table has no rows to name, or no such row or column.
    """
    if row is None:
        return [], None
    if table.suffix != ".csv":
        raise DataError(f"{table}: only rows of a .csv file have names; leave out {row!r}")
    header, rows = read_headed_rows(table)
    key = min(header, key=lambda name: (name != "model", name == "dataset"))
    found = [one for one in rows if one[key] == row]
    if not found:
        known = list(dict.fromkeys(one[key] for one in rows))
        raise DataError(f"{table}: no row {row!r}; {nearest(row, known, page=str(table))}")
    if column is not None and column not in header:
        raise DataError(f"{table}: no column {column!r}; {nearest(column, header)}")
    return found, column


def _find_lineage(table: Path) -> KnownLineage:
    place = table.parent.resolve() / table.name  # a file that DVC linked stays where it is
    files = [folder / FILE_NAME for folder in place.parents]
    rows = read_headed_rows(table)[1] if table.suffix == ".csv" else []
    dataset = rows[0].get("dataset", "") if rows else ""
    if _DATASET.fullmatch(dataset):
        files.append(place.parent / dataset / FILE_NAME)
    file = next((file for file in files if file.is_file()), None)
    if file is not None:
        lineage = read_lineage(file)
        for one in (place, file.parent / place.name):  # the table, or its original
            for path in sorted(lineage.artifacts, key=len, reverse=True):
                parts = Path(path).parts
                if parts and one.parts[-len(parts) :] == parts:
                    return lineage, Path(*one.parts[: -len(parts)]), path
    for root in place.parents:
        name = place.relative_to(root).as_posix()
        if (root / FOLDER).is_dir() and (found := _trace_records(root, name)) is not None:
            return found, root, name
    raise DataError(
        f"{table}: nothing tells where it comes from: no {FILE_NAME} beside or above it names it, "
        "and no run made it here (`make check` says which committed tables can be made here)"
    )


def _trace_records(root: Path, table: str) -> Lineage | None:
    """Trace a file by Snakemake's records; None where there is no record."""
    with contextlib.chdir(root):
        records = Metadata()
        found = records.find(table)
        if found is None:
            return None
        settings = [one[1] for one in map(_SETTINGS.fullmatch, found[0].inputs) if one]
        folder = Path(settings[0] if settings else "data/settings")
        return trace_tables([table], dataset=folder.parent.name, metadata=records, settings=folder)


def _follow(lineage: Lineage, start: str, model: str | None) -> list[str]:
    """List the table and its inputs, breadth first: the nearest to the table first."""
    paths = [start]
    seen = {start}
    for path in paths:  # the list grows
        job = lineage.makers.get(path)
        for one in () if job is None else job.inputs:
            is_used = path != start or model is None or _is_of_row(one, model)
            if is_used and one not in seen and lineage.artifacts[one].kind not in _TOLD:
                paths.append(one)
                seen.add(one)
    return paths


def _is_of_row(path: str, model: str) -> bool:
    """Return True if a row of Table 1 depends on an input of the job that made the table.

    A row depends on the runs and judgements of its model and of the model's variants, whose names
    begin with the model's name. No row depends on records of trainings and intervals over
    repositories, and only the ceiling on the best matches of the corpus.
    """
    place = PurePosixPath(path)
    folder, name = place.parent.name, place.name.partition(".")[0]
    if folder in ("runs", "judgements"):
        return name == model or name.startswith(f"{model}-")
    if folder in ("trainings", "repository_intervals"):
        return False
    return name != "matches" or model == CEILING


def _find_troubles(lineage: Lineage, paths: list[str], root: Path) -> list[str]:
    """Write a line for each path, and for settings and code of its job, that has changed since.

    Settings are recorded with their content, and outputs of jobs can be made again: both may be
    absent. Folders of raw sources and large raw inputs are left to the next run, which checks all.
    """
    artifacts, makers = lineage.artifacts, lineage.makers
    read = {one for path in paths if path in makers for one in makers[path].inputs}
    told = {one for one in read if artifacts[one].kind in _TOLD}
    lines = []
    for path in sorted(told.union(paths)):
        recorded, place = artifacts[path], root / path
        if recorded.kind in ("gone", "source") or recorded.sha256 is None:
            continue
        if not place.exists():
            lines += [] if path in makers or path in told else [f"{path}: is not here"]
        elif path in makers or (recorded.size or 0) <= _MOST_BYTES:
            found = describe_artifact(str(place)).sha256 or ""
            if found != recorded.sha256:
                both = f"(recorded {recorded.sha256[:12]}, now {found[:12]})"
                lines.append(f"{path}: no longer has the recorded hash {both}")
    return lines


def describe_cell(path: Path, row: Row, column: str) -> tuple[str, list[str]] | None:
    """Compute a figure from its questions, with lines that show the first ranks.

    Args:
        path: a table of ``PER_QUESTION_SCHEMA``.
        row: a row of Table 1.
        column: a column of Table 1.

    Returns:
        None where the column is not an MRR or Answered@k, or the row has no run.

    Raises:
        DataError: where the table cannot be read.
    """
    found = _FIGURE.fullmatch(column)
    if not found:
        return None
    prefix, metric = found[1] or "", _METRICS[found[2]]
    judge, threshold = row.get(f"{prefix}judge"), row.get(f"{prefix}threshold")
    table = read_table(path, PER_QUESTION_SCHEMA).to_pandas()
    table = table[(table["model"] == row["model"]) & table["replicate"].isna()]
    table = table[(table["judge"] == judge) & (table["threshold"].astype(str) == threshold)]
    if table.empty:
        return None
    shares = table["reciprocal_rank" if metric == "mrr" else metric].astype(float)
    total, count = float(shares.sum()), len(table)
    lines = [f"judge: {judge} above {threshold}"]
    for rank, some in table[shares > 0].groupby("first_rank"):
        share = f", reciprocal rank {1 / rank:.6f}" if metric == "mrr" else ""
        lines.append(f"first rank {rank}{share}: {_count_questions(some['query_id'].tolist())}")
    lines.append(f"not counted: {_count_questions(table['query_id'][shares <= 0].tolist())}")
    if metric != "mrr":
        value = format_value(metric, total)
        return value, [*lines, f"counted: {value} of {count} questions"]
    mean = total / count
    lines.append(f"sum of reciprocal ranks / questions = {total!r} / {count} = {mean!r}")
    return format_value(metric, mean), lines


def _count_questions(ids: list[int]) -> str:
    if not ids:
        return "no question"
    plural = "s" if ids[1:] else ""
    shown = ", ".join(map(str, ids[:_MOST_QUESTIONS]))
    more = f" and {len(ids) - _MOST_QUESTIONS} more" if ids[_MOST_QUESTIONS:] else ""
    return f"{len(ids)} question{plural}, query id{plural} {shown}{more}"


def format_explanation(explanation: Explanation) -> Iterator[str]:
    """Write lines: troubles, the number and its computation, sources, jobs and their outputs, code.

    Texts of others cannot act on the terminal: each line is shown by ``show_line``.
    """
    lineage, paths = explanation.lineage, explanation.paths
    artifacts, makers = lineage.artifacts, lineage.makers
    for one in (*explanation.troubles, *lineage.notes):
        yield f"! {show_line(one)}"
    yield show_line(explanation.title)
    for one in explanation.arithmetic:
        yield f"  {show_line(one)}"
    sources = [path for path in paths if path not in makers]
    yield f"sources: {len(sources)}"
    for path in sources:
        yield _format_file(path, artifacts[path])
    made = {path: makers[path] for path in paths if path in makers}
    jobs = {job.outputs: job for job in made.values()}.values()
    codes = sorted({str(job.code) for job in jobs if job.code is not None})
    yield f"files made from them, nearest to the table first: {len(made)}, by jobs: {len(jobs)}"
    shards: dict[tuple[str, str], list[str]] = {}
    for path, job in made.items():
        shards.setdefault((_SHARD.sub("*", path), job.rule), []).append(path)
    for (_, rule), (first, *others) in shards.items():
        about, code = [f"rule {rule}"], made[first].code
        about += [] if code is None else [f"code {codes.index(str(code)) + 1}"]
        about += [f"the first of {1 + len(others)} shards"] if others else []
        yield _format_file(first, artifacts[first], *about)
    for number, code_text in enumerate(codes, start=1):
        yield f"code {number}: {show_line(code_text)}"
    packages = [code_of(job, artifacts, "packages").items() for job in jobs]
    if used := sorted({" ".join(package) for each in packages for package in each}):
        yield f"packages: {show_line(', '.join(used))}"


def _format_file(path: str, artifact: Artifact, *maker: str) -> str:
    facts = [] if artifact.sha256 is None else [f"sha256 {artifact.sha256[:12]}"]
    facts += [] if artifact.size is None else [f"{artifact.size:,} bytes"]
    facts += ["gone when recorded"] if artifact.kind == "gone" else []
    return f"  {show_line(path)}  {show_line(', '.join([*facts, *maker]))}".rstrip()
