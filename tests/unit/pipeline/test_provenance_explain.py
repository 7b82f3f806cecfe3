"""What ``ncsbench explain`` says of a table, a row and a number."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.base.files.storage import hash_bytes
from ncsbench.cli.main import app
from ncsbench.pipeline.provenance.explanation import Explanation
from ncsbench.pipeline.provenance.lineage import Checkout
from tests.unit import made_up_run
from tests.unit.made_up_explanations import COPY, begin_run, describe, explain, show
from tests.unit.made_up_run import TABLE, write_file, write_record

ALL_RUNS = set(made_up_run.RUNS)


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin_run(tmp_path, monkeypatch)


def runs_of(explanation: Explanation) -> set[str]:
    return {Path(path).stem for path in explanation.paths if "/runs/" in path}


def test_a_copy_of_a_table_is_found_by_its_dataset() -> None:
    explanation = explain()
    assert explanation.paths[0] == TABLE
    assert runs_of(explanation) == ALL_RUNS
    assert explanation.troubles == ()


@pytest.mark.parametrize(
    ("row", "runs", "others"),
    [
        ("bm25", {"bm25"}, {"published/figures.csv"}),
        ("ncs", {"ncs", "ncs-half", "ncs-seed2"}, {"published/figures.csv"}),
        ("ceiling", set(), {"published/figures.csv", "data/toy/matches.parquet"}),
    ],
)
def test_of_a_row_only_what_it_depends_on_is_followed(
    row: str, runs: set[str], others: set[str]
) -> None:
    explanation = explain(row, "mrr")
    assert runs_of(explanation) == runs
    marked = {"published/figures.csv", "data/toy/matches.parquet"}
    assert marked & set(explanation.paths) == others
    assert "data/toy/repository_intervals/bm25.csv" not in explanation.paths
    assert ("data/toy/words" in explanation.paths) == bool(runs)
    assert "data/toy/trainings/0a" not in explanation.paths


def test_the_value_stands_first_then_its_arithmetic_sources_files_and_code() -> None:
    lines = show(explain("ncs", "mrr"))
    assert lines[:7] == [
        "mrr of ncs in results/table1.csv: 0.500000",
        "  judge: dice above 0.25",
        "  first rank 1, reciprocal rank 1.000000: 1 question, query id 7",
        "  first rank 2, reciprocal rank 0.500000: 1 question, query id 8",
        "  not counted: 1 question, query id 9",
        "  sum of reciprocal ranks / questions = 1.5 / 3 = 0.5",
        "sources: 3",
    ]
    sources = ["published/figures.csv", "raw/questions.json", "raw/list.csv"]
    assert [line.split()[0] for line in lines[7:10]] == sources
    assert re.fullmatch(r"  raw/list\.csv  sha256 [0-9a-f]{12}, 11 bytes", lines[9])
    assert lines[10] == "files made from them, nearest to the table first: 6, by jobs: 6"
    sha256, size = hash_bytes(Path(TABLE).read_bytes())[:12], Path(TABLE).stat().st_size
    assert lines[11] == f"  {TABLE}  sha256 {sha256}, {size} bytes, rule tables, code 1"
    made = ["ncs-half.trec", "ncs-seed2.trec", "ncs.trec", "words", "part.parquet"]
    assert [Path(line.split()[0]).name for line in lines[12:17]] == made
    assert lines[17:] == [f"code 1: ncsbench 0.1.0, commit {'1a' * 20}", "packages: numpy 2.4.6"]
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
    lines = show(explain("bm25", "mrr"))
    assert "  first rank 2, reciprocal rank 0.500000: 1 question, query id 8" in lines
    assert "  not counted: 2 questions, query ids 7, 9" in lines


@pytest.mark.parametrize(("row", "column"), [("ceiling", "mrr"), ("ncs", "verdict_mrr")])
def test_what_is_no_figure_of_a_run_has_no_arithmetic(row: str, column: str) -> None:
    explanation = explain(row, column)
    assert explanation.arithmetic == ()
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
    assert lines[-1].endswith(", rule published_table1")
    text = "\n".join(lines)
    assert "published/figures.csv  sha256" in text and "raw/list.csv  sha256" in text
    assert "code" not in text  # nobody wrote it down
    monkeypatch.chdir("results")
    assert explain(table=Path("published_table1.csv")).paths[0] == str(table)


def test_every_file_is_listed_once() -> None:
    lines = show(explain(table=Path(TABLE)))
    files = [line.split()[0] for line in lines if "  sha256 " in line]
    assert len(files) == len(set(files))
    assert {"data/toy/words", "raw/questions.json"} < set(files)
    assert {f"results/toy/runs/{run}.trec" for run in ALL_RUNS} < set(files)


def test_of_files_that_differ_in_the_number_of_a_shard_the_first_is_shown() -> None:
    explanation = explain("ncs", "mrr")
    lineage, words = explanation.lineage, "data/toy/words"
    shards = tuple(f"data/toy/shards/{number:04}.parquet" for number in range(3))
    job = replace(lineage.makers[words], outputs=shards)
    artifacts = {**lineage.artifacts, **dict.fromkeys(shards, lineage.artifacts[words])}
    shown = replace(
        explanation,
        lineage=replace(lineage, artifacts=artifacts, jobs=(*lineage.jobs, job)),
        paths=(*explanation.paths, *shards),
    )
    lines = [line for line in show(shown) if "shards" in line]
    assert len(lines) == 1
    assert lines[0].startswith("  data/toy/shards/0000.parquet  sha256 ")
    assert lines[0].endswith(", the first of 3 shards")


def test_each_code_has_a_number_that_the_files_it_made_name() -> None:
    explanation = explain("ncs", "mrr")
    lineage = explanation.lineage
    other = replace(lineage.makers["data/toy/words"], code=Checkout("0.2.0"))
    jobs = tuple(other if job.outputs == other.outputs else job for job in lineage.jobs)
    text = "\n".join(show(replace(explanation, lineage=replace(lineage, jobs=jobs))))
    assert ", rule words, code 2\n" in text
    assert "\ncode 2: ncsbench 0.2.0, not in a git checkout\n" in text


MANY = """system,direction,language,mrr
nbow,code,Go,0.5
nbow,code,PHP,0.4
nbow,query,Go,0.3
nbow,query,PHP,0.4
cnn,code,Go,0.2
"""


def test_of_several_rows_of_a_name_each_value_is_shown() -> None:
    table = Path("results/toy/table3.csv")
    write_file(str(table), MANY)
    write_record(str(table), "table3", ["raw/list.csv"])
    said = "mrr of nbow in results/toy/table3.csv: 0.5, 0.4, 0.3, 0.4"
    assert show(explain("nbow", "mrr", table))[0] == said


def test_from_inside_the_folder_of_a_table_its_provenance_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir("results/toy/runs")
    assert explain(table=Path("ncs.trec")).paths[0] == "results/toy/runs/ncs.trec"


def test_hostile_names_do_not_act_on_the_terminal() -> None:
    hostile = "raw/\x1b[2J\u202e$(x)[red]:smile:[/red][link=https://a.example]b[/link]"
    write_record(TABLE, "ta\x1bbles [/bold] [@click=x]", [hostile])
    describe()
    text = "".join(show(explain()))
    assert not any(mark in text for mark in "\x1b\u202e\x07\n")
    assert "raw/<U+001B>[2J<U+202E>$(x)[red]:smile:[/red][link=https://a.example]b[/link]" in text
    assert "[/bold] [@click=x]" in text


def test_a_terminal_without_utf8_gets_escapes(root: Path) -> None:
    write_record(TABLE, "tables", ["raw/\u00e9"])
    describe()
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(root / "workflow")}
    command = [sys.executable, "-m", "ncsbench", "explain", TABLE]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"raw/\\xe9" in done.stdout


def test_the_commands_write_and_explain() -> None:
    runner = CliRunner()
    options = ["--dataset", "toy", "--settings", str(made_up_run.SETTINGS)]
    output = ["--output", "results/toy/provenance.json", "--also", "results/toy"]
    written = runner.invoke(app, ["stage", "provenance", *options, *output, "--tables", TABLE])
    assert written.exit_code == 0, written.output
    explained = runner.invoke(app, ["explain", str(COPY), "ncs", "mrr"])
    assert explained.output.startswith("mrr of ncs in results/table1.csv: 0.500000\n")
