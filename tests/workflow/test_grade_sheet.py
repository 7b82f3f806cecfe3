"""A sheet of the sample's results, by the command."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.apps.exports.grade_sheet import COLUMNS
from ncsbench.base.files.csv_tables import read_rows
from ncsbench.cli.main import app

pytestmark = pytest.mark.workflow


def test_results_of_the_sample_are_written_to_grade(
    sample_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sample_run)
    sheet = tmp_path / "mine.csv"
    asked = ["-k", "3", "--model", "bm25", "--model", "ncs", "--count", "40"]
    done = CliRunner().invoke(app, ["labels", "sheet", "-o", str(sheet), *asked])
    assert done.exit_code == 0, done.exception
    rows = read_rows(sheet, COLUMNS)
    assert len(rows) == 40 and all(row["code"] and row["document"] for row in rows)
