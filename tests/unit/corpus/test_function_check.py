"""The check that annotated functions are found: causes where they are not, and the summary."""

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.cli.codesearchnet import app
from ncsbench.code.functions.registry import Rules
from ncsbench.corpus.function_corpus.annotations import Place
from ncsbench.corpus.function_corpus.function_check import CheckedFunction, check_functions
from ncsbench.corpus.sources.listing import open_source

SHA = "d" * 40
PYTHON = """class A:
    def __len__(self):
        return len(self.items)

    def read(self, path):
        '''Read it.'''
        return open(path).read()


x = 1
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    folder = tmp_path / "code" / "o" / "a"
    (folder / "tests").mkdir(parents=True)
    (folder / "a.py").write_text(PYTHON)
    (folder / "tests" / "b.py").write_text(PYTHON)
    (folder / "broken.py").write_text("def f(:\n    return (\n\n" + PYTHON)
    return tmp_path / "code"


def causes(code: Path, *places: Place, rules: Rules = "as_meant") -> list[tuple[str, str]]:
    source = open_source("directory", str(code), suffixes=(".py",))
    found = check_functions("python", places, source, rules=rules)
    return [(one.cause, one.detail) for one in found.checked]


def place(path: str, start: int, end: int, repo: str = "o/a") -> Place:
    return Place(repo, SHA, path, start, end)


def test_a_function_is_found_by_exactly_its_lines(code: Path) -> None:
    assert causes(code, place("a.py", 5, 7)) == [("", "")]
    assert causes(code, place("a.py", 5, 8)) == [("other lines", "L5-L7")]
    assert causes(code, place("a.py", 10, 10)) == [("no function there", "")]


def test_what_a_rule_leaves_out_is_told_by_the_rule(code: Path) -> None:
    assert causes(code, place("a.py", 2, 3)) == [("dropped: name", "L2-L3")]
    assert causes(code, place("a.py", 2, 3), rules="as_released") == [("", "")]
    assert causes(code, place("tests/b.py", 5, 7)) == [("path word", "test")]


def test_syntax_errors_are_told(code: Path) -> None:
    assert causes(code, place("broken.py", 500, 501)) == [("syntax errors", "")]


def test_a_file_on_which_the_parser_gives_up_is_told_dev_122(code: Path) -> None:
    (code / "o" / "a" / "a.py").write_text(PYTHON + "+ , -> ? = " * 2_500)
    assert causes(code, place("a.py", 5, 7)) == [("parser gave up", "")]


def test_what_is_not_at_hand_is_counted_by_reason(code: Path) -> None:
    source = open_source("directory", str(code), suffixes=(".py",))
    wanted = place("a.py", 5, 7)
    places = [wanted, place("gone.py", 1, 2), place("a.py", 1, 2, "o/b"), place("a.py", 2, 3)]
    found = check_functions("python", places, source)
    dropped = CheckedFunction(place("a.py", 2, 3), "dropped: name", "L2-L3")
    assert found.checked == [dropped, CheckedFunction(wanted)]
    assert found.describe() == (
        "python: 1 of 2 found (50.0 %); dropped: name: 1; not at hand: "
        "1 (cannot be read (No such file or directory)), 1 (folder not found)"
    )


def test_the_sample_is_found_whole(root: Path, tmp_path: Path) -> None:
    sample = root / "resources" / "csn_sample"
    arguments = [
        *("check-functions", "--source", str(sample / "repositories"), "--kind", "directory"),
        *("--annotations", str(sample / "annotationStore.csv")),
        *("--queries", str(sample / "queries.csv"), "--language", "go", "--language", "ruby"),
        *("--output", str(tmp_path / "check.csv")),
    ]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert [line.partition(": ")[0] for line in done.output.splitlines()] == ["go", "ruby"]
    with (tmp_path / "check.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 40
    assert {row["found"] for row in rows} == {"yes"}
