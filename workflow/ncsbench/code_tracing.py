"""Which modules of the library a command runs, found by reading their source, without imports.

Each module has a hash of what it does: it stays the same where comments, docstrings, layout or
the version of Python change. So a rule can be repeated after an edit that may change its result,
and only then.
"""

from __future__ import annotations

import ast
import hashlib
import symtable
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ncsbench.errors import ConfigurationError
from ncsbench.syntax_hashing import Import, SyntaxWriter, is_registration, is_type_checking

_COMMAND_LINE = "cli"


@dataclass(frozen=True)
class Code:
    """What a command runs.

    Attributes:
        modules: modules of the library, sorted, with 16 hexadecimal digits of the hash of each.
        packages: top-level names of imported modules of neither the library nor Python, sorted.
    """

    modules: dict[str, str]
    packages: list[str]


class CodeTracer:
    """Traces commands and modules of one library; every file is read once at most.

    A file that is no Python has the hash of its bytes and imports nothing.
    """

    def __init__(self, library: Path) -> None:
        self._library = library
        self._name = library.name
        self._files: dict[str, _File] = {}

    def trace_command(self, group: str, command: str) -> Code:
        """What a command runs, such as ``score`` of the group ``judge``.

        Of the files of the command line only the statements that the command needs count; all
        other modules count whole. The group ``""`` has the commands without a group.

        Raises:
            ConfigurationError: for a command that does not exist.
        """
        module = f"{self._name}.{_COMMAND_LINE}.{group or 'main'}"
        if not self._path(module).is_file():
            raise ConfigurationError(f"ncsbench {group} {command}: there is no group {group!r}")
        file = self._file(module)
        if file.tree is None:
            return Code({module: file.digest}, [])
        function = _find_functions(file.tree).get(command)
        if function is None:
            raise ConfigurationError(
                f"ncsbench {group} {command}: there is no command {command!r} in {group or 'main'}"
            )
        name, _, attribute = function.partition(".")
        if not attribute:
            return self._close([(module, name)])
        # A function of an imported file of the command line: "from ncsbench.cli import judge".
        imports = file.select([name])[1]
        return self._close([(".".join(filter(None, found)), attribute) for found in imports])

    def trace_module(self, name: str) -> Code:
        """What a module of the library runs, such as ``ncsbench.models.bm25``.

        Raises:
            ConfigurationError: for a module that does not exist.
        """
        if not self._path(name).is_file():
            raise ConfigurationError(f"{name}: there is no such module in {self._library}")
        return self._close([(name, None)])

    def _close(self, wanted: list[Import]) -> Code:
        whole: set[str] = set()
        parts: dict[str, set[str]] = {}
        packages: set[str] = set()
        seen: set[Import] = set()
        while wanted:
            target, name = wanted.pop()
            if (target, name) in seen:
                continue
            seen.add((target, name))
            top = target.partition(".")[0]
            if top != self._name:
                packages |= {top} - sys.stdlib_module_names
                continue
            if name is not None and self._path(f"{target}.{name}").is_file():
                wanted.append((f"{target}.{name}", None))
                continue
            if not self._path(target).is_file():
                continue
            wanted += [(parent, None) for parent in _parents(target)]
            if name is not None and self._is_command_line(target) and self._file(target).has(name):
                parts.setdefault(target, set()).add(name)
                wanted += self._file(target).select([name])[1]
            else:
                whole.add(target)
                wanted += self._file(target).imports
        hashes = {module: self._file(module).select(parts[module])[0] for module in parts}
        hashes |= {module: self._file(module).digest for module in whole}
        return Code(dict(sorted(hashes.items())), sorted(packages))

    def _is_command_line(self, module: str) -> bool:
        return module.startswith(f"{self._name}.{_COMMAND_LINE}.")

    def _path(self, module: str) -> Path:
        path = self._library.joinpath(*module.split(".")[1:])
        return path / "__init__.py" if path.is_dir() else path.with_name(f"{path.name}.py")

    def _file(self, module: str) -> _File:
        if module not in self._files:
            path = self._path(module)
            package = module if path.name == "__init__.py" else module.rpartition(".")[0]
            self._files[module] = _File(path.read_bytes(), package)
        return self._files[module]


