"""An explanation as lines of text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import numpy as np

from ncsbench.provenance.cell_arithmetic import Arithmetic
from ncsbench.provenance.explanation import Explanation
from ncsbench.provenance.lineage import Artifact, code_of
from ncsbench.text.safe_text import show_line

_DIGITS = 12
_SHARD = re.compile(r"(?<=/)\d{4}(?=[./]|$)")
"""The number of a shard in a path; of files that differ in it alone the first one is shown."""
_MOST_QUESTIONS = 100
"""Questions of one rank whose ids are shown; the rest is counted."""


def format_explanation(explanation: Explanation) -> Iterator[str]:
    """Lines: troubles, the number, how it is computed, sources, what jobs made of them, the code.

    Nothing of what others wrote acts on the terminal: it is shown by ``show_line``.
    """
    artifacts, makers = explanation.lineage.artifacts, explanation.lineage.makers
    notes = (*explanation.troubles, *explanation.lineage.notes)
    yield from (f"! {show_line(one)}" for one in notes)
    yield from _format_title(explanation)
    if explanation.arithmetic is not None:
        yield from _format_arithmetic(explanation.arithmetic)
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
        row = ", ".join([selection.row, *map("=".join, selection.where)])
        title = f"{show_line(row)} in {title}"
    if selection.column is not None:
        values = ", ".join(show_line(value) or "(empty)" for value in selection.values)
        title = f"{show_line(selection.column)} of {title}: {values}"
    yield title
    if apart := selection.tell_apart():
        cells = [shlex.quote(show_line("=".join(one))) for one in apart.items()]
        chosen = " ".join(f"--where {cell}" for cell in cells)
        yield f"  {len(selection.rows)} rows have this name; the first of them alone: {chosen}"


def _format_arithmetic(cell: Arithmetic) -> Iterator[str]:
    """Lines about the questions by first rank, and the figure."""
    yield f"  judge: {show_line(cell.judge)}"
    counted = cell.shares > 0
    for rank in np.unique(cell.first_ranks[counted]).tolist():
        share = f", reciprocal rank {1 / rank:.6f}" if cell.metric == "mrr" else ""
        here = counted & (cell.first_ranks == rank)
        yield f"  first rank {rank}{share}: {_count_questions(cell.query_ids[here].tolist())}"
    yield f"  not counted: {_count_questions(cell.query_ids[~counted].tolist())}"
    if cell.metric == "mrr":
        count, mean = len(cell.shares), cell.total / len(cell.shares)
        yield f"  sum of reciprocal ranks / questions = {cell.total!r} / {count} = {mean!r}"
    else:
        yield f"  counted: {cell.value} of {len(cell.shares)} questions"


def _count_questions(ids: list[int]) -> str:
    if not ids:
        return "no question"
    plural = "s" if ids[1:] else ""
    shown = ", ".join(map(str, ids[:_MOST_QUESTIONS]))
    more = f" and {len(ids) - _MOST_QUESTIONS} more" if ids[_MOST_QUESTIONS:] else ""
    return f"{len(ids)} question{plural}, query id{plural} {shown}{more}"


def _format_file(path: str, artifact: Artifact, *maker: str) -> str:
    facts = list[str]()
    if artifact.sha256 is not None:
        facts.append(f"sha256 {show_line(artifact.sha256[:_DIGITS])}")
    if artifact.size is not None:
        facts.append(f"{artifact.size:,} bytes")
    if artifact.kind == "gone":
        facts.append("gone when recorded")
    return f"  {show_line(path)}  {', '.join([*facts, *maker])}".rstrip()
