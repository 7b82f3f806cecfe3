"""Which modules a command runs, and what an edit of one of them changes."""

from __future__ import annotations

import ast
import shutil
import time
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.cli.main import app
from ncsbench.code_tracing import Code, CodeTracer
from ncsbench.errors import ConfigurationError
from ncsbench.syntax_hashing import SyntaxWriter

OWN_CLI = '''"""Commands."""
from typing import TYPE_CHECKING
import typer
from lib.cli import shared
from lib.cli.shared import Number, Unused
from lib.cli.other import added
from lib.errors import stop
if TYPE_CHECKING:
    import torch
app = typer.Typer()
app.command("more")(added)
LIMIT = 3

@app.command()
def first_one(first: int, second: Number = LIMIT) -> None:
    """Do one thing."""
    from lib.work import counting
    import numpy.linalg
    print(first, _help(second), "numba")

@app.command(name="other")
def second(first: int) -> None:
    from lib.work.sorting import order
    order(first, stop)

def first() -> None:
    import scipy

def _help(value):
    return value + 1
'''
FILES = {
    "__init__.py": '"""A library."""\n',
    "errors.py": "def stop(): raise ValueError\n",
    "cli/__init__.py": "",
    "cli/main.py": "from lib.cli import group, other\napp.command('top')(other.added)\n",
    "cli/group.py": OWN_CLI,
    "cli/shared.py": "Number = int\nUnused = float\n",
    "cli/other.py": "from lib.work.lazy import load\n\ndef added():\n    load()\n",
    "work/__init__.py": "from lib.work.base import BASE\n",
    "work/base.py": "BASE = 1\n",
    "work/counting.py": "if 1:\n    from . import base as b\nelse:\n    import sqlite3, pandas\n",
    "work/sorting.py": "def order(*given): ...\n",
    "work/lazy.py": "import importlib\n\ndef load():\n    importlib.import_module('faiss')\n",
}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "lib"


@pytest.fixture
def copied(root: Path, tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    return shutil.copytree(root / "workflow/ncsbench", tmp_path / "ncsbench", ignore=ignored)


def trace(library: Path, group: str, command: str) -> Code:
    return CodeTracer(library).trace_command(group, command)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def real_commands() -> list[tuple[str, str]]:
    top = typer.main.get_command(app)
    found = []
    for group, commands in top.commands.items():  # type: ignore[attr-defined]
        inner = getattr(commands, "commands", None)
        found += [("", group)] if inner is None else [(group, command) for command in inner]
    return found


def test_a_command_has_the_modules_it_imports_and_their_packages(library: Path) -> None:
    code = trace(library, "group", "first-one")
    assert list(code.modules) == [
        *("lib", "lib.cli", "lib.cli.group", "lib.cli.shared"),
        *("lib.work", "lib.work.base", "lib.work.counting"),
    ]
    assert code.packages == ["numpy", "pandas"]


def test_a_parameter_named_like_a_function_does_not_bring_it(library: Path) -> None:
    assert "scipy" not in trace(library, "group", "first-one").packages
    assert "lib.errors" in trace(library, "group", "other").modules


def test_a_command_may_be_a_function_of_another_file_that_imports_by_name(library: Path) -> None:
    code = trace(library, "group", "more")
    assert {"lib.cli.other", "lib.work.lazy"} <= code.modules.keys()
    assert code.packages == ["faiss"]


def test_a_command_without_a_group_may_be_a_function_of_an_imported_file(library: Path) -> None:
    modules = trace(library, "group", "more").modules
    del modules["lib.cli.group"]
    assert trace(library, "", "top") == Code(modules, ["faiss"])


def test_a_module_is_traced_like_a_command(library: Path) -> None:
    code = CodeTracer(library).trace_module("lib.work.counting")
    assert list(code.modules) == ["lib", "lib.work", "lib.work.base", "lib.work.counting"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    return value + 1", "    # why\n\n    return (value\n        + 1)"),
        ('"""Do one thing."""', '"""Do it."""'),
        ('"""Commands."""', ""),
        ("import torch", "import tensorflow"),
        ("order(first, stop)", "order(stop, first)"),
        ("import scipy", "import pandas"),
        ("import Number, Unused", "import (\n    Unused,\n    Number,\n)"),
    ],
)
def test_an_edit_that_changes_nothing_of_a_command_keeps_its_hashes(
    library: Path, old: str, new: str
) -> None:
    before = trace(library, "group", "first-one")
    edit(library / "cli" / "group.py", old, new)
    assert trace(library, "group", "first-one") == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("cli/group.py", "value + 1", "value + 2"),
        ("cli/group.py", "LIMIT = 3", "LIMIT = 4"),
        ("cli/group.py", '"numba"', "b'numba'"),
        ("cli/shared.py", "Number = int", "Number = str"),
        ("work/base.py", "BASE = 1", "BASE = True"),
        ("work/__init__.py", "import BASE", "import BASE as base"),
    ],
)
def test_an_edit_of_what_a_command_needs_changes_one_hash(
    library: Path, file: str, old: str, new: str
) -> None:
    before = trace(library, "group", "first-one").modules
    edit(library / file, old, new)
    after = trace(library, "group", "first-one").modules
    assert [name for name in before if after[name] != before[name]] == [
        f"lib.{file[:-3].replace('/', '.')}".removesuffix(".__init__")
    ]


