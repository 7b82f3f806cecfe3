"""An explanation as a tree for a terminal, or as plain values for JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from ncsbench.provenance.explaining import Explanation
from ncsbench.provenance.lineage import GONE, SOURCE, Artifact, Job, Lineage, Value
from ncsbench.safe_text import show_line

_SHOWN = 3
_DIGITS = 12
_LONG = 60
_NARROW = 60
_DEEPEST = 100


def format_explanation(
    explanation: Explanation, *, depth: int | None = None, width: int = 120
) -> list[str]:
    """Lines of a tree: the number, its table, and below each artifact what it was made from.

    Artifacts of one rule that go into the same artifact stand together; what goes into several
    stands once, where it is nearest to the table. Whatever is printed is safe for a terminal.

    Args:
        explanation: what to show.
        depth: how many steps from the table to show; None for all.
        width: characters of a line.
    """
    lines = [f"! {show_line(trouble)}" for trouble in explanation.troubles]
    lines += [f"! {show_line(note)}" for note in explanation.lineage.notes]
    lines += _format_selection(explanation)
    tree = _Tree(explanation, depth, max(width, _NARROW))
    return [*lines, *tree.lines([explanation.start], "", 0), *tree.footer()]


def to_plain(explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON has it."""
    lineage, selection = explanation.lineage, explanation.selection
    jobs = {
        (job.rule, job.outputs): job
        for path in explanation.inputs
        if (job := lineage.makers.get(path)) is not None
    }
    return {
        "table": explanation.table,
        "recorded_as": explanation.start,
        "row": selection.row,
        "column": selection.column,
        "values": selection.values,
        "about": {what: list(names) for what, names in explanation.about.items()},
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
        "jobs": [asdict(jobs[key]) for key in sorted(jobs)],
    }


