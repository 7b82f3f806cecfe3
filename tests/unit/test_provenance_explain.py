"""What ``ncsbench explain`` says of a table, a row and a number."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.artifacts.storage import hash_bytes
from ncsbench.cli.main import app
from ncsbench.errors import DataError
from ncsbench.provenance.explanation import Explanation, explain_table
from ncsbench.provenance.explanation_text import to_json
from ncsbench.provenance.lineage import Checkout
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
    assert "data/toy/repository_intervals/bm25.csv" not in explanation.inputs
    assert ("data/toy/words" in explanation.inputs) == bool(runs)
    is_trained = row == "ncs" and column in (None, "training_pairs")
    assert ("data/toy/trainings/0a" in explanation.inputs) == is_trained


def test_the_value_stands_first_then_its_arithmetic_then_the_table_and_its_sources() -> None:
    lines = show(explain("ncs", "mrr"))
    sha256, size = hash_bytes(Path(TABLE).read_bytes())[:12], Path(TABLE).stat().st_size
    assert lines[:9] == [
        "mrr of ncs in results/table1.csv: 0.500000",
        "  jobs: 4; sources: raw/questions.json, raw/list.csv",
        "  judge: dice above 0.25",
        "  first rank 1, reciprocal rank 1.000000: 1 question, query id 7",
        "  first rank 2, reciprocal rank 0.500000: 1 question, query id 8",
        "  not counted: 1 question, query id 9",
        "  sum of reciprocal ranks / questions = 1.5 / 3 = 0.5",
        "",
        f"{TABLE}  sha256 {sha256}, {size} bytes",
    ]
    assert lines[9].startswith("  rule tables, 1970-01-01 00:16:40 UTC, 3.2 s, code 1, machine 1")
    assert lines[10] == "  $ ncsbench tables --seed 1"
    paragraphs = [part.split("\n") for part in "\n".join(lines).split("\n\n")[1:]]
    assert [part[0].partition("  ")[0] for part in paragraphs] == [
        TABLE,
        "results/toy/runs/ncs.trec",
        "data/toy/words",
        "raw/questions.json",
        "data/toy/part.parquet",
        "raw/list.csv",
        f"code 1: ncsbench 0.1.0, commit {'1a' * 20}",
    ]
    assert paragraphs[2][2:] == [
        "  $ ncsbench words --seed 1",
        "  data/toy/settings/words.json: class_name true, more [1, null], seed 2019",
        "  from: data/toy/part.parquet",
    ]
    assert re.fullmatch(r"raw/list\.csv  sha256 [0-9a-f]{12}, 11 bytes, source", paragraphs[5][0])
    assert paragraphs[6][1].startswith("machine 1: ")
    assert paragraphs[6][-1] == "packages: numpy 2.4.6"
    assert not [line for line in lines if line != line.rstrip()]


def test_answered_at_k_is_counted() -> None:
    assert show(explain("ncs", "answered_1"))[:6] == [
        "answered_1 of ncs in results/table1.csv: 1",
        "  jobs: 4; sources: raw/questions.json, raw/list.csv",
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


def test_outputs_of_a_rule_are_one_paragraph_and_shared_parts_are_listed_once() -> None:
    lines = show(explain(table=Path(TABLE)))
    text = "\n".join(lines)
    assert text.count("data/toy/words  sha256") == 1
    assert text.count("raw/questions.json  sha256") == 1
    first = next(index for index, line in enumerate(lines) if "runs/bm25.trec  sha256" in line)
    assert [line.partition("  sha256")[0] for line in lines[first : first + 7]] == [
        *(f"results/toy/runs/{run}.trec" for run in ("bm25", "ncs", "ncs-half")),
        "and 1 more",
        "  rule retrieve, 1970-01-01 00:16:40 UTC, 3.2 s, code 1, machine 1 (one of 4 jobs)",
        "  $ retrieve --tag bm25",
        "  from: data/toy/words, raw/questions.json",
    ]


def test_outputs_of_a_job_are_together_where_the_nearest_is() -> None:
    for name in ("near", "far"):
        write_file(f"data/toy/{name}", name)
        write_record(f"data/toy/{name}", "split", ["raw/list.csv"])
    write_record(TABLE, "tables", ["data/toy/near", "results/toy/runs/ncs.trec"])
    write_record("results/toy/runs/ncs.trec", "retrieve", ["data/toy/far"])
    describe()
    lines = show(explain(table=Path(TABLE)), depth=1)
    (first,) = (index for index, line in enumerate(lines) if line.startswith("data/toy/near  "))
    assert lines[first + 1].startswith("data/toy/far  ")
    assert lines[first + 2].startswith("  rule split, ")


def test_each_code_and_machine_has_a_number_that_its_jobs_name() -> None:
    explanation = explain("ncs", "mrr")
    lineage = explanation.lineage
    other = replace(lineage.makers["data/toy/words"], code=Checkout("0.2.0"), machine="Else")
    jobs = tuple(other if job.outputs == other.outputs else job for job in lineage.jobs)
    text = "\n".join(show(replace(explanation, lineage=replace(lineage, jobs=jobs))))
    assert "rule words, 1970-01-01 00:16:40 UTC, 3.2 s, code 2, machine 1\n" in text
    assert "\ncode 2: ncsbench 0.2.0, not in a git checkout\nmachine 1: Else\nmachine 2: " in text


def test_depth_limits_the_steps() -> None:
    lines = show(explain("ncs"), depth=1)
    assert "… more steps; see --depth and --json" in lines
    assert any("runs/ncs.trec  sha256" in line for line in lines)
    assert not any("data/toy/words  sha256" in line for line in lines)
    assert "… more steps" not in "".join(show(explain("ncs")))
    assert "… more steps" not in "".join(show(explain("ncs"), depth=4))


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
    assert any(line.startswith("  rule rule_79, ") for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_path_longer_than_a_line_stays_whole() -> None:
    path = "raw/" + "/".join(["deep-folder"] * 15)
    write_record(TABLE, "tables", [path, "raw/list.csv"])
    describe()
    lines = show(explain(table=Path(TABLE)), width=60)
    assert any(path in line for line in lines)
    assert all(len(line) <= 60 or path in line for line in lines)


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
