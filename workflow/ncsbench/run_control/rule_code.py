"""Which code each rule runs: an edit of it repeats the rule, and no other edit does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncsbench.configuration.files import read_yaml
from ncsbench.run_control.code_imports import Code, CodeTracer
from ncsbench.run_control.ranker_code import describe_ranker_code, name_code

_STAGE = re.compile(r"\bncsbench stage (\w+)")
DISTRIBUTIONS = {
    "faiss": "faiss-cpu",
    "fasttext": "fasttext-numpy2",
    "libarchive": "libarchive-c",
    "yaml": "PyYAML",
}
"""Distributions of packages that are imported by another name."""


@dataclass(frozen=True)
class RuleCode:
    """What a rule executes.

    Attributes:
        command: its shell command, before anything is filled in.
        environment: its environment file; None where it has none.
    """

    command: str
    environment: Path | None


def describe_code(
    rules: Mapping[str, RuleCode], kinds: Iterable[str], library: Path
) -> dict[str, Any]:
    """The code of every rule, and of every kind of ranker, which is chosen by name at run time.

    Args:
        rules: rules that execute a command, by name.
        kinds: kinds of rankers that the run uses.
        library: folder of the package ``ncsbench``.

    Returns:
        By name of the rule, or ``name_code`` of the kind: the ``command``, hashes of the
        ``modules`` that it imports, and the pinned versions of the ``packages`` that these import.
    """
    tracer = CodeTracer(library)
    described: dict[str, Any] = {}
    all_pins: dict[str, str] = {}
    for name, rule in rules.items():
        codes = [tracer.trace_stage(name) for name in _STAGE.findall(rule.command)]
        pins = read_pins(rule.environment) if rule.environment else {}
        all_pins |= pins
        described[name] = {"command": rule.command, **_describe(codes, pins)}
    for kind in sorted(set(kinds)):
        described[name_code(kind)] = _describe_ranker(kind, library, tracer, all_pins)
    return described


def read_pins(environment: Path) -> dict[str, str]:
    """Versions that the ``pip:`` list of an environment file pins, by name as it is imported."""
    pins = [line.split("==") for line in _pip_lines(environment)]
    imported = {name: key for key, name in DISTRIBUTIONS.items()}
    return {imported.get(name, name.replace("-", "_").lower()): version for name, version in pins}


def _pip_lines(environment: Path) -> Iterator[str]:
    for entry in read_yaml(environment)["dependencies"]:
        if isinstance(entry, dict):
            yield from entry["pip"]


def _describe(codes: list[Code], pins: Mapping[str, str]) -> dict[str, Any]:
    packages = sorted({name for code in codes for name in code.packages})
    return {
        "modules": dict(sorted(entry for code in codes for entry in code.modules.items())),
        "packages": {name: pins[name.lower()] for name in packages if name.lower() in pins},
    }


def _describe_ranker(
    kind: str, library: Path, tracer: CodeTracer, pins: Mapping[str, str]
) -> dict[str, Any]:
    if (library / "rankers" / f"{kind}.py").is_file():
        return _describe([tracer.trace_module(f"{library.name}.rankers.{kind}")], pins)
    return describe_ranker_code(kind, tracer, pins)
