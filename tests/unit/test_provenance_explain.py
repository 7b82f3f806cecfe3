"""What ``ncsbench explain`` says of a table, a row and a number."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ncsbench.cli.main import app
from ncsbench.errors import DataError
from ncsbench.provenance.explanation import Explanation, explain_table
from ncsbench.provenance.explanation_tree import print_explanation, to_json
from tests.unit import made_up_run
from tests.unit.made_up_explanations import COPY, begin_run, describe, explain, show
from tests.unit.made_up_run import TABLE, write_file, write_record

ALL_RUNS = set(made_up_run.RUNS)


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin_run(tmp_path, monkeypatch)


def runs_of(explanation: Explanation) -> set[str]:
    return {Path(path).stem for path in explanation.inputs if "/runs/" in path}


def test_a_copy_of_a_table_is_found_by_its_dataset() -> None:
    explanation = explain()
    assert explanation.start == TABLE
    assert runs_of(explanation) == ALL_RUNS
    assert explanation.troubles == ()


@pytest.mark.parametrize(
    ("row", "column", "runs", "others"),
    [
        ("bm25", None, {"bm25"}, {"published/figures.csv"}),
        ("ncs", None, {"ncs", "ncs-half", "ncs-seed2"}, {"published/figures.csv"}),
        ("ncs", "mrr", {"ncs"}, set()),
        ("ncs", "threshold", set(), set()),
        ("ncs", "training_pairs", set(), set()),
        ("ncs", "verdict_mrr", {"ncs", "ncs-half", "ncs-seed2"}, {"published/figures.csv"}),
        ("ncs", "published_mrr", set(), {"published/figures.csv"}),
        ("ceiling", "mrr", set(), {"data/toy/matches.parquet"}),
    ],
)
def test_of_a_row_only_what_it_depends_on_is_followed(
    row: str, column: str | None, runs: set[str], others: set[str]
) -> None:
    explanation = explain(row, column)
    assert runs_of(explanation) == runs
    marked = {"published/figures.csv", "data/toy/matches.parquet"}
    assert marked & explanation.inputs.keys() == others
    assert ("data/toy/words" in explanation.inputs) == bool(runs)
    is_trained = row == "ncs" and column in (None, "training_pairs")
    assert ("data/toy/trainings/0a" in explanation.inputs) == is_trained


def test_the_value_stands_first_then_its_arithmetic_then_the_table_and_its_sources() -> None:
    lines = show(explain("ncs", "mrr"))
    assert lines[:8] == [
        "mrr of ncs in results/table1.csv: 0.500000",
        "  judge: dice above 0.25",
        "  first rank 1, reciprocal rank 1.000000: 1 question, query id 7",
        "  first rank 2, reciprocal rank 0.500000: 1 question, query id 8",
        "  not counted: 1 question, query id 9",
        "  sum of reciprocal ranks / questions = 1.5 / 3 = 0.5",
        f"{TABLE}  {lines[6].partition('  ')[2]}",
        "  rule tables, 1970-01-01 00:16:40 UTC, 3.2 s, modules: 1",
    ]
    assert lines[8] == "  $ ncsbench tables --seed 1"
    text = "\n".join(lines)
    assert "class_name true, more [1, null], seed 2019" in text
    assert "raw/list.csv  sha256" in text
    assert "packages: numpy 2.4.6" in text
    assert not [line for line in lines if line != line.rstrip()]


def test_answered_at_k_is_counted() -> None:
    assert show(explain("ncs", "answered_1"))[:5] == [
        "answered_1 of ncs in results/table1.csv: 1",
        "  judge: dice above 0.25",
        "  first rank 1: 1 question, query id 7",
        "  not counted: 2 questions, query ids 8, 9",
        "  counted: 1 of 3 questions",
    ]


def test_a_rank_that_is_too_deep_counts_nothing() -> None:
    arithmetic = explain("bm25", "mrr").arithmetic
    assert arithmetic is not None
    assert arithmetic.shares.tolist() == [0.0, 0.5, 0.0]
    assert "  not counted: 2 questions, query ids 7, 9" in show(explain("bm25", "mrr"))


@pytest.mark.parametrize(("row", "column"), [("ceiling", "mrr"), ("ncs", "verdict_mrr")])
def test_what_is_no_figure_of_a_run_has_no_arithmetic(row: str, column: str) -> None:
    explanation = explain(row, column)
    assert explanation.arithmetic is None
    assert explanation.troubles == ()


def test_what_no_provenance_file_names_is_told_by_the_records_of_snakemake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as the published table, which belongs to no dataset."""
    table = Path("results/published_table1.csv")
    write_file(str(table), "model,metric\nNCS,mrr\n")
    state = f"{made_up_run.SETTINGS}/inputs/repositories.json"
    write_record(str(table), "published_table1", [state, "published/figures.csv"])
    lines = show(explain(table=table))
    assert lines[0] == "results/published_table1.csv"
    assert "  rule published_table1, 1970-01-01 00:16:40 UTC, 3.2 s" in lines
    text = "\n".join(lines)
    assert "published/figures.csv  sha256" in text and "raw/list.csv  sha256" in text
    assert "machine" not in text and "code" not in text  # nobody wrote them down
    monkeypatch.chdir("results")
    assert explain(table=Path("published_table1.csv")).start == str(table)


def test_shared_parts_stand_once() -> None:
    text = "\n".join(show(explain("ncs")))
    assert text.count("data/toy/words  sha256") == 1
    assert text.count("raw/questions.json  sha256") == 1


def test_depth_limits_the_steps() -> None:
    lines = show(explain("ncs"), depth=1)
    assert any(line.endswith("… more steps; see --depth and --json") for line in lines)
    assert not any("data/toy/words  sha256" in line for line in lines)


