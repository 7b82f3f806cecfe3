"""A run shows one line of progress, and all of its trouble."""

import io
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ncsbench.pipeline.freshness.progress import run_with_progress

OUTPUT = """\
Building DAG of jobs...
extract      4
total       77
[Sun Nov 22 07:24:55 2026]
localrule extract:
    output: a\x1b[2Jb
1 of 77 steps (1%) done
rule words:
ncsbench: error: data/x.csv: is damaged
"""
FAILURE = "Error in rule words:\n    log: \x1b[2Jwhy\n2 of 77 steps (3%) done\n"


def call(text: str, code: int, seconds: int = 0) -> list[str]:
    write = f"sys.stdout.write({text!r}); sys.stdout.flush(); time.sleep({seconds})"
    program = f"import sys, time; {write}; sys.exit({code})"
    return [sys.executable, "-c", program]


def test_without_a_terminal_notices_and_what_was_done_last_have_lines() -> None:
    screen = io.StringIO()
    text = OUTPUT.replace("ncsbench: error", "ncsbench: notice") + "answers: warning: 1 of 2\n"
    text += "".join(f"{done} of 77 steps (1%) done\n" for done in range(2, 78))
    assert run_with_progress(call(text, 0, seconds=3), screen) == 0
    assert screen.getvalue().splitlines() == [
        *("ncsbench: notice: data/x.csv: is damaged", "answers: warning: 1 of 2"),
        "ncsbench: words, jobs 77 of 77",
    ]


def test_a_failure_shows_what_snakemake_said_of_it_and_keeps_the_code() -> None:
    screen = io.StringIO()
    output = OUTPUT.replace("error", "notice") + FAILURE
    assert run_with_progress(call(output, 3), screen) == 3
    assert "Error in rule words:\nlog: <U+001B>[2Jwhy\n" in screen.getvalue()
    assert "Building DAG" not in screen.getvalue()


def test_a_failure_of_a_job_ends_in_its_error_and_shows_little_else() -> None:
    screen = io.StringIO()
    log = "Complete log(s): .snakemake/log/x.log\n"
    assert run_with_progress(call(OUTPUT + FAILURE + log + OUTPUT[-44:], 1), screen) == 1
    assert screen.getvalue() == log + "ncsbench: error: data/x.csv: is damaged\n"


def test_a_failure_without_a_word_of_error_shows_everything() -> None:
    screen = io.StringIO()
    assert run_with_progress(call("unheard of\n", 1), screen) == 1
    assert screen.getvalue() == "unheard of\n"


def test_an_end_by_a_signal_is_a_failure() -> None:
    program = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    code = run_with_progress([sys.executable, "-c", program], io.StringIO())
    assert code == 128 + signal.SIGTERM


@pytest.mark.parametrize("text", [OUTPUT])
def test_a_terminal_has_one_line_that_is_written_over(root: Path, text: str) -> None:
    ours, theirs = pty.openpty()
    module = ["-m", "ncsbench.pipeline.freshness.progress"]
    environment = {**os.environ, "PYTHONPATH": str(root / "workflow")}
    command = [sys.executable, *module, *call(text.replace("error", "note"), 0, 3)]
    subprocess.run(command, stderr=theirs, env=environment, check=True)
    shown = os.read(ours, 10_000).decode()
    assert shown.count("\n") == 1
    assert "\r\x1b[Kncsbench: words, jobs 1 of 77" in shown
    assert "\x1b[2J" not in shown
