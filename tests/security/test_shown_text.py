"""What a table or a message shows of others' text acts neither on a spreadsheet nor a terminal."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.files.csv_tables import write_rows
from ncsbench.base.text.safe_text import show_cell


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("+1+cmd", "'+1+cmd"),
        ("-rf.java", "'-rf.java"),
        ("\t=1", "'\t=1"),
        ("\x1b[2J\x9b\0", "<U+001B>[2J<U+009B><U+0000>"),
        ("\r=1", "<U+000D>=1"),
    ],
)
def test_formulas_and_control_characters_are_defused(text: str, shown: str) -> None:
    assert show_cell(text) == shown


@pytest.mark.parametrize(
    "text", ["", "-0.25", "+3", "-1e-07", "-inf", "a=b", "two\nlines", "Zoë 👩‍💻", "1.5"]
)
def test_numbers_and_plain_text_stay(text: str) -> None:
    assert show_cell(text) == text


@given(st.text())
def test_no_cell_begins_a_formula(text: str) -> None:
    shown = show_cell(text)
    assert not any(ord(character) < 32 and character not in "\n\t" for character in shown)
    if shown[:1] in set("=@\t"):
        pytest.fail(shown)
    if shown[:1] in set("+-"):
        float(shown)


def test_a_table_is_read_back_as_it_is_shown(tmp_path: Path) -> None:
    write_rows(tmp_path / "t.csv", ["a", "b"], [{"a": "=1\0", "b": 'x,"\r\ny'}])
    with (tmp_path / "t.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [["a", "b"], ["'=1<U+0000>", 'x,"\ny']]


def test_an_error_is_one_line_whatever_a_name_holds(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ncsbench", "tables", "show", "a\n\x1b[2J\u202e.csv"],
        env={"PYTHONPATH": str(root / "workflow"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "a <U+001B>[2J<U+202E>.csv" in done.stderr