class _File:
    """One file: its hash, its imports, and the same of single names of it."""

    def __init__(self, source: bytes, package: str) -> None:
        self._source, self._package = source, package
        self.tree: ast.Module | None = None
        self.imports: list[Import] = []
        self._statements: list[ast.stmt] | None = None
        self._bound: dict[str, list[int]] = {}
        try:
            self.tree = ast.parse(source.decode("utf-8-sig"))
            writer = SyntaxWriter(package)
            writer.write(self.tree)
        except (SyntaxError, ValueError, RecursionError):
            self.tree = None
            self.digest = hashlib.sha256(source).hexdigest()[:16]
            return
        self.digest, self.imports = writer.digest(), writer.imports

    def has(self, name: str) -> bool:
        """Whether the file binds a name at its top level."""
        self._read_statements()
        return name in self._bound

    def select(self, names: Iterable[str]) -> tuple[str, list[Import]]:
        """Hash and imports of the statements that names of the file need."""
        self._read_statements()
        assert self._statements is not None  # noqa: S101
        chosen: set[int] = set()
        wanted = list(names)
        while wanted:
            for number in self._bound.get(wanted.pop(), []):
                if number not in chosen:
                    chosen.add(number)
                    wanted += sorted(self._used_names(self._statements[number]))
        writer = SyntaxWriter(self._package)
        for number in sorted(chosen):
            writer.write(self._statements[number])
        return writer.digest(), writer.imports

    def _read_statements(self) -> None:
        """Read the top level once; an import of several names becomes one for each of them."""
        if self._statements is not None:
            return
        self._statements = []
        if self.tree is None:
            return
        table = symtable.symtable(self._source.decode("utf-8-sig"), "", "exec")
        self._tables = {child.get_lineno(): child for child in table.get_children()}
        for statement in self.tree.body:
            for single in _split_import(statement):
                for name in _bound_names(single):
                    self._bound.setdefault(name, []).append(len(self._statements))
                self._statements.append(single)

    def _used_names(self, statement: ast.stmt) -> set[str]:
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        # Not every name in a function: a parameter may have the name of another command.
        outside = [statement.args, *([statement.returns] if statement.returns else [])]
        names = {n.id for part in outside for n in ast.walk(part) if isinstance(n, ast.Name)}
        for decorator in statement.decorator_list:
            if not is_registration(decorator):
                names |= {n.id for n in ast.walk(decorator) if isinstance(n, ast.Name)}
        return names | set(_global_names(self._tables[statement.lineno]))


def _find_functions(tree: ast.Module) -> dict[str, str]:
    """The name of every command of a file and of the function that it calls (``a`` or ``a.b``)."""
    found = {}
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            for decorator in statement.decorator_list:
                if is_registration(decorator):
                    found[_command_name(decorator, statement.name)] = statement.name
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            if is_registration(call.func) and call.args:
                function = ast.unparse(call.args[0])
                found[_command_name(call.func, function.rpartition(".")[2])] = function
    return found


def _command_name(registration: ast.AST, function: str) -> str:
    assert isinstance(registration, ast.Call)  # noqa: S101
    given = [*registration.args, *(key.value for key in registration.keywords if key.arg == "name")]
    if given and isinstance(given[0], ast.Constant):
        return str(given[0].value)
    return function.lower().replace("_", "-")


def _split_import(statement: ast.stmt) -> Iterator[ast.stmt]:
    if isinstance(statement, ast.Import):
        yield from (ast.Import([alias]) for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        for alias in statement.names:
            yield ast.ImportFrom(statement.module, [alias], statement.level)
    elif not (isinstance(statement, ast.If) and is_type_checking(statement.test)):
        yield statement


def _bound_names(statement: ast.stmt) -> set[str]:
    """The names a statement of the top level may give a value to."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    names = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
    return names


def _global_names(table: symtable.SymbolTable) -> Iterator[str]:
    yield from (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())
    for child in table.get_children():
        yield from _global_names(child)


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]
