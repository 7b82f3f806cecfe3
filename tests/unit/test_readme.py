"""The README shows the committed results, and nothing typed by hand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ncsbench.tables.result_pages import refresh_page
from ncsbench.tables.table1_figure import draw_table1

RESULTS = "results/ncsed_383"


def test_the_table_of_the_readme_is_that_of_the_committed_results(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (RESULTS, "results/ncsed"):
        shutil.copytree(root / folder, tmp_path / folder)
    page = shutil.copy2(root / "README.md", tmp_path / "README.md")
    monkeypatch.chdir(tmp_path)
    assert refresh_page(Path(page)) == 1
    assert page.read_text() == (root / "README.md").read_text(), (
        "make the table anew: ncsbench tables refresh README.md"
    )
    table = page.read_text().split("<!-- from:")[1].split("-->\n")[1].split("<!--")[0]
    assert len(table.splitlines()) == 2 + 11


def test_the_figure_of_the_readme_is_that_of_the_committed_results(
    root: Path, tmp_path: Path
) -> None:
    figure = "docs/figures/table1_ncsed_383.svg"
    draw_table1(root / RESULTS / "table1.csv", tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_bytes() == (root / figure).read_bytes(), (
        f"draw it anew: ncsbench tables figure {RESULTS}/table1.csv {figure}"
    )
    assert figure in (root / "README.md").read_text()
