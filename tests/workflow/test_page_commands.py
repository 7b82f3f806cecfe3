"""The commands of the README do what it says.

Every block of commands runs, in the order of the page, each from the folder of the project. What is
not run carries the reason in a comment above the block: ``<!-- not run: REASON -->`` for all of it,
``<!-- not run `make test`: REASON -->`` for the lines that begin so. Of a block with prompts
the standard output is compared, in which ``...`` stands for anything, as in doctest; progress goes
to standard error.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import Block, list_blocks
from tests.patience import LONGEST

pytestmark = pytest.mark.workflow
COMMANDS = {"", "sh", "bash", "console"}
END = "--- end of a command ---"
PROMPT = "$ "
# What readers have of their own where the page speaks of it.
GIVEN = {"my_models/mine.yaml": "like: bm25\noptions:\n  k1: 2.0\n"}


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
    (folder / ".venv" / ".installed").unlink(missing_ok=True)
    (folder / ".venv" / ".installed").touch()
    for name, text in GIVEN.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


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
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"},
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


def run_page(page: Path, project: Path, cache: Path) -> int:
    """Run the commands of a page, and return how many blocks were run."""
    compare = doctest.OutputChecker().check_output
    count = 0
    for block in list_blocks(page):
        if block.title:
            (project / block.title).parent.mkdir(exist_ok=True)
            (project / block.title).write_text(block.text)
        if block.language not in COMMANDS or not (commands := list_commands(block)):
            continue
        count += 1
        printed = run_commands([command for command, _ in commands], project, cache)
        for (command, expected), found in zip(commands, printed, strict=True):
            same = compare(f"{expected.rstrip()}\n", f"{found.rstrip()}\n", doctest.ELLIPSIS)
            assert same, f"{page.name}, line {block.line}: {command}\n{found}"
    return count


def test_the_commands_of_the_readme_run(project: Path, root: Path, tmp_path: Path) -> None:
    assert run_page(root / "README.md", project, tmp_path) == 5


def test_what_is_not_run_has_a_reason(root: Path) -> None:
    for page in (root / "README.md",):
        markers = page.read_text(encoding="utf-8").count("<!-- not run")
        blocks = list(list_blocks(page))
        assert sum(len(block.not_run) for block in blocks) == markers
        for block in blocks:
            for command in filter(None, block.not_run):
                assert re.search(rf"^{re.escape(command)}\b", block.text, re.MULTILINE), command
            if block.language in COMMANDS:
                assert block.text.startswith(PROMPT) or PROMPT not in block.text, block.line
