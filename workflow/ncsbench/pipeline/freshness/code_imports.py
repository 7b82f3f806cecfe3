"""The modules of the library that a stage imports, and a hash of the syntax of each.

Sources are read, not imported. A module counts as a whole; comments, docstrings, layout and code
that only type checkers read do not count, nor does the version of Python. So a rule is repeated
after an edit that may change its result, and seldom after another edit.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ncsbench.errors import ConfigurationError
from ncsbench.moved import find_present_name
from ncsbench.pipeline.freshness.stage_command import find_stage

WITHOUT_RESULT = {"", "base.files.hashes", "base.files.temporary_files"}
"""Modules that jobs import, but no result depends on: ``ncsbench/__init__.py``, and checks."""

# A module and a name that is imported from it; None where the module itself is imported.
Import = tuple[str, str | None]


@dataclass(frozen=True)
class Code:
    """The code that a stage runs.

    Attributes:
        modules: modules of the library, sorted, with 16 hexadecimal digits of the hash of each.
        packages: top-level names of imported modules of neither the library nor Python, sorted.
    """

    modules: dict[str, str]
    packages: list[str]


class CodeTracer:
    """Traces the code of stages and modules of one library; each file is read once."""

    def __init__(self, library: Path) -> None:
        self._library = library
        self._name = library.name
        self._find = functools.cache(self._find_file)
        self._read = functools.cache(self._read_file)

    def trace_stage(self, name: str) -> Code:
        """Return the code of a stage such as ``judge``: its module, and all that this imports.

        Raises:
            ConfigurationError: for a stage that does not exist.
        """
        module = find_stage(name).partition(":")[0]
        if not module:
            raise ConfigurationError(f"ncsbench stage {name}: there is no such stage")
        return self.trace_module(f"{self._name}.{module}")

    def trace_module(self, name: str) -> Code:
        """Return the code of a module of the library, such as ``ncsbench.rankers.bm25``.

        Raises:
            ConfigurationError: for a module that does not exist.
        """
        return self._follow([(name, None)])

    def trace_source(self, source: bytes) -> Code:
        """Return the code of a file of no package: modules of the library, names of packages."""
        return self._follow(read_syntax(source, "")[1])

    def _follow(self, imports: Iterable[Import]) -> Code:
        hashes: dict[str, str] = {}
        packages: set[str] = set()
        wanted = list(imports)
        while wanted:
            target, name = wanted.pop()
            top, _, inner = target.partition(".")
            if top == self._name and (present := find_present_name(inner)):
                target = f"{top}.{present}"
            if name is not None and self._find(f"{target}.{name}") is not None:
                target = f"{target}.{name}"
            top, _, inner = target.partition(".")
            if top != self._name:
                packages |= {top} - sys.stdlib_module_names
            elif not (target in hashes or inner in WITHOUT_RESULT):
                hashes[target], imported = self._read(target)
                wanted += [(target.rpartition(".")[0], None), *imported]
        return Code(dict(sorted(hashes.items())), sorted(packages))

    def _path(self, module: str) -> Path:
        top, *parts = module.split(".")
        if top != self._name:
            return self._library / "no module of the library"
        path = self._library.joinpath(*parts)
        return path / "__init__.py" if path.is_dir() else path.with_name(f"{path.name}.py")

    def _find_file(self, module: str) -> Path | None:
        path = self._path(module)
        return path if path.is_file() else None

    def _read_file(self, module: str) -> tuple[str, tuple[Import, ...]]:
        path = self._find(module)
        if path is None:
            raise ConfigurationError(f"{module}: there is no such module in {self._library}")
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        return read_syntax(path.read_bytes(), package)


@dataclass
class Syntax:
    """Syntax trees, as a text that is equal under every version of Python, and their imports.

    Attributes:
        package: the package that relative imports start from.
        imports: imports of the trees added so far, also inside functions, in the order of the
            text.
    """

    package: str
    imports: list[Import] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)

    def digest(self) -> str:
        """Return 16 hexadecimal digits of the SHA-256 of the trees added so far."""
        return hashlib.sha256("\0".join(self._text).encode()).hexdigest()[:16]

    def add(self, node: object) -> None:
        """Add a tree, or a value of a tree."""
        if not isinstance(node, ast.AST):
            # repr refuses long numbers, and which characters it escapes depends on the Python.
            self._text.append(hex(node) if type(node) is int else ascii(node))
            return
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Call):
            self._imports(node)
        self._text.append(type(node).__name__)
        for name in node._fields:
            value = getattr(node, name, None)
            if name in _NO_MEANING:
                continue
            if isinstance(node, ast.Constant):
                self.add(value)
            elif value is not None and value != []:  # also a field that other versions lack
                self._text.append(name)
                items = _list_read(value) if isinstance(value, list) else [value]
                for item in items:
                    # Python 3.12 adds empty texts to f-strings.
                    if not isinstance(node, ast.JoinedStr) or getattr(item, "value", None) != "":
                        self.add(item)
        self._text.append(")")

    def _imports(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            self.imports += [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = self.package.split(".")
            base = parents[: len(parents) - node.level + 1] if node.level else []
            target = ".".join([*base, *([node.module] if node.module else [])])
            self.imports += [(target, alias.name) for alias in node.names]
        elif isinstance(node, ast.Call) and node.args:
            value = getattr(node.args[0], "value", None)
            if _has_name(node.func, "import_module") and isinstance(value, str):
                self.imports.append((value, None))


_NO_MEANING = {"ctx", "kind", "type_comment", "type_ignores"}


@functools.cache
def read_syntax(source: bytes, package: str) -> tuple[str, tuple[Import, ...]]:
    """Return hash and imports of a file; a file that is no Python has the hash of its bytes."""
    syntax = Syntax(package)
    try:
        syntax.add(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        syntax = Syntax(package)
        syntax.add(source)
    return syntax.digest(), tuple(syntax.imports)


def _list_read(items: Sequence[object]) -> Iterator[object]:
    """Yield the items that count when code runs."""
    for item in items:
        if isinstance(item, ast.If) and _has_name(item.test, "TYPE_CHECKING"):
            yield from _list_read(item.orelse)
        elif not _is_docstring(item):
            yield item


def _is_docstring(item: object) -> bool:
    value = item.value if isinstance(item, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _has_name(node: ast.AST, name: str) -> bool:
    return getattr(node, "attr", getattr(node, "id", None)) == name
