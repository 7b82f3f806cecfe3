"""Nothing in the sources runs, unpickles, extracts or fetches what a file says.

Ruff's S rules and the banned functions of ``pyproject.toml`` look for it; here stand the
exceptions, and what ruff does not see.
"""

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

EXCEPTIONS = {
    # Fixed names: of this package's rooms, and one whose import alone loads a shared library.
    "__init__.py": {"TID251"},
    "posts/dump/rows.py": {"TID251"},
    # A model file names a ranker by an identifier; found are this package's modules and what
    # installed packages register.
    "rankers/registry.py": {"TID251", "point.load()"},
    # YAML by the safe loader, in C where there is one; the Python file that the user names.
    "base/configuration/files.py": {"S506", "TID251", "exec_module()"},
    # Where an installed module lies.
    "pipeline/freshness/rule_code.py": {"TID251"},
    # git, without a shell: fixed arguments, and a commit that is checked to be hexadecimal or
    # stands behind --end-of-options, or a folder that it works in.
    "corpus/sources/folder_sources.py": {"S101", "S603"},
    "apps/own_code/code_files.py": {"S603"},
    "pipeline/provenance/lineage.py": {"S603", "S607"},
    "apps/shown_tables/moved_tables.py": {"S603", "S607"},
    # Jobs as forks of the run's own process, asked for over a socket that only its owner may open.
    # Fixed programs, without a shell.
    "cli/serving.py": {"TID251"},
    "pipeline/freshness/job_client.py": {"S606", "S607", "TID251"},
    "pipeline/freshness/job_server.py": {"S603", "TID251"},
    "pipeline/freshness/stage_command.py": {"TID251"},
    # Functions that the table of what is learnt names, in this package.
    "rankers/model_index.py": {"TID251"},
    "pipeline/freshness/target_plan.py": {"S603"},
    "code/java/java_blocks.py": {"S101"},
    # The process that reads pickles without Python's unpickler: our own module, by its name.
    "corpus/function_corpus/released_definitions.py": {"S603"},
    # Languages are rows of a registry, which names their modules in this package; what is called
    # ``load`` there reads no data.
    "code/functions/registry.py": {"TID251"},
    "code/definitions/languages.py": {"TID251"},
    "code/functions/function_parser.py": {"find_language(language).load()"},
    # What the type checker cannot know.
    "learning/deepcs/field_encoder.py": {"S101"},
    "learning/deepcs/field_networks.py": {"S101"},
    "learning/encoders/encoder.py": {"S101"},
    "code/functions/function_texts.py": {"S101"},
    "code/java_trees/java_spt_rules.py": {"S101"},
    "apps/own_code/similar.py": {"S101"},
}
"""What is wanted nevertheless, by module of the library."""

BAD = [
    "import pickle",
    "from xml.etree import ElementTree",
    "import urllib.request",
    "from urllib import request",
    "import tarfile",
    "import http.client",
    "eval(text)",
    "exec(text)",
    "os.system(text)",
    "os.execvp(name, [])",
    "subprocess.run(command, shell=True)",
    "subprocess.run('git log')",
    "subprocess.check_output(f'git log {path}')",
    "yaml.load(text)",
    "torch.load(path)",
    "importlib.import_module(name)",
    "from importlib import import_module",
]
UNSEEN_BY_RUFF = [
    "compile(text, '', 'exec')",
    "__import__(name)",
    "np.load(path)",
    "numpy.load(path, allow_pickle=True)",
    "point.load()",
    "loader.exec_module(module)",
]
GOOD = [
    "re.compile(text)",
    "np.load(path, allow_pickle=False)",
    "index.load(folder, corpus=corpus)",
]


def find_unseen(source: str) -> Iterator[str]:
    """Calls that run or unpickle what a file says, and that ruff has no rule for."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in {"np.load", "numpy.load"}:
            options = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            if options.get("allow_pickle") != "False":
                yield f"{name} without allow_pickle=False"
        elif name in {"compile", "__import__"}:
            yield f"{name}()"
        elif name.endswith(".exec_module"):
            yield "exec_module()"
        elif name.endswith(".load") and not node.args and not node.keywords:
            yield f"{name}()"  # of an entry point


def test_ruff_finds_what_runs_a_text(root: Path) -> None:
    imports = "import importlib, os, subprocess, torch, yaml\n"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "ruff", "check", "--output-format=json", "-"),
            "--stdin-filename=workflow/ncsbench/made_up.py",
        ],
        input=imports + "\n".join(BAD),
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    found = {
        each["location"]["row"] - 2
        for each in json.loads(done.stdout)
        if re.match(r"S\d|TID251", each["code"])
    }
    assert [line for number, line in enumerate(BAD) if number not in found] == []


@pytest.mark.parametrize("source", UNSEEN_BY_RUFF)
def test_what_ruff_does_not_see_is_found(source: str) -> None:
    assert len(list(find_unseen(source))) == 1


@pytest.mark.parametrize("source", GOOD)
def test_what_runs_nothing_is_left_alone(source: str) -> None:
    assert list(find_unseen(source)) == []


def test_the_exceptions_are_those_that_are_listed(root: Path) -> None:
    library = root / "workflow" / "ncsbench"
    found = {}
    for path in sorted(library.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        codes = re.findall(r"\b(?:S\d{3}|TID251)\b", " ".join(re.findall(r"# *noqa:?(.*)", text)))
        assert not re.search(r"# *(noqa(?!:)|ruff: *noqa)", text), path
        if wanted := {*codes, *find_unseen(text)}:
            found[path.relative_to(library).as_posix()] = wanted
    assert found == EXCEPTIONS


def test_a_reader_of_xml_is_used_in_one_module_only(root: Path) -> None:
    library = root / "workflow" / "ncsbench"
    using = {
        path.relative_to(library).as_posix()
        for path in library.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom | ast.Import) and "expat" in ast.unparse(node)
    }
    assert using == {"posts/dump/row_xml.py"}


def test_rules_call_commands_and_hold_no_code(root: Path) -> None:
    """What a job does is in the typed library; a rule that holds code would escape its checks."""
    options = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]["lint"]
    banned = options["flake8-tidy-imports"]["banned-api"].keys()
    # What follows ``onerror`` (start.smk) runs in no job: it prints errors of jobs.
    holders = {"run", "script", "notebook", "wrapper", "cwl", "onstart", "onsuccess"}
    called = {"eval", "exec", "compile", "__import__"}
    wrong = []
    for path in [root / "Snakefile", *sorted((root / "workflow" / "rules").glob("*.smk"))]:
        tokens = list(tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline))
        for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
            name = token.string
            if (
                (name in holders and after.string == ":")
                or (name in called and after.string == "(")
                or (name in banned and before.string in {"import", "from"})
            ):
                wrong.append(f"{path.name}, line {token.start[0]}: {name}")
    assert wrong == []
