"""What ``make check`` makes again, compares and says."""

import csv
import fnmatch
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.verify.check import (
    MADE,
    NOT_MADE,
    ROOT,
    Comparison,
    check,
    compare_table,
    count_cells,
    group_reasons,
    list_others,
    list_question_folders,
    summarise,
    tell,
)
from tests.verify.question_tables import FILE, make_question_tables
from tests.verify.verify import list_files

QUICK = (
    *(
        "results/csn/table4.csv",
        "results/csn/table4_differences.csv",
        "results/csn_java/table2.csv",
    ),
    "results/cleaning/table5.csv",
)
UNIQUE = "results/ncsed_383_unique"


@pytest.mark.workflow
def test_quick_tables_of_a_checkout_without_clones_are_the_committed_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = check(tmp_path, list_files(untracked=True), QUICK, [UNIQUE])
    told = capsys.readouterr().out
    assert set(found) == {
        *QUICK,
        *(f"{UNIQUE}/{name}.csv" for name in ("score_sheet", "table1", "table1_long")),
    }
    assert all(not one.differences and one.cells for one in found.values()), told
    assert all(f"{name}: {one.cells:,} " in told for name, one in found.items())
    assert summarise(found, 1.0) == 0


def test_every_table_of_the_results_is_made_or_has_a_reason() -> None:
    names = list_files(untracked=True)
    assert set(MADE) <= set(names)
    others = list_others(names, MADE)
    assert group_reasons(others)
    assert all(any(fnmatch.fnmatchcase(name, one) for name in others) for one in NOT_MADE)
    with pytest.raises(ValueError, match=r"results/new/table\.csv: is neither made again nor"):
        group_reasons(["results/new/table.csv"])


def test_datasets_with_ranks_by_question_are_found() -> None:
    assert list_question_folders([f"a/{FILE}", "a/table1_long.csv", f"b/{FILE}"]) == ["a"]


def test_a_first_rank_that_is_another_is_found_in_the_tables(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / UNIQUE, tmp_path / "results"))
    table = pq.read_table(folder / FILE)
    ranks = table["first_rank"].to_pylist()
    place = ranks.index(1)
    ranks[place] = 2
    column = table.schema.get_field_index("first_rank")
    pq.write_table(
        table.set_column(column, table.schema.field(column), pa.array(ranks, pa.int32())),
        folder / FILE,
    )
    make_question_tables(ROOT, folder, tmp_path / "made")
    model = table["model"].to_pylist()[place]
    (sheet,) = compare_table(folder / "score_sheet.csv", tmp_path / "made/score_sheet.csv")[2]
    assert sheet.endswith(f"column {model} FRank: expected '1', found '2'")
    lines = compare_table(folder / "table1.csv", tmp_path / "made/table1.csv").differences
    assert any(f",{model}," in line and "column answered_1: expected" in line for line in lines)


def write(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path


@pytest.mark.parametrize(
    ("cell", "same", "told"),
    [
        ("0.250000", True, "t.csv: 8 cells, all equal (2.0 s)"),
        ("0.2500000001", False, "all equal by value, other bytes: another processor's floating"),
        ("0.26", False, "t.csv: row 2 (a,b,0.250000), column mrr: expected '0.250000', found '0.2"),
    ],
)
def test_a_table_is_compared_by_value_where_its_bytes_differ(
    cell: str, same: bool, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = ["model", "of", "mrr", "verdict"]
    expected = write(tmp_path / "t.csv", [header, ["a", "b", "0.250000", ""]])
    found = compare_table(expected, write(tmp_path / "made.csv", [header, ["a", "b", cell, ""]]))
    assert (found.cells, found.same) == (8, same)
    tell("t.csv", found, 2.0)
    status = summarise({"t.csv": found}, 2.0)
    said = capsys.readouterr().out
    assert told in said
    assert status == (1 if cell == "0.26" else 0)
    last = (
        "FAILED: 1 of 8 cells differ, in 1 of 1 tables"
        if status
        else "OK: 1 tables, 8 cells, all equal"
    )
    assert last in said


def test_empty_cells_can_be_left_out_of_the_count(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", [["a", "b"], ["", "1"]])
    assert (count_cells(path), count_cells(path, filled=True)) == (4, 3)
    (tmp_path / "t.svg").write_text("<svg> two\nthree</svg>")
    assert count_cells(tmp_path / "t.svg") == 3
    assert Comparison(1, same=True, differences=[]).same
