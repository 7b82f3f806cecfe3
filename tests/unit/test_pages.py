"""Pages whose tables come from files of results."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.errors import DataError
from ncsbench.tables.pages import refresh_page

REPORT = "# Table 1\n\nText.\n\n## Default measure: x\n\n| a |\n| --- |\n| 1 |\n\n## Strict\n\nno\n"
ROWS = "model,metric,p\nncs,mrr,0.5\nncs,answered_1,0.1\nbm_25|,mrr,\n"


def refresh(tmp_path: Path, directive: str) -> str:
    (tmp_path / "r.md").write_text(REPORT)
    (tmp_path / "r.csv").write_text(ROWS)
    page = tmp_path / "page.md"
    page.write_text(f"before\n<!-- from: {tmp_path}/{directive} -->\nold\n<!-- end -->\nafter\n")
    assert refresh_page(page) == 1
    once = page.read_text()
    refresh_page(page)
    assert page.read_text() == once
    assert once.startswith("before\n<!-- from: ") and once.endswith("<!-- end -->\nafter\n")
    return once.split("-->\n", 1)[1].rsplit("<!--", 1)[0]


def test_a_section_of_a_report_takes_the_place_of_the_old_text(tmp_path: Path) -> None:
    block = refresh(tmp_path, 'r.md section="Default measure"')
    assert block == "| a |\n| --- |\n| 1 |\n"


def test_chosen_columns_and_rows_of_a_csv_file_become_a_table(tmp_path: Path) -> None:
    block = refresh(tmp_path, 'r.csv where="metric=mrr" columns="model,p"')
    assert block == "| model | p |\n| --- | ---: |\n| ncs | 0.5 |\n| bm_25\\| |  |\n"


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("r.md section=None", "there is no such section"),
        ("r.csv columns=model,q", "there is no column 'q'"),
        ("gone.csv columns=model", "gone.csv: cannot be read"),
        ('r.csv columns="model', "No closing quotation"),
    ],
)
def test_mistakes_end_in_one_line(tmp_path: Path, directive: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        refresh(tmp_path, directive)
    assert "\n" not in str(caught.value)
