from pathlib import Path

import pytest

from ncsbench.errors import DataError
from ncsbench.evaluation.metrics import METRICS
from ncsbench.tables.csv_rows import write_rows
from ncsbench.tables.display import format_table1
from ncsbench.tables.table1 import COLUMNS


def write(path: Path, cells: dict[str, str]) -> Path:
    return write_rows_of(path, [cells])


def write_rows_of(path: Path, rows: list[dict[str, str]]) -> Path:
    write_rows(path, COLUMNS, [{c: cells.get(c, "") for c in COLUMNS} for cells in rows])
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


def test_published_figures_follow_in_a_block_of_their_own(tmp_path: Path) -> None:
    ncs = {
        "dataset": "d", "model": "ncs", "questions": "7", "published_as": "NCS",
        "published_questions": "7", **{f"verdict_{metric}": "equal" for metric in METRICS},
        **{f"printed_{metric}": "33" for metric in METRICS},
        **{f"{kind}_{metric}{bound}": "1" for metric in METRICS
           for kind, bound in (("published", ""), ("difference", ""), ("difference", "_low"),
                               ("difference", "_high"))},
    }  # fmt: skip
    scs = {"dataset": "d", "model": "SCS", "published_as": "SCS", "printed_mrr": "0.124"}
    text = format_table1(write_rows_of(tmp_path / "t.csv", [ncs, scs]))
    ours, compared, only = text.split("\n\n")
    assert len(ours.splitlines()) == 3
    assert compared.splitlines()[2].split() == [
        *("ncs", "NCS", "@1", "33", "1", "2", "+1", "(+1", "to", "+1)", "equal"),
    ]
    assert only.splitlines()[2].split() == ["SCS", "0.124"]
    assert max(map(len, text.splitlines())) <= 140


def test_names_do_not_act_on_the_terminal(tmp_path: Path) -> None:
    cells = {"model": "m\x1b[2J", "questions": "7"}
    assert "m<U+001B>[2J" in format_table1(write(tmp_path / "t.csv", cells))


def test_a_published_figure_must_be_a_number(tmp_path: Path) -> None:
    cells = {"model": "m", "questions": "7", "published_as": "NCS", "published_mrr": "much"}
    with pytest.raises(DataError, match="a published figure is no number"):
        format_table1(write(tmp_path / "t.csv", cells))
