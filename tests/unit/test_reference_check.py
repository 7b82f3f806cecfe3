"""Comparing the judge with reference values, whatever the files hold."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ncsbench.cli.judge import check
from ncsbench.errors import DataError
from ncsbench.judge.reference_check import Evidence, FileReport, check_folder, wanted_methods
from ncsbench.judge.reference_values import example_columns, feature_counts, score_columns

CALL = {
    "id": "call",
    "topic": "calls",
    "source": "void f() { g(1); }",
    "features": {
        "g": 1, "1": 1, "#(#)1>g": 1, "#(#)3>1": 1, "#;1>g": 1, "#;1>1": 1, "g>>1": 2,
    },
    "n_features": 8,
    "n_distinct": 7,
    "inner_records": [],
}  # fmt: skip
INNER = "void f() { x.set(new L() { void on() { g(1); } }); }"
EXAMPLE = {
    "stackoverflow_id": "7", "method_id": "3", "repo": "a/b", "path": "C.java",
    "start_line": "2", "end_line": "4",
}  # fmt: skip
ANSWER = "x.set(new L() { void on() { g(1); } });"


def write_jsonl(path: Path, *rows: Any) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def write_csv(path: Path, *rows: dict[str, Any]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def reports(folder: Path, evidence: Evidence | None = None) -> list[FileReport]:
    return list(check_folder(folder, evidence or Evidence()))


def lines(folder: Path, evidence: Evidence | None = None) -> list[str]:
    return [line for report in reports(folder, evidence) for line in report.lines()]


def pair(**columns: Any) -> dict[str, Any]:
    texts = {"query_source": "g(1);\nh(y);", "candidate_source": "void f() { h(x); g(1); k(); }"}
    found = score_columns(texts["query_source"], texts["candidate_source"])
    return {"pair_id": "p1", **texts, **found, **columns}


def test_identical_features_pass(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "spt_fixtures.jsonl.gz", CALL)
    assert lines(tmp_path) == ["spt_fixtures.jsonl.gz: 1/1 identical"]
    assert reports(tmp_path)[0].passes


def test_a_miss_names_the_first_feature_that_differs(tmp_path: Path) -> None:
    wrong = {**CALL["features"], "g": 2, "z": 1}
    write_jsonl(tmp_path / "spt_fixtures_more.jsonl", CALL, {**CALL, "id": "b", "features": wrong})
    assert lines(tmp_path) == [
        "spt_fixtures_more.jsonl: 1/2 identical",
        "  b: feature 'g' expected 2, found 1",
    ]
    assert not reports(tmp_path)[0].passes


def test_records_inside_are_compared_too(tmp_path: Path) -> None:
    inner = {"method": "on", "features": CALL["features"]}
    right = {
        "id": "a",
        "source": INNER,
        "features": feature_counts(INNER),
        "inner_records": [inner],
    }
    none = {**right, "id": "b", "inner_records": []}
    wrong = {**right, "id": "c", "inner_records": [{"method": "on", "features": {"g": 1}}]}
    write_jsonl(tmp_path / "spt_fixtures.jsonl", right, none, wrong)
    assert lines(tmp_path) == [
        "spt_fixtures.jsonl: 1/3 identical",
        "  b: inner record expected 'no record', found 'on'",
        "  c: inner record 'on': feature '#(#)1>g' expected 0, found 1",
    ]


@pytest.mark.parametrize(
    ("column", "value"),
    [("pruned_jaccard_leaf", "0.5"), ("n_leaves_kept", "99"), ("dice", "nan"), ("jaccard", "inf")],
)
def test_pairs_are_compared_in_every_known_column(tmp_path: Path, column: str, value: str) -> None:
    write_csv(tmp_path / "similarity_fixtures.csv", pair(), pair(pair_id="p2", **{column: value}))
    first, second = lines(tmp_path)
    assert first == "similarity_fixtures.csv: 1/2 identical"
    assert second.startswith(f"  p2: {column} expected '{value}', found ")


def test_examples_count_the_records_of_an_answer_both_ways(tmp_path: Path) -> None:
    found = example_columns(ANSWER, INNER)
    assert found["n_answer_features"] == found["n_answer_features_outer"] + 8
    elsewhere = {**EXAMPLE, **found, "start_line": "5"}
    write_csv(tmp_path / "example_scores_dev.csv", {**EXAMPLE, **found}, elsewhere)
    assert wanted_methods(tmp_path) == {("a/b", "C.java", line, "4") for line in ("2", "5")}
    evidence = Evidence({"7": ANSWER}, {("a/b", "C.java", "2", "4"): INNER})
    assert lines(tmp_path, evidence) == ["example_scores_dev.csv: 1/1 identical, 1 not at hand"]
    assert lines(tmp_path) == ["example_scores_dev.csv: 0/0 identical, 2 not at hand"]


def test_files_are_known_by_their_columns_too(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", CALL)
    write_csv(tmp_path / "b.csv", pair())
    write_csv(tmp_path / "c.csv", {"x": 1})
    (tmp_path / "d.txt").write_text("features")
    (tmp_path / "folder.csv").mkdir()
    assert lines(tmp_path) == [
        "a.jsonl: 1/1 identical",
        "b.csv: 1/1 identical",
        "c.csv: not checked (no known format)",
        "d.txt: not checked (no known format)",
    ]


def test_malformed_rows_are_counted_and_named(tmp_path: Path) -> None:
    path = tmp_path / "spt_fixtures.jsonl"
    write_jsonl(
        path, CALL, [1], {"id": "b"}, {**CALL, "source": 3}, {**CALL, "features": {"g": "1"}}
    )
    with path.open("a") as file:
        file.write('{"id": \n\n' + "[" * 100_000 + "\n")
    write_csv(tmp_path / "similarity_fixtures.csv", pair(), pair(dice="many\x1b[31m"))
    found = lines(tmp_path)
    assert found == [
        "similarity_fixtures.csv: 1/2 identical",
        "  malformed: row 2 has 'many\\x1b[31m' as 'dice', not a number",
        "spt_fixtures.jsonl: 1/7 identical",
        "  malformed: row 2 is not a JSON object",
        "  malformed: row 3 has no 'features'",
        "  malformed: row 4 has no text in 'source'",
        "  malformed: row 5 has no counts in 'features'",
        "  malformed: row 6 is not a JSON object",
        "  malformed: row 7 is not a JSON object",
    ]
    assert not any(report.passes for report in reports(tmp_path))


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from([*CALL]),
            st.one_of(st.sampled_from([*CALL.values()]), st.text(), st.integers(), st.none()),
        ),
        min_size=1,
    )
)
def test_any_rows_are_reported(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    folder = tmp_path_factory.mktemp("rows")
    write_jsonl(folder / "spt_fixtures.jsonl", *rows)
    (report,) = reports(folder)
    assert report.total == len(rows)
    assert 0 <= report.identical <= report.total
    assert all(line.isprintable() for line in report.lines())


@pytest.mark.parametrize("name", ["spt_fixtures.jsonl.gz", "similarity_fixtures.csv", "x.csv"])
def test_damaged_files_end_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x1f\x8b\x08\xff\xfe")
    with pytest.raises(DataError, match="cannot be read") as error:
        reports(tmp_path)
    assert "\n" not in str(error.value)


def test_a_folder_without_reference_values_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file to check"):
        reports(tmp_path)
    with pytest.raises(DataError, match="cannot be read as a folder"):
        reports(tmp_path / "none")


def test_the_command_exits_with_1_on_a_miss(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(check)
    write_jsonl(tmp_path / "spt_fixtures.jsonl", CALL)
    result = CliRunner().invoke(app, [str(tmp_path)])
    assert (result.exit_code, result.stdout) == (0, "spt_fixtures.jsonl: 1/1 identical\n")
    write_jsonl(tmp_path / "spt_fixtures.jsonl", {**CALL, "source": "void f() { g(2); }"})
    result = CliRunner().invoke(app, [str(tmp_path)])
    assert result.exit_code == 1
    assert "feature '#(#)3>1' expected 1, found 0" in result.stdout
