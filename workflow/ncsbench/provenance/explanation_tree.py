"""An explanation as a tree for a terminal, or as plain values for JSON."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from ncsbench.provenance.cell_arithmetic import Arithmetic
from ncsbench.provenance.explanation import Explanation
from ncsbench.provenance.lineage import Artifact, Job, code_of, settings_of, to_plain
from ncsbench.text.safe_text import show_line

_SHOWN = 3
_DIGITS = 12
_LONG = 60
_GUIDE = 4
_NARROW = 40
"""Characters that are left for text at least, beside guides of ``_GUIDE`` each."""
_MOST_QUESTIONS = 100
"""Questions of one rank whose ids are shown; the rest is counted."""


def print_explanation(
    explanation: Explanation, console: Console, *, depth: int | None = None
) -> None:
    """Print the number, how it is computed, its table, and below each artifact its sources.

    Artifacts of one rule that go into the same artifact stand together; what goes into several
    stands once, where it is nearest to the table. Nothing of what others wrote acts on the
    terminal: it is shown by ``show_line``, and never read as markup.

    Args:
        explanation: what to show.
        console: where to print.
        depth: how many steps from the table to show; None for all.
    """
    for trouble in (*explanation.troubles, *explanation.lineage.notes):
        console.print(Text(f"! {show_line(trouble)}", style="red"))
    console.print(Text(_format_selection(explanation), style="bold"))
    if apart := explanation.selection.tell_apart():
        console.print(_Wrapped(_suggest_where(apart, len(explanation.selection.rows))))
    if explanation.arithmetic is not None:
        for line in _format_arithmetic(explanation.arithmetic):
            console.print(_Wrapped(line, indent=2))
    branches = _Branches(explanation)
    top = Tree("")
    deepest = max((console.width - _NARROW) // _GUIDE, 1)
    branches.grow(top, [explanation.start], deepest if depth is None else min(depth, deepest))
    console.print(top.children[0])
    for line in branches.footer():
        console.print(_Wrapped(line, indent=0))


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


class _Branches:
    """Branches of the tree, and what stands below it."""

    def __init__(self, explanation: Explanation) -> None:
        self._lineage = explanation.lineage
        self._inputs = explanation.inputs
        self._absent = explanation.absent
        self._parents: dict[str, str] = {}
        for path, inputs in explanation.inputs.items():
            for one in inputs:
                self._parents.setdefault(one, path)
        self._parents.pop(explanation.start, None)
        self._told: set[tuple[str, ...]] = set()
        jobs = [job for path in explanation.inputs if (job := self._lineage.makers.get(path))]
        self._codes = sorted({str(job.code) for job in jobs if job.code is not None})
        self._machines = sorted({job.machine for job in jobs if job.machine is not None})
        packages = [code_of(job, self._lineage.artifacts, "packages") for job in jobs]
        self._packages = sorted({f"{name} {one[name]}" for one in packages for name in one})

    def grow(self, tree: Tree, group: Sequence[str], depth: int) -> None:
        """Add a group of artifacts of one rule, and below it what they were made from."""
        children = list(dict.fromkeys(one for path in group for one in self._inputs[path]))
        own = [one for one in children if self._parents.get(one) in group]
        elsewhere = [one for one in children if one not in own]
        branch = tree.add(Group(*self._describe(group, elsewhere)))
        if own and depth == 0:
            branch.add(Text("… more steps; see --depth and --json"))
            return
        groups: dict[str, list[str]] = {}
        for path in own:
            job = self._lineage.makers.get(path)
            groups.setdefault(f"source {path}" if job is None else job.rule, []).append(path)
        for below in groups.values():
            self.grow(branch, below, depth - 1)

    def footer(self) -> Iterator[str]:
        """Code, machines and packages of all jobs that were told."""
        for what, texts in (("code", self._codes), ("machine", self._machines)):
            for number, text in enumerate(texts, start=1):
                yield f"{what} {number if texts[1:] else ''}".rstrip() + f": {show_line(text)}"
        if self._packages:
            yield f"packages: {show_line(', '.join(self._packages))}"

    def _describe(self, group: Sequence[str], elsewhere: list[str]) -> Iterator[RenderableType]:
        first = self._lineage.makers.get(group[0])
        for path in group[:_SHOWN]:
            artifact = self._lineage.artifacts[path]
            facts = _describe_artifact(artifact, first is not None, path in self._absent)
            yield Text.assemble((show_line(path), "bold"), "  ", (", ".join(facts), "dim"))
        if len(group) > _SHOWN:
            yield _Wrapped(f"and {_shorten(group[_SHOWN:])}", indent=0)
        if first is None:
            return
        jobs = {self._lineage.makers[path].outputs: path for path in group}
        if self._told.issuperset(jobs):
            yield _Wrapped(f"rule {show_line(first.rule)}, as above")
            return
        self._told.update(jobs)
        yield _Wrapped(
            self._format_job(first) + (f" (one of {len(jobs)} jobs)" if len(jobs) > 1 else "")
        )
        yield _Wrapped(f"$ {show_line(first.command)}")
        shown = [self._lineage.makers[path] for path in group[:_SHOWN]]
        settings = {
            path: content
            for job in shown
            for path, content in settings_of(job, self._lineage.artifacts).items()
        }
        for path, content in sorted(settings.items()):
            yield _Wrapped(f"{show_line(path)}: {_format_settings(content)}")
        if elsewhere:
            yield _Wrapped(f"with what also stands elsewhere: {_shorten(elsewhere)}")

    def _format_job(self, job: Job) -> str:
        facts = [f"rule {show_line(job.rule)}"]
        if job.started is not None and job.ended is not None:
            seconds = (job.ended - job.started).total_seconds()
            facts += [f"{job.started:%Y-%m-%d %H:%M:%S} UTC", f"{seconds:,.1f} s"]
        modules = code_of(job, self._lineage.artifacts, "modules")
        if modules:
            facts.append(f"modules: {len(modules)}")
        if job.code is not None and self._codes[1:]:
            facts.append(f"code {self._codes.index(str(job.code)) + 1}")
        if job.machine is not None and self._machines[1:]:
            facts.append(f"machine {self._machines.index(job.machine) + 1}")
        return ", ".join(facts)


@dataclass(frozen=True)
class _Wrapped:
    """Text whose lines all stand further in, without blanks at their ends."""

    text: str
    indent: int = 2

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for line in Text(self.text).wrap(console, max(options.max_width - self.indent, _NARROW)):
            line.rstrip()
            yield Text(" " * self.indent).append_text(line)


def _shorten(paths: Sequence[str]) -> str:
    shown = ", ".join(show_line(path) for path in paths[:_SHOWN])
    return f"{shown} and {len(paths) - _SHOWN} more" if paths[_SHOWN:] else shown


def _format_selection(explanation: Explanation) -> str:
    selection, table = explanation.selection, show_line(explanation.table)
    if selection.row is None:
        return table
    row = show_line(", ".join([selection.row, *map("=".join, selection.where)]))
    if selection.column is None:
        return f"{table}, row {row}"
    values = ", ".join(show_line(value) or "(empty)" for value in selection.values)
    return f"{show_line(selection.column)} of {row} in {table}: {values}"


def _suggest_where(apart: Mapping[str, str], rows: int) -> str:
    """How to ask for one of several rows, by what the first of them has."""
    chosen = " ".join(
        f"--where {shlex.quote(show_line(f'{name}={cell}'))}" for name, cell in apart.items()
    )
    return f"{rows} rows have this name; the first of them alone: {chosen}"


def _format_arithmetic(cell: Arithmetic) -> Iterator[str]:
    """Lines about the questions by first rank, and the figure."""
    yield f"judge: {show_line(cell.judge)}"
    counted = cell.shares > 0
    for rank in np.unique(cell.first_ranks[counted]).tolist():
        share = f", reciprocal rank {1 / rank:.6f}" if cell.metric == "mrr" else ""
        here = counted & (cell.first_ranks == rank)
        yield f"first rank {rank}{share}: {_count_questions(cell.query_ids[here].tolist())}"
    yield f"not counted: {_count_questions(cell.query_ids[~counted].tolist())}"
    if cell.metric == "mrr":
        count, mean = len(cell.shares), cell.total / len(cell.shares)
        yield f"sum of reciprocal ranks / questions = {cell.total!r} / {count} = {mean!r}"
    else:
        yield f"counted: {cell.value} of {len(cell.shares)} questions"


def _count_questions(ids: list[int]) -> str:
    if not ids:
        return "no question"
    shown = ", ".join(map(str, ids[:_MOST_QUESTIONS]))
    more = f" and {len(ids) - _MOST_QUESTIONS} more" if ids[_MOST_QUESTIONS:] else ""
    plural = "s" if ids[1:] else ""
    return f"{len(ids)} question{plural}, query id{plural} {shown}{more}"


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


def _describe_artifact(artifact: Artifact, is_made: bool, is_absent: bool) -> list[str]:
    facts = []
    if artifact.sha256 is not None:
        facts.append(f"sha256 {show_line(artifact.sha256[:_DIGITS])}")
    if artifact.size is not None:
        facts.append(f"{artifact.size:,} bytes")
    if artifact.parts:
        facts.append(f"{len(artifact.parts)} files")
    if artifact.kind == "gone":
        facts.append("removed after use" if is_made else "not here")
    if is_absent:
        facts.append("not here now")
    if not is_made:
        facts.append("source")
    if artifact.kind == "source" and artifact.sha256 is None:
        facts.append("whose content the list of commits names")
    return facts


def _format_settings(content: Any) -> str:
    values = content if isinstance(content, Mapping) else {"content": content}
    return ", ".join(
        f"{show_line(str(key))} {_format_value(values[key])}" for key in sorted(values)
    )


def _format_value(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    shown = show_line(text) or "(empty)"
    return shown if len(shown) <= _LONG else f"{shown[:_LONG]}…"
