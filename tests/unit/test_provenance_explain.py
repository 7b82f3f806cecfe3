"""What ``ncsbench explain`` says of a table, a row and a number."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.cli.main import app
from ncsbench.errors import DataError
from ncsbench.fingerprints import Fingerprints
from ncsbench.provenance.explaining import Explanation, explain_table
from ncsbench.provenance.tree_text import format_explanation, to_plain
from ncsbench.provenance.writing import write_provenance
from tests.unit import made_up_run
from tests.unit.made_up_run import METADATA, TABLE, write_file, write_record

COPY = Path("results/table1.csv")
ALL_RUNS = set(made_up_run.RUNS)


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made_up_run.make_run()
    describe()
    shutil.copy2(TABLE, COPY)


def describe() -> None:
    write_provenance(
        Path("results/toy/provenance.json"),
        tables=[Path(TABLE)],
        dataset="toy",
        metadata=METADATA,
        settings=made_up_run.SETTINGS,
    )


def explain(row: str | None = None, column: str | None = None, table: Path = COPY) -> Explanation:
    return explain_table(table, row=row, column=column)


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
        ("ncs", None, {"ncs", "ncs-seed2", "ncs-half"}, {"published/figures.csv"}),
        ("ncs", "mrr", {"ncs"}, set()),
        ("ncs", "mrr_mean", {"ncs", "ncs-seed2"}, set()),
        ("ncs", "verdict_mrr", {"ncs", "ncs-half"}, {"published/figures.csv"}),
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


def test_the_value_stands_first_then_the_table_then_its_sources() -> None:
    lines = format_explanation(explain("ncs", "mrr_mean"))
    assert lines[0] == "mrr_mean of ncs in results/table1.csv: 0.45"
    assert lines[1] == "replicates: ncs-seed2"
    assert lines[2] == "published: NCS, published_mrr 0.5"
    assert lines[3].startswith("results/toy/table1.csv  sha256 ")
    assert "rule tables, 1970-01-01 00:16:40 UTC, 3.2 s, modules: 1" in lines[4]
    assert lines[5].endswith("$ ncsbench tables --seed 1")
    text = "\n".join(lines)
    assert "class_name true, more [1, null], seed 2019" in text
    assert "raw/list.csv  sha256" in text
    assert "packages: numpy 2.4.6" in text


def test_shared_parts_stand_once() -> None:
    text = "\n".join(format_explanation(explain("ncs")))
    assert text.count("data/toy/words  sha256") == 1
    assert text.count("raw/questions.json  sha256") == 1


def test_depth_limits_the_steps() -> None:
    lines = format_explanation(explain("ncs"), depth=1)
    assert any(line.endswith("… more steps; see --depth") for line in lines)
    assert not any("data/toy/words  sha256" in line for line in lines)


def test_a_changed_and_a_missing_artifact_are_named_in_one_line() -> None:
    write_file("results/toy/runs/ncs.trec", "changed")
    write_file("data/toy/words/tokens.npy", "changed")
    Path("raw/questions.json").unlink()
    assert [line.partition(" (")[0] for line in explain("ncs", "mrr").troubles] == [
        "data/toy/words: no longer has the recorded hash",
        "raw/questions.json: is gone",
        "results/toy/runs/ncs.trec: no longer has the recorded hash",
    ]
    assert explain("ceiling", "mrr").troubles == ("raw/questions.json: is gone",)


def test_what_can_be_made_again_is_marked_and_no_trouble_where_it_is_absent() -> None:
    shutil.rmtree("data/toy/words")
    explanation = explain("ncs", "mrr")
    assert explanation.troubles == ()
    lines = [line for line in format_explanation(explanation) if "not here now" in line]
    assert len(lines) == 1 and "data/toy/words  sha256" in lines[0]
    assert to_plain(explanation)["absent"] == ["data/toy/words"]


def test_an_edit_of_a_raw_java_file_is_named(tmp_path: Path) -> None:
    write_file("raw/java/owner/name/A.java", "class A {}")
    folder, memory = Path("raw/java"), tmp_path / "memory.json"
    state = {
        "kind": "directory",
        "path": "raw/java/{owner}/{name}",
        "sha256": Fingerprints(memory).of_folder(folder, ".java"),
    }
    write_file(f"{made_up_run.SETTINGS}/inputs/source.json", json.dumps(state))
    write_record("data/toy/part.parquet", "extract", [f"{made_up_run.SETTINGS}/inputs/source.json"])
    describe()
    write_file("raw/java/owner/name/notes.txt", "not Java")
    assert explain("ncs", "mrr").troubles == ()
    write_file("raw/java/owner/name/A.java", "class B {}")
    (line,) = explain("ncs", "mrr").troubles
    assert line.startswith("raw/java/{owner}/{name}: no longer has the recorded hash")
    shutil.rmtree(folder)
    assert explain("ncs", "mrr").troubles == ("raw/java/{owner}/{name}: is gone",)


def test_changed_settings_are_named() -> None:
    write_file("data/toy/settings/words.json", "{}")
    (line,) = explain("ncs", "mrr").troubles
    assert line.startswith("data/toy/settings/words.json: no longer has the recorded hash")


def test_a_copy_that_is_another_table_is_named() -> None:
    COPY.write_text(TABLE1_CHANGED)
    assert explain().troubles == (
        "results/table1.csv: is not the results/toy/table1.csv that was recorded",
    )


TABLE1_CHANGED = "dataset,model,mrr\ntoy,bm25,0.99\n"


@pytest.mark.parametrize(
    ("row", "column", "table", "line"),
    [
        ("nsc", None, TABLE, r"no row 'nsc'; the nearest: ncs"),
        ("zzz", None, TABLE, r"no row 'zzz'; there are bm25, ncs, ceiling"),
        ("ncs", "mr", TABLE, r"no column 'mr'; the nearest: mrr"),
        ("ncs", None, "results/toy/qrels.txt", r"only rows of a \.csv file have names"),
        (None, None, "results/no.csv", r"there is no such table"),
        (None, None, "results/toy/other.csv", r"does not tell of it"),
        (
            None,
            None,
            "raw/list.csv",
            r"no provenance\.json beside .* `snakemake --cores all` writes",
        ),
    ],
)
def test_what_is_unknown_ends_in_one_line(
    row: str | None, column: str | None, table: str, line: str
) -> None:
    write_file("results/toy/other.csv", "a\n")
    with pytest.raises(DataError, match=line) as caught:
        explain(row, column, Path(table))
    assert "\n" not in str(caught.value)


def test_from_inside_the_folder_of_a_table_its_provenance_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir("results/toy/runs")
    assert explain(table=Path("ncs.trec")).start == "results/toy/runs/ncs.trec"


def test_a_broken_provenance_file_ends_in_one_line_that_says_how_to_mend_it() -> None:
    for text in ("{", "[]", '{"@graph": [1]}', "[" * 100_000):
        write_file("results/toy/provenance.json", text)
        with pytest.raises(DataError, match=r"remove it and run Snakemake again$") as caught:
            explain()
        assert "\n" not in str(caught.value)


def test_without_provenance_the_command_that_makes_it_is_named() -> None:
    Path("results/toy/provenance.json").unlink()
    for table in (COPY, Path(TABLE)):
        with pytest.raises(DataError, match=r"`snakemake .* -- results/toy/provenance\.json`"):
            explain(table=table)


def test_a_dataset_column_never_leads_out_of_the_folder() -> None:
    write_file("results/strange.csv", "dataset,model\n../toy,x\n")
    with pytest.raises(DataError, match=r"no provenance\.json beside or above it"):
        explain(table=Path("results/strange.csv"))


def test_hostile_names_do_not_act_on_the_terminal() -> None:
    hostile = "raw/\x1b[2J\u202e$(x)"
    write_record(TABLE, "ta\x1bbles", [hostile], shellcmd="run\n\x1b]0;x\x07")
    describe()
    text = "".join(format_explanation(explain()))
    assert not any(mark in text for mark in "\x1b\u202e\x07\n")
    assert "raw/<U+001B>[2J<U+202E>$(x)" in text


def test_a_circle_in_the_records_ends() -> None:
    write_record("raw/questions.json", "questions", [TABLE])
    describe()
    assert format_explanation(explain())


def test_json_has_the_same_and_is_safe() -> None:
    plain = json.loads(json.dumps(to_plain(explain("ncs", "mrr"))))
    assert plain["values"] == ["0.5"]
    assert plain["artifacts"][TABLE]["made_from"] == ["results/toy/runs/ncs.trec"]
    assert {job["rule"] for job in plain["jobs"]} == {"extract", "retrieve", "tables", "words"}


def test_the_commands_write_and_explain() -> None:
    runner = CliRunner()
    options = ["--dataset", "toy", "--settings", str(made_up_run.SETTINGS)]
    output = ["--output", "results/toy/provenance.json", "--also", "results/toy"]
    written = runner.invoke(app, ["provenance", "write", *options, *output, TABLE])
    assert written.exit_code == 0, written.output
    explained = runner.invoke(app, ["explain", str(COPY), "ncs", "mrr"])
    assert explained.output.startswith("mrr of ncs in results/table1.csv: 0.5\n")
    plain = runner.invoke(app, ["explain", "results/toy/runs/bm25.trec", "--json"])
    assert json.loads(plain.output)["recorded_as"] == "results/toy/runs/bm25.trec"
