from pathlib import Path

import numpy as np
import pytest

from ncsbench.errors import DataError
from ncsbench.evaluation.measures.score_sheet import (
    ScoreSheet,
    join_score_sheet,
    number_occurrences,
    read_score_sheet,
    write_score_sheet,
)

ROOT = Path(__file__).parents[3]
CONFIGURED = ROOT / "config" / "published" / "score_sheet.csv"

SHEET = ScoreSheet(
    rows=np.array([1, 57, 73], dtype=np.int32),
    stackoverflow_ids=("1109022", "2470870", "2470870"),
    models=("BM25", "NCS"),
    first_ranks=np.array([[0, 1], [17, 2], [50, 0]], dtype=np.int32),
)


def test_published_format(tmp_path: Path) -> None:
    write_score_sheet(tmp_path / "sheet.csv", SHEET)
    assert (tmp_path / "sheet.csv").read_bytes() == (
        b"No.,StackOverflow ID,BM25 FRank,NCS FRank\r\n"
        b"1,1109022,NF,1\r\n57,2470870,17,2\r\n73,2470870,50,NF\r\n"
    )


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    write_score_sheet(tmp_path / "sheet.csv", SHEET)
    again = read_score_sheet(tmp_path / "sheet.csv")
    assert again.rows.tolist() == [1, 57, 73]
    assert again.stackoverflow_ids == SHEET.stackoverflow_ids
    assert again.models == SHEET.models
    assert again.first_ranks.tolist() == SHEET.first_ranks.tolist()


@pytest.mark.shared
def test_the_released_sheet_survives_byte_for_byte(tmp_path: Path, shared: Path) -> None:
    released = shared / "data" / "ncsed" / "score_sheet.csv"
    write_score_sheet(tmp_path / "sheet.csv", read_score_sheet(released))
    assert (tmp_path / "sheet.csv").read_bytes() == released.read_bytes()
    assert CONFIGURED.read_bytes().splitlines() == released.read_bytes().splitlines()


def test_published_sheet() -> None:
    sheet = read_score_sheet(CONFIGURED)
    assert sheet.rows.tolist() == list(range(1, 288))
    assert len(set(sheet.stackoverflow_ids)) == 286
    assert sheet.models == ("NCS", "NCS_postrank", "UNIF_android", "UNIF_stackoverflow")


def test_join_by_occurrence_dev_30() -> None:
    """DEV-30: the two questions with id 2470870 find rows 57 and 73 of the published sheet."""
    sheet = read_score_sheet(CONFIGURED)
    keys = [("2470870", 2), ("1109022", 1), ("2470870", 1), ("2470870", 3), ("1", 1)]
    positions = join_score_sheet(sheet, keys)
    assert positions.tolist() == [72, 0, 56, -1, -1]
    assert sheet.first_ranks[positions[[2, 0]]].tolist() == [[17, 1, 7, 1], [0, 6, 7, 1]]
    assert join_score_sheet(sheet, []).tolist() == []


def test_number_occurrences() -> None:
    assert number_occurrences(["a", "b", "a", "a"]) == [1, 1, 2, 3]


def test_byte_order_mark_and_lf_are_read(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_bytes(b"\xef\xbb\xbfNo.,StackOverflow ID,A FRank\n3,x,NF\n")
    assert read_score_sheet(tmp_path / "s.csv").first_ranks.tolist() == [[0]]


HEADER = "No.,StackOverflow ID,A FRank,B FRank\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the header"),
        ("No.,StackOverflow ID\n", "line 1: the header"),
        ("No.,StackOverflow ID,A\n", "line 1: the header"),
        ("No.,StackOverflow ID,A FRank,A FRank\n", "line 1: the header"),
        (HEADER + "1,5,1\n", "line 2: has 3 cells instead of 4"),
        (HEADER + "1,5,1,2\n\n", "line 3: has 0 cells instead of 4"),
        (HEADER + "1,5,1,0\n", "line 2: FRank of B is '0' instead of a whole number from 1 or NF"),
        (HEADER + "1,5,1,nf\n", "line 2: FRank of B is 'nf'"),
        (HEADER + "1,5,1.0,2\n", "line 2: FRank of A is '1.0'"),
        (HEADER + "x,5,1,2\n", "line 2: No. is 'x' instead of a whole number from 1"),
        (HEADER + "2,5,1,2\n2,6,1,2\n", "line 3: 'No.' must ascend, but 2 follows 2"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_score_sheet(path)
    assert str(caught.value).startswith(f"{path}, {message}")
    assert "\n" not in str(caught.value)


def test_unreadable_sheets(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_score_sheet(tmp_path / "missing.csv")
    (tmp_path / "bad.csv").write_bytes(b"\xff")
    with pytest.raises(DataError, match="line 1: is not UTF-8 text"):
        read_score_sheet(tmp_path / "bad.csv")
