"""The README and the pages show the committed results, and nothing typed by hand."""

import shutil
from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.result_pages import refresh_page
from ncsbench.pipeline.evidence.board_figure import draw_board
from ncsbench.studies.ncsed.table1_figure import draw_table1
from tests.bench import result_figures

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
    assert len(answer) == 1 and answer[0].startswith(
        "**Best on 287 questions under the strict judge"
    )
    assert len(table) == 2 + 6


def find_differing(drawn: Path, committed: Path) -> list[str]:
    """Names of light and dark figures whose bytes differ from those of the committed ones."""
    names = sorted(path.name for path in drawn.glob("*.svg"))
    assert names
    return [one for one in names if (drawn / one).read_bytes() != (committed / one).read_bytes()]


def test_the_figure_of_the_readme_is_that_of_the_committed_results(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)  # names of models are read there
    figure = "docs/figures/table1_ncsed_383.svg"
    draw_table1(root / RESULTS / "table1.csv", tmp_path / Path(figure).name)
    assert find_differing(tmp_path, root / "docs/figures") == [], (
        f"draw it anew: ncsbench tables figure {RESULTS}/table1.csv -o {figure}"
    )
    assert figure in (root / "README.md").read_text()


def test_the_figure_of_the_board_is_that_of_its_table(root: Path, tmp_path: Path) -> None:
    draw_board(root / "results/board/board.csv", tmp_path / "board.svg")
    assert find_differing(tmp_path, root / "docs/figures") == [], "draw it anew: make board"


def test_the_other_figures_of_pages_are_those_of_the_committed_results(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    result_figures.main(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2 * len(result_figures.DRAWN)
    assert find_differing(tmp_path, root / "docs/figures") == [], (
        "draw them anew: python tests/bench/result_figures.py"
    )
