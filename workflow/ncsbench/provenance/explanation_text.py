"""An explanation as text for a terminal, or as plain values for JSON."""

from __future__ import annotations

import json
import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ncsbench.provenance.cell_arithmetic import Arithmetic
from ncsbench.provenance.explanation import Explanation
from ncsbench.provenance.lineage import Artifact, code_of, settings_of, to_plain
from ncsbench.text.safe_text import cut_text, show_line

_SHOWN = 3
_DIGITS = 12
_LONG = 100
_MOST_QUESTIONS = 100
"""Questions of one rank whose ids are shown; the rest is counted."""


def format_explanation(
    explanation: Explanation, *, width: int, depth: int | None = None
) -> Iterator[str]:
    """Lines: troubles, the number, how it is computed, then jobs and sources, nearest first.

    Nothing of what others wrote acts on the terminal: it is shown by ``show_line``.

    Args:
        explanation: what to show.
        width: characters of a line; a longer path stays whole, so that it can be copied.
        depth: how many steps from the table to show; None for all.
    """
    wrapper = textwrap.TextWrapper(
        width, subsequent_indent=" " * 6, break_long_words=False, break_on_hyphens=False
    )
    for line in _list_lines(explanation, depth):
        yield from wrapper.wrap(line) or [""]


def to_json(explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON has it."""
    lineage, selection = explanation.lineage, explanation.selection
    jobs = {job.outputs: job for path in explanation.inputs if (job := lineage.makers.get(path))}
    arithmetic = explanation.arithmetic
    return {
        "table": explanation.table,
        "recorded_as": explanation.start,
        "row": selection.row,
        "column": selection.column,
        "where": dict(selection.where),
        "values": selection.values,
        "arithmetic": None if arithmetic is None else _list_questions(arithmetic),
        "troubles": list(explanation.troubles),
        "absent": sorted(explanation.absent),
        "notes": list(lineage.notes),
        "artifacts": {
            path: {
                "kind": lineage.artifacts[path].kind,
                "sha256": lineage.artifacts[path].sha256,
                "size": lineage.artifacts[path].size,
                "made_from": list(inputs),
            }
            for path, inputs in explanation.inputs.items()
        },
        "jobs": [
            {
                **to_plain(job),
                "settings": settings_of(job, lineage.artifacts),
                "modules": code_of(job, lineage.artifacts, "modules"),
                "packages": code_of(job, lineage.artifacts, "packages"),
            }
            for job in sorted(jobs.values(), key=lambda job: (job.rule, job.outputs))
        ],
    }


def _list_lines(explanation: Explanation, depth: int | None) -> Iterator[str]:
    lineage, selection = explanation.lineage, explanation.selection
    yield from (f"! {show_line(one)}" for one in (*explanation.troubles, *lineage.notes))
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
    jobs = {job.outputs: job for path in explanation.inputs if (job := lineage.makers.get(path))}
    sources = [path for path in explanation.inputs if path not in lineage.makers]
    yield f"  jobs: {len(jobs)}; sources: {_shorten(sources)}"
    if explanation.arithmetic is not None:
        yield from _format_arithmetic(explanation.arithmetic)
    labels = dict[str, str]()
    for what in ("code", "machine"):
        texts = {str(getattr(job, what)) for job in jobs.values()} - {"None"}
        labels |= {text: f"{what} {number}" for number, text in enumerate(sorted(texts), start=1)}
    for (distance, _), paths in _group_paths(explanation).items():
        yield ""
        if depth is not None and distance > depth:
            yield "… more steps; see --depth and --json"
            break
        yield from _describe_group(explanation, paths, labels)
    yield ""
    yield from (f"{label}: {show_line(text)}" for text, label in labels.items())
    packages = [code_of(job, lineage.artifacts, "packages").items() for job in jobs.values()]
    if used := sorted({" ".join(package) for each in packages for package in each}):
        yield f"packages: {show_line(', '.join(used))}"


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
    shown = _shorten([*map(str, ids)], _MOST_QUESTIONS)
    return f"{len(ids)} question{plural}, query id{plural} {shown}"


def _group_paths(explanation: Explanation) -> dict[tuple[int, str], list[str]]:
    """What jobs made, by steps from the table and rule; sources have none, so theirs is empty.

    All outputs of a job are where the nearest of them is.
    """
    distances = {explanation.start: 0}
    groups = dict[tuple[int, str], list[str]]()
    for path, inputs in explanation.inputs.items():
        for one in inputs:
            distances.setdefault(one, distances[path] + 1)
        job = explanation.lineage.makers.get(path)
        distances |= dict.fromkeys(job.outputs if job else (), distances[path])
        groups.setdefault((distances[path], job.rule if job else ""), []).append(path)
    return groups


def _describe_group(
    explanation: Explanation, paths: Sequence[str], labels: Mapping[str, str]
) -> Iterator[str]:
    artifacts, makers = explanation.lineage.artifacts, explanation.lineage.makers
    job = makers.get(paths[0])
    for path in paths[:_SHOWN] if job else paths:
        facts = _list_facts(artifacts[path], job is not None, path in explanation.absent)
        yield f"{show_line(path)}  {', '.join(facts)}"
    if job is None:
        return
    if paths[_SHOWN:]:
        yield f"and {len(paths) - _SHOWN} more"
    line = f"  rule {show_line(job.rule)}"
    if job.started is not None and job.ended is not None:
        seconds = (job.ended - job.started).total_seconds()
        line += f", {job.started:%Y-%m-%d %H:%M:%S} UTC, {seconds:,.1f} s"
    for text in (str(job.code), str(job.machine)):
        line += f", {labels[text]}" if text in labels else ""
    jobs = len({makers[path].outputs for path in paths})
    yield f"{line} (one of {jobs} jobs)" if jobs > 1 else line
    yield f"  $ {show_line(job.command)}"
    for path, content in sorted(settings_of(job, artifacts).items()):
        values = content if isinstance(content, Mapping) else {"content": content}
        texts = [f"{key} {json.dumps(values[key], ensure_ascii=False)}" for key in sorted(values)]
        shown = ", ".join(cut_text(text, lines=1, width=_LONG)[0] for text in texts)
        yield f"  {show_line(path)}: {shown}"
    inputs = dict.fromkeys(one for path in paths for one in explanation.inputs[path])
    if inputs:
        yield f"  from: {_shorten([*inputs])}"


def _list_facts(artifact: Artifact, is_made: bool, is_absent: bool) -> Iterator[str]:
    if artifact.sha256 is not None:
        yield f"sha256 {show_line(artifact.sha256[:_DIGITS])}"
    if artifact.size is not None:
        yield f"{artifact.size:,} bytes"
    if artifact.kind == "gone":
        yield "removed after use" if is_made else "not here"
    if is_absent:
        yield "not here now"
    if not is_made:
        yield "source"


def _shorten(names: Sequence[str], most: int = _SHOWN) -> str:
    shown = ", ".join(map(show_line, names[:most]))
    return f"{shown} and {len(names) - most} more" if names[most:] else shown


def _list_questions(cell: Arithmetic) -> dict[str, Any]:
    names = ("query_id", "first_rank", "share")
    columns = (cell.query_ids, cell.first_ranks, cell.shares)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {
        "measure": cell.metric,
        "judge": cell.judge,
        "sum": cell.total,
        "value": cell.value,
        "questions": [dict(zip(names, row, strict=True)) for row in rows],
    }
