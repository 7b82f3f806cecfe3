"""Pages whose tables come from files of results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.result_pages import refresh_page
from ncsbench.errors import DataError
from ncsbench.studies.ncsed.table1_files import write_table1
from tests.one_line import ends_in_one_line
from tests.unit.studies.test_table1 import BM25, NCS, table
from tests.unit.studies.test_table1_files import SIZE

REPORT = "# Table 1\n\nText.\n\n## Lenient judge: x\n\n| a |\n| --- |\n| 1 |\n\n## Strict\n\nno\n"
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
    block = refresh(tmp_path, 'r.md section="Lenient judge"')
    assert block == "| a |\n| --- |\n| 1 |\n"


def test_chosen_columns_and_rows_of_a_csv_file_become_a_table(tmp_path: Path) -> None:
    block = refresh(tmp_path, 'r.csv where="metric=mrr" columns="model,p"')
    assert block == "| model | p |\n| --- | ---: |\n| ncs | 0.5 |\n| bm_25\\| |  |\n"


def test_rows_are_named_in_the_order_to_show(tmp_path: Path) -> None:
    block = refresh(tmp_path, 'r.csv rows="bm_25|,ncs" where="metric=mrr" columns="model,p"')
    assert block.splitlines()[2:] == ["| bm_25\\| |  |", "| ncs | 0.5 |"]
    for directive, message in (("no", "0 rows are named 'no'"), ("ncs", "2 rows are named 'ncs'")):
        with pytest.raises(DataError, match=message):
            refresh(tmp_path, f'r.csv rows="{directive}" columns="model,p"')


def test_figures_have_few_digits_their_intervals_and_an_order(tmp_path: Path) -> None:
    write_table1(tmp_path, table([BM25, NCS], None), SIZE)
    shown = 'intervals="mrr,strict_mrr" digits=3 sort=mrr headings="row,@10,MRR,strict"'
    block = refresh(tmp_path, f'table1.csv columns="model,answered_10,mrr,strict_mrr" {shown}')
    lines = block.splitlines()
    assert lines[:2] == ["| row | @10 | MRR | strict |", "| --- | ---: | ---: | ---: |"]
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| ncs", "| bm25"]
    assert re.fullmatch(r"\| ncs \| 3 \| 0\.625( \(0\.\d{3} to \d\.\d{3}\) \| 0\.250)?.*", lines[2])
    for directive, message in (
        ("columns=model,mrr headings=a", "has 1 headings for 2 columns"),
        ("columns=model,mrr digits=x", "is no number"),
        ("columns=model,mrr sort=judge", "is no number"),
        ("columns=model,mrr intervals=lines", "no column 'lines_low'"),
    ):
        with pytest.raises(DataError, match=message):
            refresh(tmp_path, f"table1.csv {directive}")


def test_a_small_number_is_not_shown_as_0(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("model,p\na,0.00017\nb,0.01234\nc,0.0\n")
    lines = refresh(tmp_path, "p.csv columns=model,p digits=2").splitlines()[2:]
    assert lines == ["| a | 0.00017 |", "| b | 0.01 |", "| c | 0.00 |"]


def test_a_table_may_have_no_rows(tmp_path: Path) -> None:
    empty = "| model | p |\n| --- | --- |\n"
    assert refresh(tmp_path, 'r.csv where="metric=gone" columns="model,p"') == empty
    (tmp_path / "h.csv").write_text("model,p\n")
    assert refresh(tmp_path, "h.csv columns=model,p") == empty


def test_a_cell_keeps_its_line_separators(tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text('model,p\n"a\u2028b\nc",1\n', encoding="utf-8")
    block = refresh(tmp_path, "u.csv columns=model,p")
    assert len(block.split("\n")) == 4
    assert block.count("|") == 9


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("r.md section=None", "there is no such section"),
        ("r.md", "say which with section="),
        ("r.md columns=model", "'columns=model' is not one of section="),
        ("r.csv columns=model,q", "there is no column 'q'"),
        ("h.csv columns=model,q", "there is no column 'q'"),
        ("r.csv where=metric=mrr", "say which with columns="),
        ("r.csv columns=model where=metric", "where needs metric=<value>"),
        ("r.csv columns=model order=p", "'order=p' is not one of columns="),
        ("r.csv columns=model columns=p", "'columns=p' is not one of"),
        ("short.csv columns=model", "short.csv, line 2: has 1 cells, not 2"),
        ("empty.csv columns=model", "empty.csv, line 1: the header must name every column"),
        ("gone.csv columns=model", "gone.csv: cannot be read"),
        ('r.csv columns="model', "No closing quotation"),
        ("nested.md section=A", "its source has a block of its own"),
    ],
)
def test_mistakes_end_in_one_line(tmp_path: Path, directive: str, message: str) -> None:
    (tmp_path / "h.csv").write_text("model,p\n")
    (tmp_path / "short.csv").write_text("model,p\nncs\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "nested.md").write_text("\n## A\n<!-- end -->\n")
    with ends_in_one_line(DataError, message):
        refresh(tmp_path, directive)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n{}\nold\n", 2),
        ("{}\nold\nkept\n{}\n<!-- end -->\n", 1),
        ("{}\n<!-- end -->\n{} x\n<!-- end -->\n", 3),
    ],
)
def test_a_block_without_its_own_end_changes_nothing(tmp_path: Path, text: str, line: int) -> None:
    (tmp_path / "r.csv").write_text(ROWS)
    page = tmp_path / "page.md"
    before = text.replace("{}", f"<!-- from: {tmp_path}/r.csv columns=model -->")
    page.write_text(before)
    with pytest.raises(DataError, match=f"page.md, line {line}: the block is malformed"):
        refresh_page(page)
    assert page.read_text() == before
