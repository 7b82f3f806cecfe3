"""Nothing in the sources runs, unpickles, extracts or fetches what a file says."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

import pytest

from tests.security.dangerous_calls import MODULES, find_dangers

EXCEPTIONS = {
    # A model file names a ranker by an identifier; found are this package's modules and what
    # installed packages register.
    "models/registry.py": {"dynamic import"},
    # A fixed name; the import alone loads the shared library and fails where there is none.
    "stackoverflow/streams.py": {"dynamic import"},
}
"""Findings that are wanted, by module of the library."""

BAD = [
    "import pickle",
    "from xml.etree import ElementTree",
    "import urllib.request",
    "from urllib import request",
    "import tarfile",
    "eval(text)",
    "exec(text)",
    "compile(text, '', 'exec')",
    "__import__(name)",
    "os.system(text)",
    "from os import system",
    "os.execvp(name, [])",
    "subprocess.run(command, shell=True)",
    "subprocess.run('git log')",
    "subprocess.check_output(f'git log {path}')",
    "yaml.load(text)",
    "torch.load(path)",
    "np.load(path)",
    "np.load(path, allow_pickle=True)",
    "archive.extractall(path)",
    "importlib.import_module(name)",
    "from importlib import import_module",
    "point.load()",
]
GOOD = [
    "re.compile(text)",
    "np.load(path, allow_pickle=False)",
    "yaml.safe_load(text)",
    "subprocess.run(['git', 'log'], check=False)",
    "from urllib.parse import quote",
    "index.load(folder, corpus=corpus)",
]


@pytest.mark.parametrize("source", BAD)
def test_what_runs_a_text_is_found(source: str) -> None:
    assert len(find_dangers(source)) == 1


@pytest.mark.parametrize("source", GOOD)
def test_what_runs_nothing_is_left_alone(source: str) -> None:
    assert find_dangers(source) == []


def test_the_library_runs_nothing_that_a_file_says(root: Path) -> None:
    library = root / "workflow" / "ncsbench"
    wrong = [
        f"{name}: {danger}"
        for path in sorted(library.rglob("*.py"))
        for name in [path.relative_to(library).as_posix()]
        for danger in find_dangers(path.read_text(encoding="utf-8"))
        if danger.rsplit(" at ", 1)[0] not in EXCEPTIONS.get(name, set())
    ]
    assert wrong == []


def test_every_exception_is_still_needed(root: Path) -> None:
    library = root / "workflow" / "ncsbench"
    for name, allowed in EXCEPTIONS.items():
        dangers = find_dangers((library / name).read_text(encoding="utf-8"))
        assert {danger.rsplit(" at ", 1)[0] for danger in dangers} == allowed


def test_a_reader_of_xml_is_used_in_one_module_only(root: Path) -> None:
    library = root / "workflow" / "ncsbench"
    using = {
        path.relative_to(library).as_posix()
        for path in library.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom | ast.Import) and "expat" in ast.unparse(node)
    }
    assert using == {"stackoverflow/row_xml.py"}


def test_rules_call_commands_and_hold_no_code(root: Path) -> None:
    """What a job does is in the typed library; a rule that holds code would escape its checks."""
    holders = {"run", "script", "notebook", "wrapper", "cwl", "onstart", "onsuccess", "onerror"}
    called = {"eval", "exec", "compile", "__import__"}
    wrong = []
    for path in [root / "Snakefile", *sorted((root / "workflow" / "rules").glob("*.smk"))]:
        tokens = list(tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline))
        for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
            name = token.string
            if (
                (name in holders and after.string == ":")
                or (name in called and after.string == "(")
                or (name in MODULES and before.string in {"import", "from"})
            ):
                wrong.append(f"{path.name}, line {token.start[0]}: {name}")
    assert wrong == []
