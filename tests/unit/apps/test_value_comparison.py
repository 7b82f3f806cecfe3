"""Two runs compared by value, and what one line says of them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ncsbench.apps.shown_tables.value_comparison import compare_runs, iterate_differences
from ncsbench.base.files.storage import write_table
from ncsbench.cli.look import tables as app
from ncsbench.errors import DataError

TABLE = "model,answered,mrr\nbm25,12,0.333333\nncs,13,0.250000\n"
QUESTIONS = pa.schema([("row", pa.int32()), ("rank", pa.float64())])


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """Two results folders with the same values; the scores of one have other last digits."""
    for name, score in (("old", 0.5), ("new", 0.5 + 1e-9)):
        folder = tmp_path / name
        (folder / "runs").mkdir(parents=True)
        (folder / "table1.csv").write_text(TABLE)
        (folder / "provenance.json").write_text(name)
        (folder / "runs" / "ncs.trec").write_text(f"1 Q0 7 1 {score!r} ncs\n")
        table = pa.table({"row": [1, 2], "rank": [score, None]}, QUESTIONS)
        write_table(folder / "per_question.parquet", table, QUESTIONS)
    return tmp_path / "old", tmp_path / "new"


def test_runs_with_other_last_digits_are_equal(runs: tuple[Path, Path]) -> None:
    assert compare_runs(*runs).describe() == (
        "equal: 3 files have the same values, 1 of them the same bytes"
    )
    done = CliRunner().invoke(app, ["verify", *map(str, runs)])
    assert (done.exit_code, done.output.count("\n")) == (0, 1)


def test_compressed_runs_are_compared_by_value(runs: tuple[Path, Path]) -> None:
    for folder, score in zip(runs, (0.5, 0.5 + 1e-9), strict=True):
        text = f"1 Q0 7 1 {score!r} ncs\n"
        (folder / "runs" / "bm25.trec.gz").write_bytes(gzip.compress(text.encode()))
    assert compare_runs(*runs).describe() == (
        "equal: 4 files have the same values, 1 of them the same bytes"
    )


def test_the_largest_difference_is_named_and_the_exit_status_is_1(runs: tuple[Path, Path]) -> None:
    old, new = runs
    (new / "table1.csv").write_text(TABLE.replace("0.333333", "0.333").replace("13", "26"))
    (new / "runs" / "ncs.trec").write_text("1 Q0 7 1 0.4 ncs\n")
    (new / "flips.csv").write_text("model\n")
    done = CliRunner().invoke(app, ["verify", str(old), str(new)])
    assert done.exit_code == 1
    assert done.output == (
        "3 values differ in 2 of 3 files; the largest: table1.csv, line 3, answered: "
        "'13' and '26'; 1 files only in one of them\n"
    )
    done = CliRunner().invoke(app, ["verify", str(old / "table1.csv"), str(new / "table1.csv")])
    assert done.output.startswith("2 values differ in 1 of 1 files;")


def test_a_text_differs_more_than_any_number(runs: tuple[Path, Path]) -> None:
    old, new = runs
    (new / "table1.csv").write_text(TABLE.replace("bm25,12", "bm26,99"))
    assert (
        compare_runs(old, new)
        .describe()
        .startswith(
            "2 values differ in 1 of 3 files; the first one that is no number: table1.csv, line 2, "
            "model: 'bm25' and 'bm26'"
        )
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (TABLE + "x,1,0.1\n", (4, "number of cells")),
        (TABLE.replace(",mrr", ""), (1, "number of cells")),
        (TABLE.replace("mrr", "rr"), (1, "mrr")),
    ],
)
def test_another_shape_is_one_difference(tmp_path: Path, text: str, place: tuple[int, str]) -> None:
    (tmp_path / "a.csv").write_text(TABLE)
    (tmp_path / "b.csv").write_text(text)
    (found,) = iterate_differences(tmp_path / "a.csv", tmp_path / "b.csv")
    assert (found.row, found.column) == place


def test_what_cannot_be_compared_is_one_line(runs: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for two, message in (
        ((runs[0], tmp_path / "empty"), "have no table in common"),
        ((runs[0], tmp_path / "none"), "none: is no folder"),
    ):
        with pytest.raises(DataError, match=message) as caught:
            compare_runs(*two)
        assert "\n" not in str(caught.value)
    for name in ("table1.csv", "per_question.parquet"):
        (runs[1] / name).write_bytes(b"\xff")
        with pytest.raises(DataError, match=f"{name}: "):
            compare_runs(runs[0] / name, runs[1] / name)
