"""Table 1 as a figure."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.errors import DataError
from ncsbench.studies.ncsed.table1_figure import draw_table1

HEADER = "dataset,model,questions,mrr,mrr_low,mrr_high,strict_mrr,published_mrr\n"
ROWS = "d,ncs,40,0.5,0.4,0.6,0.3,0.2\nd,SCS,,,,,,0.1\nd,ceiling,40,1,1,1,0.9,\n"


def test_equal_tables_give_equal_bytes_that_differ_from_those_of_others(tmp_path: Path) -> None:
    table, other = tmp_path / "t.csv", tmp_path / "o.csv"
    table.write_text(HEADER + ROWS)
    other.write_text(HEADER + ROWS.replace("0.5", "0.55"))
    for name, source in (("a", table), ("b", table), ("c", other)):
        draw_table1(source, tmp_path / f"{name}.svg")
    first, again, changed = ((tmp_path / f"{name}.svg").read_bytes() for name in "abc")
    assert first == again != changed
    assert first.startswith(b"<?xml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER.replace(",strict_mrr", "") + "d,ncs,40,0.5,0.4,0.6,0.2\n", "no column"),
        (HEADER, "no row with an MRR"),
        (HEADER + ROWS.replace("0.4", "x"), "could not convert"),
    ],
)
def test_a_table_that_cannot_be_drawn_ends_in_one_line(
    tmp_path: Path, text: str, message: str
) -> None:
    table = tmp_path / "t.csv"
    table.write_text(text)
    with pytest.raises(DataError, match=message):
        draw_table1(table, tmp_path / "t.svg")
    assert not (tmp_path / "t.svg").exists()
