from pathlib import Path

import pytest

from ncsbench.errors import DataError
from ncsbench.tables.display import format_table1
from ncsbench.tables.table1 import COLUMNS


def write(path: Path, cells: dict[str, str]) -> Path:
    row = [cells.get(column, "") for column in COLUMNS]
    path.write_text(",".join(COLUMNS) + "\n" + ",".join(row) + "\n")
    return path


def test_figures_stand_under_what_they_are_of(tmp_path: Path) -> None:
    cells = {
        "dataset": "d", "model": "m", "trained_on": "none", "questions": "7", "measure": "dice",
        "threshold": "0.25", "answered_10": "5", "strict_mrr": "0.100000", "median_lines": "9.5",
    }  # fmt: skip
    title, header, row = format_table1(write(tmp_path / "t.csv", cells)).splitlines()
    assert title.startswith("Table 1 of d: answered of 7 questions, dice > 0.25;")
    assert header.split()[:3] == ["model", "trained", "on"]
    assert row.split() == ["m", "none", "5", "0.100000", "9.5"]


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", ",".join(COLUMNS) + "\n"])
def test_other_files_end_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=r"t\.csv"):
        format_table1(path)
