"""Hashes of Python source that depend on what it does, and the imports that stand in it.

Comments, docstrings, layout and what only type checkers read do not count, and neither does the
version of Python, which is why the syntax tree is written by this module and not by ``ast.dump``.
"""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass, field

# A module and a name that is taken from it; no name where the module itself is taken.
Import = tuple[str, str | None]


@dataclass
class SyntaxWriter:
    """Writes syntax trees as text that depends only on what they do, and collects imports.

    Attributes:
        package: the package that relative imports start from.
        imports: what the trees written so far import, in the order of the text.
    """

    package: str
    text: list[str] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)

    def digest(self) -> str:
        """16 hexadecimal digits of the SHA-256 of the trees written so far."""
        data = "\0".join(self.text).encode("utf-8", "surrogatepass")
        return hashlib.sha256(data).hexdigest()[:16]

    def write(self, node: ast.AST) -> None:
        """Add a tree, except for the branches that only type checkers read."""
        kind = node.__class__
        if kind in _COLLECTED:
            self._collect(node)
        self.text.append(kind.__name__)
        for name in _FIELDS[kind]:
            value = getattr(node, name, None)
            if kind is ast.JoinedStr:  # Python 3.12 adds empty texts to some
                value = [item for item in value or [] if getattr(item, "value", None) != ""]
            if kind is ast.Constant:
                self.text.append(_describe(value))
            elif value is None or value == []:  # also a field that another version lacks
                continue
            elif isinstance(value, list):
                self.text.append(name)
                for item in value:
                    # That a function is a command, and of which name, is not what it does.
                    if name != "decorator_list" or not is_registration(item):
                        self._write_item(item)
                self.text.append("]")
            else:
                self.text.append(name)
                self._write_item(value)
        self.text.append(")")

    def _write_item(self, item: object) -> None:
        if not isinstance(item, ast.AST):
            self.text.append(_describe(item))
        elif isinstance(item, ast.If) and is_type_checking(item.test):
            for statement in item.orelse:
                self._write_item(statement)
        elif not _is_docstring(item):
            self.write(item)

    def _collect(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            self.imports += [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = self.package.split(".")
            base = base[: len(base) - node.level + 1] if node.level else []
            target = ".".join([*base, *([node.module] if node.module else [])])
            self.imports += [(target, alias.name) for alias in node.names]
        elif isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            value = getattr(node.args[0], "value", None)
            if name == "import_module" and isinstance(value, str):
                self.imports.append((value, None))


_NO_MEANING = {"ctx", "kind", "type_comment", "type_ignores"}
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in _NO_MEANING)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
_COLLECTED = {ast.Import, ast.ImportFrom, ast.Call}


def _describe(value: object) -> str:
    if isinstance(value, str):
        return f"{len(value)}:{value}"
    if isinstance(value, int) and not isinstance(value, bool):
        return hex(value)  # repr refuses long numbers
    return repr(value)


def _is_docstring(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def is_type_checking(test: ast.expr) -> bool:
    """Whether this is the condition ``TYPE_CHECKING``, which is false when code runs."""
    return getattr(test, "attr", getattr(test, "id", None)) == "TYPE_CHECKING"


def is_registration(node: ast.AST) -> bool:
    """Whether this is ``app.command(...)``, which makes a function a command."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "command"
    )
