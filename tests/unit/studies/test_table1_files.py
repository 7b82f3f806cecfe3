"""Table 1 on disk: the columns of both files, what is read again, and its figure."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from ncsbench.base.files.csv_tables import Row
from ncsbench.errors import DataError
from ncsbench.studies.ncsed.table1_figure import draw_table1
from ncsbench.studies.ncsed.table1_files import (
    CELLS,
    DatasetSize,
    describe_size,
    read_table1,
    write_table1,
)
from tests.unit.studies.test_table1 import BM25, CEILING, NCS, result, table

HEADER = (
    "dataset,model,trained_on,judge,threshold,questions,answered_1,answered_5,answered_10,mrr,"
    "mrr_low,mrr_high,strict_judge,strict_threshold,strict_answered_1,strict_answered_5,"
    "strict_answered_10,strict_mrr,charged_judge,charged_threshold,charged_answered_1,"
    "charged_answered_5,charged_answered_10,charged_mrr,median_lines,training_pairs,published_as,published_questions,"
    "published_answered_1,published_answered_5,published_answered_10,published_mrr,"
    "verdict_answered_1,verdict_answered_5,verdict_answered_10,verdict_mrr,"
    "verdict_alone_answered_1,verdict_alone_answered_5,verdict_alone_answered_10,verdict_alone_mrr"
)
LONG_HEADER = "dataset,model,judge,threshold,measure,statistic,value,low,high"
SIZE = DatasetSize(methods=10, repositories=2, questions=4, answers_read=3)


def read(path: Path) -> list[Row]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_columns_are_fixed(tmp_path: Path) -> None:
    write_table1(tmp_path, table([BM25, NCS], CEILING), SIZE)
    for name, header in (("table1.csv", HEADER), ("table1_long.csv", LONG_HEADER)):
        data = (tmp_path / name).read_bytes()
        assert data.decode().split("\n")[0] == header
        assert b"\r" not in data
    assert [row["model"] for row in read(tmp_path / "table1.csv")] == ["bm25", "ncs", "ceiling"]


def test_the_long_table_has_every_figure_once_and_all_of_table1(tmp_path: Path) -> None:
    rows = table([BM25, NCS], CEILING)
    write_table1(tmp_path, rows, SIZE)
    long = read(tmp_path / "table1_long.csv")
    keys = [tuple(row.values())[:6] for row in long]
    assert len(set(keys)) == len(keys)
    figures = {(row["model"], row["judge"], row["measure"], row["statistic"]): row for row in long}
    mrr = figures["bm25", "pruned_jaccard_leaf", "mrr", "value"]
    assert [mrr[name] for name in ("value", "low", "high")] == [
        rows[0][name] for name in ("mrr", "mrr_low", "mrr_high")
    ]
    assert figures["ncs", "dice", "answered_5", "seeds_mean"]["value"] == "1"
    assert figures["", "", "answers_read", "value"]["value"] == "3"
    assert figures["", "", "repositories", "published"]["value"] == "24549"
    assert {row["model"] for row in long} == {"", "bm25", "ncs", "ceiling"}
    assert not any(row["value"] == "" for row in long)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rows = table([BM25, NCS], CEILING)
    rows.append({**dict.fromkeys(CELLS, ""), "dataset": "sample", "model": "SCS"})
    rows[-1] |= {"published_as": "SCS", "published_mrr": "0.2", "printed_mrr": "0.19"}
    rows[1] |= {"difference_mrr": "1", "difference_mrr_low": "0", "verdict_mrr": "equal"}
    write_table1(tmp_path, rows, SIZE)
    assert read_table1(tmp_path / "table1.csv") == (rows, SIZE)


def test_methods_that_were_left_out_are_counted_where_there_are_some(tmp_path: Path) -> None:
    rows = table([BM25], None)
    write_table1(tmp_path, rows, SIZE)
    assert not [row for row in read(tmp_path / "table1_long.csv") if row["measure"] == "left_out"]
    size = replace(SIZE, left_out=3)
    write_table1(tmp_path, rows, size)
    assert read_table1(tmp_path / "table1.csv") == (rows, size)
    assert describe_size("d", size) == (
        "d: 10 methods without copies (3 left out) of 2 repositories "
        "(of 24,549 in the paper), 4 questions"
    )


def test_a_table_of_other_questions_says_nothing_of_the_paper(tmp_path: Path) -> None:
    size = replace(SIZE, of_ncsed=False)
    write_table1(tmp_path, table([BM25], None), size)
    assert read_table1(tmp_path / "table1.csv")[1] == size
    assert describe_size("d", size) == "d: 10 methods of 2 repositories, 4 questions"
    long = read(tmp_path / "table1_long.csv")
    assert not [row for row in long if row["statistic"] == "published"]


def test_a_judge_that_is_strict_too_stands_once(tmp_path: Path) -> None:
    """Its figures are the same, and so are their keys."""
    rows = table([BM25], None)
    for cell in CELLS:
        rows[0][cell] = rows[0][cell.removeprefix("strict_")]
    write_table1(tmp_path, rows, SIZE)
    assert read_table1(tmp_path / "table1.csv") == (rows, SIZE)


def test_odd_names_survive(tmp_path: Path) -> None:
    write_table1(tmp_path, table([result('a, "b"', [1], [1], 1.0)], None), SIZE)
    assert read_table1(tmp_path / "table1.csv")[0][0]["model"] == 'a, "b"'


@pytest.mark.parametrize("line", ["sample,,,,methods,value,10,,", "sample,,,,questions,value,4,,"])
def test_a_long_table_of_another_kind_is_named(tmp_path: Path, line: str) -> None:
    write_table1(tmp_path, table([BM25], None), SIZE)
    path = tmp_path / "table1_long.csv"
    path.write_text(path.read_text().replace(line + "\n", ""))
    with pytest.raises(DataError, match=r"table1_long\.csv: .* make it again"):
        read_table1(tmp_path / "table1.csv")


def draw(folder: Path, rows: list[Row]) -> bytes:
    write_table1(folder, rows, SIZE)
    draw_table1(folder / "table1.csv", folder / "t.svg")
    assert (folder / "t_dark.svg").is_file()
    return (folder / "t.svg").read_bytes()


def test_equal_tables_give_equal_bytes_that_differ_from_those_of_others(tmp_path: Path) -> None:
    rows = table([BM25, NCS], CEILING)
    first, again = draw(tmp_path, rows), draw(tmp_path, rows)
    rows[0]["mrr_high"] = "0.99"
    assert first == again != draw(tmp_path, rows)
    assert first.startswith(b"<?xml")
    assert b"<!-- MRR of each model on 4 questions, -->" in first
    assert b"<!-- 2 repositories (95 % intervals) -->" in first


def test_the_figure_has_names_and_kinds_and_leaves_the_bound_out(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    drawn = draw(tmp_path, table([BM25, NCS], CEILING)).decode()
    for text in ("BM25", "NCS", "words", "word vectors", "strict judge"):
        assert f"<!-- {text} -->" in drawn
    assert "Perfect ranking" not in drawn and "published" not in drawn


def test_a_table_that_cannot_be_drawn_ends_in_one_line(tmp_path: Path) -> None:
    rows = table([BM25], None)
    rows[0]["mrr_low"] = "x"
    with pytest.raises(DataError, match="could not convert"):
        draw(tmp_path, rows)
    for column in ("mrr", "strict_mrr", "published_mrr"):
        rows[0][column] = ""
    with pytest.raises(DataError, match="no row with an MRR"):
        draw(tmp_path, rows)
    assert not list(tmp_path.glob("*.svg"))