MANY = """system,direction,language,mrr
nbow,code,Go,0.5
nbow,code,PHP,0.4
nbow,query,Go,0.3
nbow,query,PHP,0.4
cnn,code,Go,0.2
"""


def test_of_several_rows_of_a_name_one_is_chosen_by_its_cells() -> None:
    table = Path("results/toy/table3.csv")
    write_file(str(table), MANY)
    write_record(str(table), "table3", ["raw/list.csv"])
    assert show(explain("nbow", "mrr", table))[:2] == [
        "mrr of nbow in results/toy/table3.csv: 0.5, 0.4, 0.3, 0.4",
        "  4 rows have this name; the first of them alone: "
        "--where direction=code --where language=Go",
    ]
    assert "rows have this name" not in "".join(show(explain("cnn", "mrr", table)))
    options = ["--where", "language=PHP", "--where", "direction=query"]
    asked = CliRunner().invoke(app, ["explain", str(table), "nbow", "mrr", *options])
    said = "mrr of nbow, language=PHP, direction=query in results/toy/table3.csv: 0.4"
    assert asked.output.splitlines()[0] == said
    for row, where, line in [
        ("nbow", {"language": "PPH"}, "no row 'nbow' with language=PPH; the nearest: PHP"),
        ("cnn", {"language": "PHP"}, "no row 'cnn' with language=PHP; there are Go"),
        ("cnn", {"langage": "PHP"}, "no column 'langage'; the nearest: language"),
        (None, {"language": "PHP"}, "name the row too"),
    ]:
        with pytest.raises(DataError, match=line):
            explain_table(table, row=row, column=None, where=where)


def test_rows_that_only_the_asked_column_tells_apart_are_listed() -> None:
    table = Path("results/toy/table3.csv")
    write_file(str(table), "system,mrr\nnbow,0.5\nnbow,0.4\n")
    write_record(str(table), "table3", ["raw/list.csv"])
    lines = show(explain("nbow", "mrr", table))
    assert lines[0] == "mrr of nbow in results/toy/table3.csv: 0.5, 0.4"
    assert "rows have this name" not in "".join(lines)


def test_from_inside_the_folder_of_a_table_its_provenance_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir("results/toy/runs")
    assert explain(table=Path("ncs.trec")).start == "results/toy/runs/ncs.trec"


def test_hostile_names_do_not_act_on_the_terminal() -> None:
    hostile = "raw/\x1b[2J\u202e$(x)[red]:smile:[/red][link=https://a.example]b[/link]"
    write_record(TABLE, "ta\x1bbles", [hostile], shellcmd="run\n\x1b]0;x\x07 [/bold] [@click=x]")
    describe()
    text = "".join(show(explain(), width=200))
    assert not any(mark in text for mark in "\x1b\u202e\x07\n")
    assert "raw/<U+001B>[2J<U+202E>$(x)[red]:smile:[/red][link=https://a.example]b[/link]" in text
    assert "[/bold] [@click=x]" in text


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def has_colour() -> bool:
        text = io.StringIO()
        print_explanation(explain(), Console(file=text, force_terminal=True, width=120))
        return "\x1b[31m" in text.getvalue()

    monkeypatch.setenv("TERM", "xterm")
    write_file("results/toy/runs/ncs.trec", "changed")
    assert has_colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour()


def test_a_circle_in_the_records_ends() -> None:
    write_record("raw/questions.json", "questions", [TABLE])
    describe()
    assert show(explain())


def test_a_terminal_without_utf8_gets_escapes(root: Path) -> None:
    write_record(TABLE, "tables", ["raw/\u00e9"])
    describe()
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(root / "workflow")}
    command = [sys.executable, "-m", "ncsbench", "explain", TABLE]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"raw/\\xe9" in done.stdout


def test_a_long_chain_stays_readable() -> None:
    for number in range(80):
        write_file(f"raw/{number}", "x")
        write_record(f"raw/{number}", f"rule_{number}", [f"raw/{number + 1}"])
    write_record(TABLE, "tables", ["raw/0"])
    describe()
    lines = show(explain(), width=80)
    assert any("rule rule_9, " in line for line in lines)
    assert any(line.endswith("└── … more steps; see --depth and --json") for line in lines)


def test_json_has_the_same_and_is_safe() -> None:
    plain = json.loads(json.dumps(to_json(explain("ncs", "mrr"))))
    assert plain["values"] == ["0.500000"]
    assert plain["arithmetic"]["questions"][0] == {"query_id": 7, "first_rank": 1, "share": 1.0}
    assert plain["arithmetic"]["value"] == "0.500000"
    assert plain["artifacts"][TABLE]["made_from"] == ["results/toy/runs/ncs.trec"]
    assert {job["rule"] for job in plain["jobs"]} == {"extract", "retrieve", "tables", "words"}


def test_the_commands_write_and_explain() -> None:
    runner = CliRunner()
    options = ["--dataset", "toy", "--settings", str(made_up_run.SETTINGS)]
    output = ["--output", "results/toy/provenance.json", "--also", "results/toy"]
    written = runner.invoke(app, ["provenance", "write", *options, *output, TABLE])
    assert written.exit_code == 0, written.output
    explained = runner.invoke(app, ["explain", str(COPY), "ncs", "mrr"])
    assert explained.output.startswith("mrr of ncs in results/table1.csv: 0.500000\n")
    plain = runner.invoke(app, ["explain", "results/toy/runs/bm25.trec", "--json"])
    assert json.loads(plain.output)["recorded_as"] == "results/toy/runs/bm25.trec"
