"""The command ``questions curate``, answered by lines and at a terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.artifacts.storage import write_json, write_table
from ncsbench.corpus.corpus_schemas import METHOD_SCHEMA
from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.questions.curation import REASONS
from ncsbench.questions.curation_file import Decision, Place, read_decisions
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from tests.patience import LONGEST

HASH = "ab" * 32
FIRST = (Place("o/r", "A.java", "4-4"),)
YES = Decision(True, seen=FIRST)


@pytest.fixture
def command(tmp_path: Path, root: Path) -> list[str]:
    """``questions curate`` on two matched candidates and one without a match."""
    texts = {field.name: "" for field in QUESTION_SCHEMA if field.type == pa.string()}
    questions = [
        texts | {
            "query_id": row, "stackoverflow_id": f"10{row}", "occurrence": 1, "answer": "run();",
            "question": f"How to {row}\x1b[2J", "examples": [], "examples_url": [],
        }
        for row in (1, 2, 3)
    ]  # fmt: skip
    matches = [
        {"judge": "dice", "query_id": row, "rank": 1, "id": id_, "similarity": 0.75}
        for row, id_ in ((1, 4), (3, 1))
    ]
    methods = [
        {
            "id": i, "repository": "o/r", "path": "A.java", "filepath": "o/r/A.java", "lines": 1,
            "method_name": "m", "class_name": "C", "start_line": i, "end_line": i, "tokens": 1,
            "code": f"void m{i}() {{ }}",
        }
        for i in range(5)
    ]  # fmt: skip
    corpus = tmp_path / "corpus"
    shards = [{"first_id": 0}, {"first_id": 3}]
    write_json(corpus / "manifest.json", {"shards": shards, "corpus_hash": HASH})
    for shard, part in enumerate((methods[:3], methods[3:])):
        table = pa.Table.from_pylist(part, METHOD_SCHEMA)
        write_table(corpus / "methods" / f"{shard:04}.parquet", table, METHOD_SCHEMA)
    for name, rows, schema in (
        ("q.parquet", questions, QUESTION_SCHEMA), ("m.parquet", matches, MATCH_SCHEMA),
    ):  # fmt: skip
        table = pa.Table.from_pylist(rows, schema)
        write_table(tmp_path / name, table, schema, corpus_hash=HASH)
    return [
        sys.executable, "-m", "ncsbench", "questions", "curate",
        "--questions", str(tmp_path / "q.parquet"), "--matches", str(tmp_path / "m.parquet"),
        "--corpus", str(corpus), "--output", str(tmp_path / "c.csv"),
    ]  # fmt: skip


def environment(root: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(root / "workflow"), "TERM": "xterm", **more}


def test_the_tool_can_be_answered_by_lines(command: list[str], tmp_path: Path, root: Path) -> None:
    done = subprocess.run(
        command, input=b"yes\nn\nbad \xff reason\n", capture_output=True,
        env=environment(root, PYTHONUTF8="0", LC_ALL="C", PYTHONCOERCECLOCALE="0"), check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr.startswith(b"usage: ") and done.stderr.count(b"\n") == 1
    out = done.stdout.decode("ascii")
    assert "How to 1<U+001B>[2J" in out and "Match 1  0.7500  o/r/A.java:4-4" in out
    assert "void m4() { }" in out and "void m1() { }" in out and "How to 2" not in out
    assert "1 kept, 1 not kept, 0 left" in out
    assert [*read_decisions(tmp_path / "c.csv")] == ["101", "103"]


def test_an_old_file_is_written_anew_and_goes_on(
    command: list[str], tmp_path: Path, root: Path
) -> None:
    (tmp_path / "c.csv").write_text("id,keep,reason\n101,yes,\n")
    done = subprocess.run(
        command, input=b"", capture_output=True, env=environment(root), check=False
    )
    assert done.returncode == 0 and b"the curation file names no matches" in done.stderr
    assert b"Question 2 of 2; 1 decided." in done.stdout
    assert read_decisions(tmp_path / "c.csv") == {"101": YES}


@pytest.mark.parametrize(
    ("corpus_hash", "message"),
    [
        ("cd" * 32, "belongs to corpus abababababab, but {0}/m.parquet to corpus cdcdcdcdcdcd"),
        (None, "m.parquet: does not say to which corpus its method ids belong"),
    ],
)
def test_matches_of_another_corpus_are_refused(
    command: list[str], tmp_path: Path, root: Path, corpus_hash: str | None, message: str
) -> None:
    rows = [{"judge": "dice", "query_id": 1, "rank": 1, "id": 4, "similarity": 0.75}]
    table = pa.Table.from_pylist(rows, MATCH_SCHEMA)
    write_table(tmp_path / "m.parquet", table, MATCH_SCHEMA, corpus_hash=corpus_hash)
    done = subprocess.run(
        command, input="y\n", capture_output=True, env=environment(root), check=False, text=True
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert message.format(tmp_path) in done.stderr


def test_a_closed_input_ends_in_one_line(command: list[str], root: Path) -> None:
    shell = ["sh", "-c", '"$@" <&-', "sh", *command]
    done = subprocess.run(shell, capture_output=True, env=environment(root), check=False, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "ncsbench: error: the standard input and output must be open; run it at a terminal\n"
    )


class Terminal:
    """The tool in a pseudo-terminal."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.shown = ""

    def wait_for(self, text: str) -> None:
        while text not in self.shown:
            assert select.select([self.master], [], [], LONGEST)[0], self.shown
            self.shown += os.read(self.master, 4096).decode()

    def wait_for_key(self, prompt: str = "? help: ") -> None:
        """Wait until single keys are read: what is pressed before that is dropped."""
        self.wait_for(prompt)
        while termios.tcgetattr(self.master)[3] & termios.ICANON:
            time.sleep(0.01)

    def press(self, keys: str, then: str) -> None:
        self.shown = ""
        os.write(self.master, keys.encode())
        self.wait_for(then)


def test_the_tool_takes_single_keys_at_a_terminal(
    command: list[str], tmp_path: Path, root: Path
) -> None:
    terminal = Terminal(command, environment(root))
    terminal.wait_for_key()
    assert "\x1b" not in terminal.shown
    terminal.press("\x1b[A", "q  quit")  # an arrow key is no command
    terminal.wait_for_key()
    terminal.press("n", "your own words): ")
    terminal.press("2\n", "Question 2 of 2; 1 decided.")
    assert read_decisions(tmp_path / "c.csv") == {"101": Decision(False, REASONS[1], FIRST)}
    terminal.wait_for_key()
    terminal.press("y", "to quit: ")
    terminal.wait_for_key("to quit: ")
    terminal.press("\x03", "1 kept, 1 not kept, 0 left")
    assert terminal.process.wait(30) == 0
    os.close(terminal.master)
    assert len(read_decisions(tmp_path / "c.csv")) == 2


def test_an_interrupt_at_the_reason_ends_in_order(
    command: list[str], tmp_path: Path, root: Path
) -> None:
    terminal = Terminal(command, environment(root))
    terminal.wait_for_key()
    terminal.press("y", "Question 2 of 2")
    terminal.wait_for_key()
    terminal.press("n", "your own words): ")
    terminal.process.send_signal(signal.SIGINT)
    terminal.wait_for("1 kept, 0 not kept, 1 left")
    assert terminal.process.wait(30) == 0
    os.close(terminal.master)
    assert read_decisions(tmp_path / "c.csv") == {"101": YES}
