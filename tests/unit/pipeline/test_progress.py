"""A quiet run shows one line, above it what else is said, and nothing that acts on a terminal."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = r"""
import os, subprocess, sys, time
from ncsbench.base.text import progress_line
from ncsbench.pipeline.freshness.progress import begin_line
progress_line._PAUSE = 2.0
line = begin_line()
line("words, jobs", 1, 77)
time.sleep(2.3)
subprocess.run(["bash", "-c", "printf 'answers: warning: a\\033[2Jb\\n' >&2"], check=True)
print("  \033[31min red\033[0m\n\nunended", end="", file=sys.stderr)
sys.exit("ncsbench: error: data/x.csv: is damaged")
"""


def begin(root: Path, theirs: int, **more: str) -> int:
    environment = {**os.environ, "PYTHONPATH": str(root / "workflow"), "TERM": "xterm", **more}
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, stderr=theirs, env=environment, check=False).returncode


def test_a_terminal_has_one_line_that_is_written_over_and_removed(root: Path) -> None:
    ours, theirs = pty.openpty()
    assert begin(root, theirs) == 1
    shown = os.read(ours, 10_000).decode()
    line, clear = "ncsbench: words, jobs 1 of 77", "\r\x1b[K"
    notes = [
        *("answers: warning: a<U+001B>[2Jb", "  in red"),
        "unendedncsbench: error: data/x.csv: is damaged",
    ]
    above = [f"{clear}{note}\r\n{line}" for note in notes]
    assert shown == f"{clear}{line}{''.join(above)}{clear}"


@pytest.mark.parametrize("where", ["file", "dumb terminal"])
def test_elsewhere_each_text_has_a_line_of_its_own(root: Path, tmp_path: Path, where: str) -> None:
    ours, theirs = pty.openpty()
    with (tmp_path / "shown").open("w") as file:
        assert begin(root, file.fileno() if where == "file" else theirs, TERM="dumb") == 1
    found = (tmp_path / "shown").read_text() if where == "file" else os.read(ours, 9999).decode()
    assert found.replace("\r\n", "\n") == (
        "ncsbench: words, jobs 1 of 77\nanswers: warning: a<U+001B>[2Jb\n  in red\n"
        "unendedncsbench: error: data/x.csv: is damaged\n"
    )


def test_the_end_does_not_wait_for_what_a_job_left_running(root: Path) -> None:
    program = (
        "import subprocess; from ncsbench.pipeline.freshness.progress import begin_line\n"
        "begin_line(); subprocess.Popen(['sleep', '30'], stdout=subprocess.DEVNULL)"
    )
    environment = {**os.environ, "PYTHONPATH": str(root / "workflow")}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, stderr=subprocess.PIPE, env=environment, timeout=20, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