def test_what_type_checking_alone_reads_does_not_count(library: Path) -> None:
    path = library / "work" / "base.py"
    before = CodeTracer(library).trace_module("lib.work.base")
    path.write_text("if TYPE_CHECKING:\n    import torch\nelse:\n    import yaml\n")
    after = CodeTracer(library).trace_module("lib.work.base")
    assert after.packages == ["yaml"]
    assert after.modules != before.modules


@pytest.mark.parametrize("text", ["def broken(:", "\0", "x = " + "(" * 500, "é = '\udcff'"])
def test_a_file_that_is_no_python_has_the_hash_of_its_bytes(library: Path, text: str) -> None:
    for name in ("work/base.py", "cli/shared.py", "cli/group.py"):
        path = library / name
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        before = trace(library, "group", "first-one").modules
        path.write_bytes(text.encode("utf-8", "surrogateescape") + b"\n# more")
        after = trace(library, "group", "first-one").modules
        assert [key for key in before if after[key] != before[key]] == [
            f"lib.{name[:-3].replace('/', '.')}"
        ]


@pytest.mark.parametrize(("group", "command"), [("group", "none"), ("none", "more"), ("", "x")])
def test_a_command_that_does_not_exist_ends_in_one_line(
    library: Path, group: str, command: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"ncsbench {group} {command}: there is no"):
        trace(library, group, command)


def test_a_module_that_does_not_exist_ends_in_one_line(library: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"lib\.none: there is no such module"):
        CodeTracer(library).trace_module("lib.none")


VALUES = st.text() | st.binary() | st.integers() | st.floats() | st.booleans() | st.none()


@given(VALUES, VALUES)
def test_constants_have_the_same_hash_where_they_are_written_the_same(
    value: object, other: object
) -> None:
    def digest(text: str) -> str:
        writer = SyntaxWriter("")
        writer.write(ast.parse(text))
        return writer.digest()

    assert digest(f"x = {value!r}") == digest(f"x = (\n {value!r}) # {other!a}")
    assert (digest(f"x = {value!r}") == digest(f"x = {other!r}")) == (repr(value) == repr(other))
    assert digest(f"x = [{value!r}], {other!r}") != digest(f"x = [{value!r}, {other!r}]")


@pytest.mark.parametrize(("group", "command"), real_commands())
def test_every_command_runs_more_than_the_command_line(
    root: Path, group: str, command: str
) -> None:
    modules = CodeTracer(root / "workflow/ncsbench").trace_command(group, command).modules
    assert [name for name in modules if not name.startswith("ncsbench.cli")] != ["ncsbench"]
    assert not {"ncsbench.cli.main", "ncsbench.__main__"} & modules.keys()


def test_the_judge_is_no_part_of_the_extraction(copied: Path) -> None:
    score, extract = trace(copied, "judge", "score"), trace(copied, "corpus", "extract")
    path = copied / "judge" / "similarity.py"
    path.write_text(path.read_text() + "\nLIMIT = 17\n")
    assert trace(copied, "corpus", "extract") == extract
    changed = trace(copied, "judge", "score").modules
    assert [name for name in changed if changed[name] != score.modules[name]] == [
        "ncsbench.judge.similarity"
    ]


def test_the_whole_library_is_read_fast(root: Path) -> None:
    library = root / "workflow" / "ncsbench"
    seconds = []
    for _ in range(3):
        started, tracer = time.process_time(), CodeTracer(library)
        for path in sorted(library.rglob("*.py")):
            parts = path.relative_to(library.parent).with_suffix("").parts
            tracer.trace_module(".".join(parts).removesuffix(".__init__"))
        seconds.append(time.process_time() - started)
    assert min(seconds) < 1.5
