"""Which modules a command runs, and what an edit of one of them changes."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.freshness.code_imports import Code, CodeTracer, read_syntax
from tests.workflow_rules import read_rules

FILES = {
    "__init__.py": "from lib import errors\n",
    "errors.py": "def stop(): raise ValueError\n",
    "work/jobs.py": '''"""Jobs."""
from typing import TYPE_CHECKING
from lib.errors import stop
if TYPE_CHECKING:
    import torch
_LIMIT = 3

def first_one(first: int, second: int = _LIMIT) -> None:
    """Do one thing."""
    from lib.work import counting
    import numpy.linalg
    print(first, _help(second), "numba")

def _help(value):
    from lib.base.files.hashes import check_file
    return value + 1
''',
    "base/__init__.py": "",
    "base/files/__init__.py": "",
    "base/files/hashes.py": "import pandas\n",
    "work/__init__.py": "from lib.work.base import BASE\n",
    "work/base.py": "BASE = 1\n",
    "work/counting.py": "if 1:\n    from . import base as b\nelse:\n    import sqlite3, pandas\n",
    "work/sorting.py": "import importlib\ndef order(*x): importlib.import_module('faiss')\n",
}
ODD = """
def f(x: int = 1, /, *, y: "str" = {**{}, 1: None}) -> None:
    text = f"{x!r:>{y}}" f"{x:}{{}}" "end" f'{x=}'
    match x:
        case [1, *_] | {"a": None, **rest} if (z := rest):
            return "", ..., 1e309j, b"\\xff", True, 0xFFFFFFFFFFFFFFFF, "\\ud800\U0001f6d8"
