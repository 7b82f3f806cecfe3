"""The code that each rule runs: an edit of this code repeats the rule, and no other edit does."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import util  # noqa: TID251  (says where a module lies, without importing it)
from importlib.metadata import Distribution, distribution, entry_points, packages_distributions
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ncsbench.base.configuration.files import fingerprint, read_yaml
from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.freshness.code_imports import Code, CodeTracer
from ncsbench.rankers.registry import find_kind_module

_STAGE = re.compile(r"\bncsbench stage (\w+)")
DISTRIBUTIONS = {
    "faiss": "faiss-cpu",
    "fasttext": "fasttext-numpy2",
    "libarchive": "libarchive-c",
    "yaml": "PyYAML",
}
"""Names of distributions, by the different names that their packages are imported by."""


@dataclass(frozen=True)
class RuleCode:
    """The command that a rule executes.

    Attributes:
        command: shell command of the rule, with its placeholders.
        environment: environment file of the rule; None without one.
    """

    command: str
    environment: Path | None


def describe_code(
    rules: Mapping[str, RuleCode],
    kinds: Iterable[str],
    library: Path,
    *,
    loaders: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """Describe the code of every rule, and of rankers and loaders, which are chosen at run time.

    Args:
        rules: rules that execute a command, by name.
        kinds: kinds of rankers that the run uses.
        library: folder of the package ``ncsbench``.
        loaders: modules that read learnt parameters, by the name of their code.

    Returns:
        By name of the rule or loader, or ``name_code`` of the kind: the ``command``, hashes of the
        ``modules`` that it imports, and the pinned versions of the ``packages`` that these import.
    """
    tracer = CodeTracer(library)
    described: dict[str, Any] = {}
    all_pins: dict[str, str] = {}
    read = functools.cache(read_pins)
    for name, rule in rules.items():
        codes = [tracer.trace_stage(name) for name in _STAGE.findall(rule.command)]
        pins = read(rule.environment) if rule.environment else {}
        all_pins |= pins
        described[name] = {"command": rule.command, **_describe(codes, pins)}
    for kind in sorted(set(kinds)):
        if module := find_kind_module(kind, library):
            traced = tracer.trace_module(f"{library.name}.{module}")
            described[name_code(kind)] = _describe([traced], all_pins)
        else:
            described[name_code(kind)] = describe_ranker_code(kind, tracer, all_pins)
    for name, modules in loaders.items():
        codes = [tracer.trace_module(f"{library.name}.{module}") for module in modules]
        described[name] = _describe(codes, all_pins)
    return described


def read_pins(environment: Path) -> dict[str, str]:
    """Read versions that the ``pip:`` list of an environment file pins, by name for imports."""
    entries = read_yaml(environment)["dependencies"]
    listed = [line for entry in entries if isinstance(entry, dict) for line in entry["pip"]]
    pins = [line.split("==") for line in listed]
    imported = {name: key for key, name in DISTRIBUTIONS.items()}
    return {imported.get(name, name.replace("-", "_").lower()): version for name, version in pins}


def _describe(codes: list[Code], pins: Mapping[str, str]) -> dict[str, Any]:
    packages = sorted({name for code in codes for name in code.packages})
    return {
        "modules": dict(sorted(entry for code in codes for entry in code.modules.items())),
        "packages": {name: pins[name.lower()] for name in packages if name.lower() in pins},
    }


_RANKERS = "ncsbench.rankers"
_FILE = ".py"  # ending of a kind that is the path of a file
_CODE = {".py", ".so"}
_LIBRARY = b"ncsbench"


def name_code(kind: str) -> str:
    """Return the name of the code of a kind of ranker, among the names of rules' code."""
    return f"ranker-file-{fingerprint(kind)}" if kind.endswith(_FILE) else f"ranker-{kind}"


def describe_ranker_code(
    kind: str, tracer: CodeTracer, pins: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Describe the code of a kind of ranker that is a file, or that a package registers.

    Args:
        kind: path of the file, from the working directory, or name of the entry point.
        tracer: tracer of the library, whose modules the file may import.
        pins: versions of pinned packages, by the lower-case name that they are imported by.

    Returns:
        ``modules``: 16 hexadecimal digits of the hash of each file, and ``packages``: versions.

    Raises:
        ConfigurationError: where the file cannot be read.
    """
    code = _Code(tracer, pins)
    if kind.endswith(_FILE):
        code.add_file(kind)
    for point in [] if kind.endswith(_FILE) else entry_points(group=_RANKERS):
        if point.name == kind:
            found = [] if point.dist is None else [point.dist]
            code.add_package(point.module.partition(".")[0], found)
    return {
        "modules": dict(sorted(code.modules.items())),
        "packages": dict(sorted(code.packages.items())),
    }


class _Code:
    """Hashes of files and versions of packages, as they are found."""

    def __init__(self, tracer: CodeTracer, pins: Mapping[str, str]) -> None:
        self._tracer, self._pins = tracer, pins
        self.modules: dict[str, str] = {}
        self.packages: dict[str, str] = {}

    def add_file(self, name: str) -> None:
        """Add a file of the user's own, with modules of the library and packages it imports."""
        for package in self._trace(self._add(name, Path(name))):
            if package.lower() in self._pins:
                self.packages[package] = self._pins[package.lower()]
            else:
                names = sorted(set(_distributions().get(package, ())))
                self.add_package(package, [distribution(one) for one in names])

    def add_package(self, package: str, distributions: Sequence[Distribution]) -> None:
        """Add a package, by the name that it is imported by, with its installed distributions."""
        self.packages |= {one.name: one.version for one in distributions}
        if not distributions or any(_is_from_folder(one) for one in distributions):
            for name, path in _list_files(package):
                source = self._add(name, path)
                if _LIBRARY in source:  # to parse all of a large package takes long
                    self._trace(source)

    def _add(self, name: str, path: Path) -> bytes:
        try:
            source = path.read_bytes()
        except OSError as error:
            raise ConfigurationError(f"{path}: cannot be read ({error.strerror})") from error
        self.modules[name] = hashlib.sha256(source).hexdigest()[:16]
        return source

    def _trace(self, source: bytes) -> list[str]:
        """Add modules of the library that a file imports; return the packages that it imports."""
        code = self._tracer.trace_source(source)
        self.modules |= code.modules
        return code.packages


_distributions = functools.cache(packages_distributions)


def _is_from_folder(installed: Distribution) -> bool:
    """Say whether files may change under the same version (PEP 610, or no record of files)."""
    if installed.read_text("RECORD") is None:
        return True
    try:
        origin: Any = json.loads(installed.read_text("direct_url.json") or "{}")
    except ValueError:
        return True
    return not isinstance(origin, dict) or "dir_info" in origin


def _list_files(package: str) -> Iterator[tuple[str, Path]]:
    """Yield the code files of a package, or the file of a module, with names without folders."""
    try:
        spec = util.find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        if spec.origin and Path(spec.origin).suffix in _CODE:
            yield Path(spec.origin).name, Path(spec.origin)
        return
    for folder in map(Path, spec.submodule_search_locations):
        for path in sorted(folder.rglob("*")):
            if path.suffix in _CODE and path.is_file():
                yield f"{package}/{path.relative_to(folder).as_posix()}", path
