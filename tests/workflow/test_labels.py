"""A sheet of the sample's results, and how far people and judges agree, by the commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.apps.labels.label_sheet import COLUMNS
from ncsbench.base.files.csv_tables import read_rows, write_rows
from ncsbench.cli.main import app

pytestmark = pytest.mark.workflow


def test_results_of_the_sample_are_graded_and_compared_with_the_judges(
    sample_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample_run)
    sheet = tmp_path / "mine.csv"
    asked = ["-k", "3", "--model", "bm25", "--model", "ncs", "--count", "40"]
    done = CliRunner().invoke(app, ["labels", "sheet", "-o", str(sheet), *asked])
    assert done.exit_code == 0, done.exception
    rows = read_rows(sheet, COLUMNS)
    assert len(rows) == 40 and all(row["code"] and row["document"] for row in rows)
    write_rows(sheet, COLUMNS, [row | {"grade": str(at % 4)} for at, row in enumerate(rows)])
    compared = ["labels", "agreement", str(sheet), str(sheet), "--dataset", "sample"]
    done = CliRunner().invoke(app, compared)
    assert done.exit_code == 0, done.exception
    assert "10 of grade 3, 10 of grade 2, 10 of grade 1, 10 of grade 0" in done.stdout
    assert "quadratic kappa: 1.0000" in done.stdout
    for judge in ("lenient", "strict", "charged"):
        assert f"people and the {judge} judge: rows that both graded: 40" in done.stdout
