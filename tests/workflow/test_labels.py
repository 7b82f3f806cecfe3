"""Labelling the sample, and the figures that follow, by the commands."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.cli.main import app
from ncsbench.label_files.label_file import read_labels
from ncsbench.label_files.scales import QUERY_LIKENESS

pytestmark = pytest.mark.workflow


def test_the_sample_is_labelled_and_measured(
    sample_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample_run)
    labels, output = tmp_path / "mine.csv", tmp_path / "figures.csv"
    pooled = ["-k", "1", "--model", "bm25", "--model", "ncs"]
    for answers in ("3\n0\n2\nq\n", "1\n" * 100):  # stopped, and gone on with
        done = CliRunner().invoke(app, ["label", str(labels), *pooled], input=answers)
        assert done.exit_code == 0, done.exception
    assert done.stdout.endswith("results left: 0\n")
    found = read_labels(labels)
    assert [label.grade for label in found[:4]] == [3, 0, 2, 1]
    assert len({label.pair for label in found}) == len(found) > 40
    for _ in range(2):  # figures replace figures
        done = CliRunner().invoke(app, ["labels", "measure", str(labels), "--output", str(output)])
        assert done.exit_code == 0, done.exception
    wrong = CliRunner().invoke(app, ["labels", "measure", str(labels), "--output", str(labels)])
    assert "holds other things" in str(wrong.exception) and read_labels(labels) == found
    with output.open(newline="") as file:
        rows = {(row["model"] or row["judge"], row["measure"]): row for row in csv.DictReader(file)}
    row = rows["bm25", "ndcg_10_all"]
    assert 0 < float(row["low"]) < float(row["value"]) < float(row["high"]) < 1
    assert rows["bm25", "precision_10_all"]["threshold"] == "2"
    assert rows["", "labelled_pairs"]["value"] == str(len(found))
    assert 0 <= float(rows["dice", "auc"]["value"]) <= 1
    assert -1 <= float(rows["dice", "kendall_tau_ndcg_10_all"]["value"]) <= 1
    twice = CliRunner().invoke(app, ["labels", "agreement", str(labels), str(labels)])
    assert "quadratic kappa: 1.0000" in twice.stdout


def test_comments_of_the_sample_are_labelled_and_compared(
    sample_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample_run)
    labels = tmp_path / "comments.csv"
    asked = ["label", str(labels), "--scale", "query-likeness", "--comments", "5"]
    for answers in ("2\n0\nq\n", "1\n" * 9):  # stopped, and gone on with
        done = CliRunner().invoke(app, asked, input=answers)
        assert done.exit_code == 0, done.exception
    assert done.stdout.endswith("new labels: 3; comments left: 0\n")
    assert [label.grade for label in read_labels(labels, QUERY_LIKENESS)] == [2, 0, 1, 1, 1]
    twice = CliRunner().invoke(app, ["labels", "agreement", str(labels), str(labels)])
    assert twice.stdout.startswith("pairs graded by both: 5\n")
    assert CliRunner().invoke(app, [*asked, "--model", "bm25"]).exit_code == 2
