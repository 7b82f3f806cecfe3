"""The modules of the library that a stage imports, and a hash of the syntax of each.

Sources are read, not imported. A module counts as a whole; comments, docstrings, layout and code
that only type checkers read do not count, nor does the version of Python. So a rule is repeated
after an edit that may change its result, and seldom after another edit.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ncsbench.base.files.temporary_files import temporary_path
from ncsbench.errors import ConfigurationError
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
        self._files = dict(_list_modules(library))
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
        return self._follow({name})

    def trace_source(self, source: bytes) -> Code:
        """Return the code of a file of no package: modules of the library, names of packages."""
        return self._follow(self._find_names(read_syntax(source, "")[1]))

    def _follow(self, names: Iterable[str]) -> Code:
        hashes: dict[str, str] = {}
        packages: set[str] = set()
        wanted = set(names)
        while wanted:
            name = wanted.pop()
            if name.partition(".")[0] == self._name:
                hashes[name], imported = self._read(name)
                wanted |= imported - hashes.keys()
            else:
                packages.add(name)
        return Code(dict(sorted(hashes.items())), sorted(packages))

    def _read_file(self, module: str) -> tuple[str, frozenset[str]]:
        """Return the hash of a module, and names of the modules and packages that it imports."""
        path = self._files.get(module)
        if path is None:
            raise ConfigurationError(f"{module}: there is no such module in {self._library}")
        parent = module.rpartition(".")[0]
        package = module if path.name == "__init__.py" else parent
        digest, imports = read_syntax(path.read_bytes(), package)
        return digest, self._find_names([(parent, None), *imports])

    def _find_names(self, imports: Iterable[Import]) -> frozenset[str]:
        """Return the modules of the library, and packages of others, that imports refer to."""
        found = set()
        for module, name in imports:
            top = module.partition(".")[0]
            if top != self._name:
                found |= {top} - sys.stdlib_module_names
                continue
            target = module
            if name is not None and f"{target}.{name}" in self._files:
                target = f"{target}.{name}"
            if target.partition(".")[2] not in WITHOUT_RESULT:
                found.add(target)
        return frozenset(found)


def _list_modules(library: Path) -> Iterator[tuple[str, Path]]:
    for folder, _, files in os.walk(library):
        package = ".".join([library.name, *Path(folder).relative_to(library).parts])
        for path in (Path(folder, file) for file in files if file.endswith(".py")):
            yield package if path.stem == "__init__" else f"{package}.{path.stem}", path


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


_KNOWN: dict[str, tuple[str, tuple[Import, ...]]] = {}
"""Hash and imports of files, by package and SHA-256 of their bytes."""
_MOST_KNOWN = 2000
"""Largest number of files that are kept; each edit of a file adds one."""


@contextlib.contextmanager
def keep_syntax(path: Path) -> Iterator[None]:
    """Keep hash and imports of the files that are read in the block, for later processes.

    Parsing takes longer than all else of ``snakemake -n``. Bytes say which file is meant, so that
    no time of a file counts. A damaged file, and one that other code or another Python wrote, is
    passed over; a file that cannot be written is no mistake.
    """
    with contextlib.suppress(OSError, ValueError):
        checksum, _, text = path.read_bytes().partition(b"\n")
        if checksum == _check(text):
            for key, (digest, imports) in json.loads(text).items():
                _KNOWN[key] = digest, tuple((module, name) for module, name in imports)
    before = len(_KNOWN)
    yield
    if len(_KNOWN) > before:
        text = json.dumps(dict(list(_KNOWN.items())[-_MOST_KNOWN:])).encode()
        temporary = temporary_path(path)
        with contextlib.suppress(OSError):
            try:
                temporary.write_bytes(_check(text) + b"\n" + text)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)


def _check(text: bytes) -> bytes:
    """Return a checksum of kept hashes and of what they depend on besides the files."""
    code = Path(__file__).read_bytes() + sys.version.encode()
    return hashlib.sha256(code + text).hexdigest().encode()


_NO_MEANING = {"ctx", "kind", "type_comment", "type_ignores"}


def read_syntax(source: bytes, package: str) -> tuple[str, tuple[Import, ...]]:
    """Return hash and imports of a file; a file that is no Python has the hash of its bytes."""
    key = f"{package} {hashlib.sha256(source).hexdigest()}"
    if key not in _KNOWN:
        _KNOWN[key] = _parse(source, package)
    return _KNOWN[key]


def _parse(source: bytes, package: str) -> tuple[str, tuple[Import, ...]]:
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
