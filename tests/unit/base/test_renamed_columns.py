"""Tables of version 0.8.0 are read under the names that columns have now."""

from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.result_pages import refresh_page
from ncsbench.apps.shown_tables.value_comparison import compare_runs
from ncsbench.base.files.csv_tables import read_headed_rows, read_rows
from ncsbench.base.runs.ranking_frames import read_table
from ncsbench.pipeline.provenance.explanation import select_cells

NEW = ["model", "difference", "difference_low", "difference_high"]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old" / "paired_differences.csv"
    path.parent.mkdir()
    path.write_text("model,difference,low,high\nncs,1,0,2\n")
    return path


def test_every_reader_gives_new_names_and_one_line(
    old: Path, caplog: pytest.LogCaptureFixture
) -> None:
    row = dict(zip(NEW, ("ncs", "1", "0", "2"), strict=True))
    assert read_headed_rows(old) == (NEW, [row]) and read_rows(old, NEW) == [row]
    assert list(read_table(old).columns) == NEW
    (told, *others) = caplog.messages
    assert "rename low to difference_low, high to difference_high" in told
    assert "\n" not in told and set(others) == {told}


def test_a_table_with_new_names_is_the_same_as_one_with_old_ones(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new" / old.name
    new.parent.mkdir()
    new.write_text(old.read_text().replace("low,high", "difference_low,difference_high"))
    assert not compare_runs(old.parent, new.parent).differing


def test_who_names_an_old_column_gets_the_new_one(
    old: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert select_cells(old, "ncs", "low")[1] == "difference_low"
    assert "its column low is called difference_low now" in caplog.text
    page = tmp_path / "page.md"
    page.write_text(f'<!-- from: {old} where="low=0" columns="model,high" -->\n<!-- end -->\n')
    assert refresh_page(page) == 1
    assert "| model | difference_high |" in page.read_text() and "| ncs | 2 |" in page.read_text()


def test_low_stays_where_it_bounds_the_figure_itself(tmp_path: Path) -> None:
    path = tmp_path / "table1_long.csv"
    path.write_text("model,low\nncs,1\n")
    assert read_headed_rows(path)[0] == ["model", "low"]