"""


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


def trace(library: Path) -> Code:
    return CodeTracer(library).trace_module("lib.work.jobs")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def rules_that_import(root: Path, library: Path) -> dict[str, dict[str, str]]:
    """The modules of every rule, with their hashes."""
    tracer = CodeTracer(library)
    return {
        rule: {k: v for call in calls for k, v in tracer.trace_stage(call).modules.items()}
        for rule, text in read_rules(root).items()
        if (calls := re.findall(r"\bncsbench stage (\w+)", text))
    }


def changed_rules(root: Path, library: Path, path: str, old: str, new: str) -> set[str]:
    """The rules that an edit of a module of a copy of the library repeats."""
    before = rules_that_import(root, library)
    edit(library / path, old, new)
    after = rules_that_import(root, library)
    return {rule for rule in before if before[rule] != after[rule]}


def test_a_job_has_the_modules_it_imports_and_their_packages(library: Path) -> None:
    code = trace(library)
    assert list(code.modules) == [
        *("lib.errors", "lib.work", "lib.work.base", "lib.work.counting"),
        "lib.work.jobs",
    ]
    assert code.packages == ["numpy", "pandas"]
    assert CodeTracer(library).trace_module("lib.work.sorting").packages == ["faiss"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("work/jobs.py", "    return value + 1", "    # why\n\n    return (value\n        + 1)"),
        ("work/jobs.py", '"""Do one thing."""', '"""Do it."""'),
        ("work/jobs.py", "    import torch", "    import faiss"),
        ("work/sorting.py", "(*x)", "(*y)"),
        ("work/counting.py", "base as b", "(\n        base as b\n)"),
        ("work/base.py", "BASE = 1", "if TYPE_CHECKING:\n    import torch\nBASE = 1"),
        ("base/files/hashes.py", "import pandas", "import numpy"),
        ("__init__.py", "errors", "work"),
    ],
)
def test_an_edit_that_changes_nothing_of_a_command_keeps_its_hashes(
    library: Path, file: str, old: str, new: str
) -> None:
    before = trace(library)
    edit(library / file, old, new)
    assert trace(library) == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("work/jobs.py", "value + 1", "value + 2"),
        ("work/jobs.py", "_LIMIT = 3", "_LIMIT = 4"),
        ("work/jobs.py", '"numba"', "b'numba'"),
        ("work/base.py", "BASE = 1", "BASE = True"),
        ("work/base.py", "BASE = 1", "BASE = [1]"),
        ("work/base.py", "BASE = 1", 'BASE = 1, "", 2'),
        ("work/base.py", "BASE = 1", 'BASE = f"{1}"'),
        ("work/__init__.py", "import BASE", "import BASE as base"),
    ],
)
def test_an_edit_of_what_a_command_needs_changes_one_hash(
    library: Path, file: str, old: str, new: str
) -> None:
    before = trace(library).modules
    edit(library / file, old, new)
    after = trace(library).modules
    assert [name for name in before if after[name] != before[name]] == [
        f"lib.{file[:-3].replace('/', '.')}".removesuffix(".__init__")
    ]


def test_what_type_checking_alone_reads_does_not_count(library: Path) -> None:
    path = library / "work" / "base.py"
    path.write_text("if TYPE_CHECKING:\n    import torch\nelse:\n    import yaml\n")
    assert CodeTracer(library).trace_module("lib.work.base").packages == ["yaml"]


@pytest.mark.parametrize("text", ["def broken(:", "\0", "x = " + "(" * 500, "é = '\udcff'"])
def test_a_file_that_is_no_python_has_the_hash_of_its_bytes(library: Path, text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    (library / "work" / "base.py").write_bytes(data)
    before = trace(library).modules
    (library / "work" / "base.py").write_bytes(data + b"\n# more")
    after = trace(library).modules
    assert [key for key in before if after[key] != before[key]] == ["lib.work.base"]


def test_a_stage_that_does_not_exist_ends_in_one_line(library: Path) -> None:
    with pytest.raises(ConfigurationError, match="ncsbench stage none: there is no such stage"):
        CodeTracer(library).trace_stage("none")


def test_a_module_that_does_not_exist_ends_in_one_line(library: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"lib\.none: there is no such module"):
        CodeTracer(library).trace_module("lib.none")


VALUES = st.text() | st.binary() | st.integers() | st.floats() | st.booleans() | st.none()


@given(VALUES, VALUES)
def test_constants_have_the_same_hash_where_they_are_written_the_same(
    value: object, other: object
) -> None:
    def digest(text: str) -> str:
        return read_syntax(text.encode("utf-8", "surrogatepass"), "")[0]

    assert digest(f"x = {value!a}") == digest(f"x = (\n {value!a}) # {other!a}")
    assert (digest(f"x = {value!a}") == digest(f"x = {other!a}")) == (repr(value) == repr(other))
    assert digest(f"x = [{value!a}], {other!a}") != digest(f"x = [{value!a}, {other!a}]")


HASH_FILES = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
from ncsbench.pipeline.freshness.code_imports import read_syntax
print(json.dumps([read_syntax(path.read_bytes(), "x")[0]
    for folder in sys.argv[1:] for path in sorted(pathlib.Path(folder).rglob("*.py"))]))
"""


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_hashes_are_equal_under_every_python(root: Path, tmp_path: Path, version: str) -> None:
    """Those of the library, of the tests and of the odd; under the Pythons of this machine."""
    (tmp_path / "odd.py").write_text(ODD)
    folders = [root / "workflow", root / "tests", tmp_path]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    here = [read_syntax(path.read_bytes(), "x")[0] for path in files]
    assert here[-1] == "88fcc5b8a2c6e5cd"
    python = shutil.which(f"python{version}")
    called = [python or "false", "-c", HASH_FILES, *map(str, folders)]
    done = subprocess.run(called, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode or json.loads(done.stdout) == here  # a version may be absent


def test_no_rule_is_without_code_and_none_depends_on_the_command_line(root: Path) -> None:
    for rule, modules in rules_that_import(root, root / "workflow/ncsbench").items():
        assert modules, rule
        assert not [name for name in modules if name.startswith("ncsbench.cli")], rule


def test_the_judge_is_no_part_of_the_extraction(root: Path, copied: Path) -> None:
    changed = changed_rules(root, copied, "code/aroma/similarity.py", "return ", "return 1 + ")
    assert {"judge", "match", "copies"} <= changed
    assert not changed & {"extract", "build_corpus", "words", "weights", "retrieve"}


def test_a_new_column_of_a_ledger_repeats_no_training(root: Path, copied: Path) -> None:
    """Neither word vectors, expansions, weights nor the pairs that they learn from."""
    new = '    pa.field("seconds", pa.float32()),\n        pa.field("reason"'
    changed = changed_rules(
        root, copied, "corpus/layout/ledger_schema.py", '    pa.field("reason"', new
    ) | changed_rules(root, copied, "posts/dump/row_xml.py", '    pa.field("reason"', new)
    assert {"extract", "build_corpus", "post_ledger"} <= changed
    learning = {"words", "embedding", "expansion", "weights", "index", "retrieve"}
    pairs = {"pair_posts", "pair_docstrings", "pair_file"}
    assert learning | pairs <= rules_that_import(root, copied).keys()
    assert not changed & (learning | pairs)


def test_an_edit_of_the_hashing_code_repeats_no_rule(root: Path, copied: Path) -> None:
    """Nor one of what else stands around a job."""
    before = rules_that_import(root, copied)
    paths = [
        *(copied / "cli" / name for name in ("__init__.py", "main.py", "options.py")),
        *(copied / name for name in ("base/files/hashes.py", "__init__.py", "__main__.py")),
    ]
    for path in paths:
        path.write_text(f"{path.read_text()}\nEDITED = True\n")
    after = rules_that_import(root, copied)
    # It locks its store; what its code is repeats nothing (rules/archives.smk).
    assert {rule for rule in before if after[rule] != before[rule]} <= {"fetch"}


def test_what_every_rule_imports_is_small(root: Path) -> None:
    rules = rules_that_import(root, root / "workflow/ncsbench")
    assert set.intersection(*(set(modules) for modules in rules.values())) == {
        *("ncsbench.base", "ncsbench.base.files", "ncsbench.base.files.storage"),
        "ncsbench.errors",
        "ncsbench.base.files.corpus_stamps",  # storage checks them
    }


def run_with_kept_syntax(folder: Path, source: bytes) -> str:
    """Read a file in a new process, with hashes kept in a folder; say whether it was parsed."""
    code = """
import sys
from pathlib import Path
from ncsbench.pipeline.freshness import code_imports
parsed = []
parse = code_imports._parse
code_imports._parse = lambda *given: parsed.append(given) or parse(*given)
with code_imports.keep_syntax(Path(sys.argv[1], "kept")):
    read = code_imports.read_syntax(bytes.fromhex(sys.argv[2]), "lib.work")
print(read == parse(bytes.fromhex(sys.argv[2]), "lib.work"), len(parsed))
"""
    call = [sys.executable, "-c", code, str(folder), source.hex()]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()


def test_kept_hashes_go_by_the_bytes_and_damage_or_a_missing_folder_is_no_mistake(
    tmp_path: Path,
) -> None:
    source = b"from . import base\nimport numpy as np\nx = 1\n"
    kept = tmp_path / "kept"
    assert run_with_kept_syntax(tmp_path, source) == "True 1"
    assert run_with_kept_syntax(tmp_path, source) == "True 0"
    assert run_with_kept_syntax(tmp_path, source + b"y = 2\n") == "True 1"
    whole = kept.read_bytes()
    for damaged in (
        *(b"", b"\n", b"\xff\n{}", whole[:-1], whole.replace(b"numpy", b"scipy")),
        *(whole.partition(b"\n")[0] + b"\n{}", b"[" * 100_000),
    ):
        kept.write_bytes(damaged)
        assert run_with_kept_syntax(tmp_path, source) == "True 1"
        assert run_with_kept_syntax(tmp_path, source) == "True 0"
    kept.unlink()
    kept.mkdir()
    assert run_with_kept_syntax(tmp_path, source) == "True 1"
    assert run_with_kept_syntax(tmp_path / "absent", source) == "True 1"
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
