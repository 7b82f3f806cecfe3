"""The README and the pages show the committed results, and nothing typed by hand."""

import shutil
from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.result_pages import refresh_page
from ncsbench.pipeline.evidence.board_figure import draw_board
from ncsbench.studies.ncsed.table1_figure import draw_table1

RESULTS = "results/ncsed_383"


def test_the_tables_of_all_pages_are_those_of_the_committed_results(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    tables = {}
    for page in (Path("README.md"), *sorted(Path("docs").glob("**/*.md"))):
        copy = Path(shutil.copy2(page, tmp_path / "page.md"))
        tables[page.name] = refresh_page(copy)
        assert copy.read_text() == page.read_text(), (
            f"make its tables anew: ncsbench tables refresh {page}"
        )
    assert tables["README.md"] == 2 and tables["ranker.md"] > 1


def test_the_table_of_the_readme_is_short(root: Path) -> None:
    answer, table = (
        block.split("-->\n")[1].split("<!--")[0].splitlines()
        for block in (root / "README.md").read_text().split("<!-- from:")[1:]
    )
    assert len(answer) == 1 and answer[0].startswith("Best under the strict judge")
    assert len(table) == 2 + 6


def test_the_figure_of_the_readme_is_that_of_the_committed_results(
    root: Path, tmp_path: Path
) -> None:
    figure = "docs/figures/table1_ncsed_383.svg"
    draw_table1(root / RESULTS / "table1.csv", tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_bytes() == (root / figure).read_bytes(), (
        f"draw it anew: ncsbench tables figure {RESULTS}/table1.csv -o {figure}"
    )
    assert figure in (root / "README.md").read_text()


def test_the_figure_of_the_board_is_that_of_its_table(root: Path, tmp_path: Path) -> None:
    draw_board(root / "results/board/board.csv", tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_bytes()
    assert drawn == (root / "docs/figures/board.svg").read_bytes(), "draw it anew: make board"
    assert "](figures/board.svg)" in (root / "docs/board.md").read_text()
