"""The page of the columns of Parquet files, from the Arrow schemas and what is said below them."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

import ncsbench

_PAGE = "columns.md"
_INTRODUCTION = """\
# Columns of Parquet files

The schemas by which files are checked when they are written and when they are read, by the module
that has them.
"""


def on_files(files: Any, *, config: Any, **_: Any) -> Any:
    """Add the page to those of the site."""
    files.append(File.generated(config, _PAGE, content="\n".join([_INTRODUCTION, *describe()])))
    return files


def describe() -> Iterator[str]:
    """A section for each public schema of the library: its docstring, and a table of columns."""
    library = Path(str(ncsbench.__file__)).parent
    for path in sorted(library.rglob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for statement, after in pairwise(body):
            match statement, after:
                case (
                    ast.Assign(targets=[ast.Name(id=name)]),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ) if name.endswith("_SCHEMA") and not name.startswith("_"):
                    module = ".".join(path.relative_to(library.parent).with_suffix("").parts)
                    yield f"## `{name}`\n\n{inspect.cleandoc(text)}\n\nIn `{module}`.\n"
                    yield "| column | type | may be null |\n|---|---|---|"
                    for field in getattr(importlib.import_module(module), name):
                        kind = str(field.type).replace("<", "&lt;")
                        yield f"| `{field.name}` | {kind} | {'yes' if field.nullable else ''} |"
                    yield ""
