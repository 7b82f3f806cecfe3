"""The committed study of cleaning: a checkout makes its tables anew, without clones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.workflow.conftest import copy_project, run_snakemake

pytestmark = pytest.mark.workflow
TABLES = ["table2.csv", "table3.csv", "table5.csv", "table8.csv", "figure4.svg"]


def test_tables_of_kept_cells_have_the_committed_bytes(root: Path, tmp_path: Path) -> None:
    project = copy_project(root, tmp_path / "project")
    results = project / "results" / "cleaning"
    shutil.copytree(root / "results" / "cleaning", results)
    for name in TABLES:
        (results / name).unlink()
    done = run_snakemake(project, *(f"results/cleaning/{name}" for name in TABLES))
    assert done.returncode == 0, done.stderr
    for name in TABLES:
        assert (results / name).read_bytes() == (root / "results/cleaning" / name).read_bytes()