class _Tree:
    def __init__(self, explanation: Explanation, depth: int | None, width: int) -> None:
        self._lineage = explanation.lineage
        self._inputs = explanation.inputs
        self._absent = explanation.absent
        self._depth = _DEEPEST if depth is None else min(depth, _DEEPEST)
        self._width = width
        self._order = {path: place for place, path in enumerate(explanation.inputs)}
        self._parents: dict[str, str] = {}
        for path, inputs in explanation.inputs.items():
            for one in inputs:
                self._parents.setdefault(one, path)
        self._parents.pop(explanation.start, None)
        self._told: set[tuple[str, ...]] = set()
        jobs = [job for path in explanation.inputs if (job := self._lineage.makers.get(path))]
        self._versions = sorted({job.software.version for job in jobs})
        self._machines = sorted({job.machine for job in jobs})
        self._packages = sorted(
            {f"{name} {version}" for job in jobs for name, version in job.software.packages.items()}
        )

    def lines(self, group: Sequence[str], indent: str, level: int) -> Iterator[str]:
        """A group of artifacts of one rule, and below it what they were made from."""
        children = [one for path in group for one in self._inputs[path]]
        own = [one for one in dict.fromkeys(children) if self._parents.get(one) in group]
        groups = _group(self._lineage, own)
        bar = "│ " if groups else "  "
        yield from self._wrap(self._describe(group, set(children) - set(own)), indent, bar)
        if groups and level >= self._depth:
            yield f"{indent}└─ … more steps; see --depth"
            return
        for number, below in enumerate(groups, start=1):
            is_last = number == len(groups)
            inner = list(self.lines(below, indent + ("   " if is_last else "│  "), level + 1))
            branch = f"{indent}{'└─ ' if is_last else '├─ '}"
            yield branch + inner[0][len(branch) :]
            yield from inner[1:]

    def _describe(self, group: Sequence[str], elsewhere: set[str]) -> Iterator[str]:
        """Lines about a group; those that go on about the same start with a blank."""
        first = self._lineage.makers.get(group[0])
        for path in group[:_SHOWN]:
            yield _format_artifact(
                self._lineage.artifacts[path], first is not None, path in self._absent
            )
        if len(group) > _SHOWN:
            names = ", ".join(show_line(path) for path in group[_SHOWN : 2 * _SHOWN])
            yield f"and {len(group) - _SHOWN} more: {names}{', …' if group[2 * _SHOWN :] else ''}"
        if first is None:
            return
        jobs = list(dict.fromkeys(self._lineage.makers[path].outputs for path in group))
        if self._told.issuperset(jobs):
            yield f"  rule {show_line(first.rule)}, as above"
            return
        self._told.update(jobs)
        yield f"  {self._format_job(first)}" + (f" (one of {len(jobs)} jobs)" if jobs[1:] else "")
        yield f"  $ {show_line(first.command)}"
        yield from _format_settings(first.settings)
        for path in group[1:_SHOWN]:
            yield from _format_other_settings(first, self._lineage.makers[path])
        if elsewhere:
            others = sorted(elsewhere, key=lambda path: self._order[path])
            more = f" and {len(others) - _SHOWN} more" if others[_SHOWN:] else ""
            shown = ", ".join(show_line(name) for name in others[:_SHOWN])
            yield f"  with what also stands elsewhere: {shown}{more}"

    def _format_job(self, job: Job) -> str:
        facts = [f"rule {show_line(job.rule)}"]
        if job.started is not None and job.ended is not None:
            seconds = (_read_time(job.ended) - _read_time(job.started)).total_seconds()
            facts.append(f"{job.started[:19].replace('T', ' ')} UTC, {seconds:,.1f} s")
        elif job.ended is not None:
            facts.append(f"{job.ended[:19].replace('T', ' ')} UTC")
        if job.software.modules:
            facts.append(f"modules: {len(job.software.modules)}")
        if self._versions[1:]:
            facts.append(f"code {self._versions.index(job.software.version) + 1}")
        if self._machines[1:]:
            facts.append(f"machine {self._machines.index(job.machine) + 1}")
        return ", ".join(facts)

    def footer(self) -> list[str]:
        """Code, machines and packages of all jobs that were told."""
        lines = _enumerate("code", [f"ncsbench {version}" for version in self._versions])
        lines += _enumerate("machine", self._machines)
        return lines + (
            [f"packages: {show_line(', '.join(self._packages))}"] if self._packages else []
        )

    def _wrap(self, lines: Iterator[str], indent: str, bar: str) -> Iterator[str]:
        is_first = True
        for line in lines:
            lead = len(line) - len(line.lstrip())
            pieces = textwrap.wrap(
                line.strip(),
                max(self._width - len(indent) - lead - 2, _NARROW),
                subsequent_indent="  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            for piece in pieces:
                # The first line takes the place that the branch leaves.
                start = indent if is_first else f"{indent}{bar}"
                yield f"{start}{' ' * lead}{piece}".rstrip()
                is_first = False


def _group(lineage: Lineage, paths: Sequence[str]) -> list[list[str]]:
    """Artifacts that one rule made together, sources by themselves, in the given order."""
    groups: dict[str, list[str]] = {}
    for path in paths:
        job = lineage.makers.get(path)
        key = f"rule {job.rule}" if job is not None else f"source {path}"
        groups.setdefault(key, []).append(path)
    return list(groups.values())


def _format_selection(explanation: Explanation) -> list[str]:
    selection = explanation.selection
    if selection.row is None:
        return [f"{show_line(explanation.table)}"]
    about = [show_line(f"{what}: {', '.join(names)}") for what, names in explanation.about.items()]
    if selection.column is None:
        return [f"{show_line(explanation.table)}, row {show_line(selection.row)}", *about]
    values = [show_line(value) or "(empty)" for value in selection.values]
    return [
        f"{show_line(selection.column)} of {show_line(selection.row)} in "
        f"{show_line(explanation.table)}: {', '.join(values)}",
        *about,
    ]


def _format_artifact(artifact: Artifact, is_made: bool, is_absent: bool) -> str:
    facts = []
    if artifact.sha256 is not None:
        facts.append(f"sha256 {artifact.sha256[:_DIGITS]}")
    if artifact.size is not None:
        facts.append(f"{artifact.size:,} bytes")
    if artifact.parts:
        facts.append(f"{len(artifact.parts)} files")
    if artifact.kind == GONE:
        facts.append("removed after use" if is_made else "not here")
    if is_absent:
        facts.append("not here now")
    if not is_made:
        facts.append("source")
    if artifact.kind == SOURCE and artifact.sha256 is None:
        facts.append("whose content the list of commits names")
    return f"{show_line(artifact.path)}  {', '.join(facts)}"


def _read_time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _format_settings(settings: Mapping[str, Mapping[str, Value]]) -> Iterator[str]:
    for path, values in sorted(settings.items()):
        shown = ", ".join(
            f"{show_line(key)} {_format_value(values[key])}" for key in sorted(values)
        )
        yield f"  {show_line(path)}: {shown}"


def _format_other_settings(first: Job, other: Job) -> Iterator[str]:
    """Settings of another job of the same rule that the first has not."""
    known = list(first.settings.values())
    for path, values in sorted(other.settings.items()):
        new = {key: one for key, one in values.items() if not any(one == k.get(key) for k in known)}
        if path not in first.settings and new:
            yield from _format_settings({path: new})


def _format_value(value: Value) -> str:
    text = show_line(str(value).lower() if isinstance(value, bool) else str(value)) or "(empty)"
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def _enumerate(what: str, texts: Sequence[str]) -> list[str]:
    if len(texts) == 1:
        return [f"{what}: {show_line(texts[0])}"]
    return [f"{what} {number}: {show_line(text)}" for number, text in enumerate(texts, start=1)]
