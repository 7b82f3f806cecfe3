"""Tables that moved between two states of the results."""

import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.apps.shown_tables.moved_tables import list_moves, open_results
from ncsbench.cli.main import app
from ncsbench.errors import DataError

OLD = "model,questions,mrr,verdict\nbm25,4,0.5000,lower\nncs,4,0.2000,lower\nold,4,0.1000,lower\n"
NEW = "model,questions,mrr,verdict,added\nncs,4,0.3000,lower,x\nbm25,4,0.5000,equal,x\n"


def write(folder: Path, **tables: str) -> Path:
    for name, text in tables.items():
        path = folder / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_rows_are_matched_by_name_and_columns_by_theirs(tmp_path: Path) -> None:
    old = write(tmp_path / "old", table1=OLD, same=OLD, gone=OLD)
    new = write(tmp_path / "new", table1=NEW, same=OLD)
    gone, moved = sorted(list_moves(old, new), key=lambda row: row["table"])
    assert {name: gone[name] for name in ("table", "rows_gone", "columns_gone", "moved")} == {
        "table": "gone.csv", "rows_gone": "3", "columns_gone": "0", "moved": "0",
    }  # fmt: skip
    assert moved == {
        "table": "table1.csv", "rows_gone": "1", "rows_new": "0",
        "columns_gone": "0", "columns_new": "1", "cells": "8", "moved": "2", "texts": "1",
        "largest": "0.333", "row": "ncs", "column": "mrr", "old": "0.2000", "new": "0.3000",
    }  # fmt: skip


def test_the_largest_move_comes_first_and_last_digits_are_no_move(tmp_path: Path) -> None:
    head = "model,seed,mrr\n"
    old = write(tmp_path / "old", a=f"{head}x,1,0.500000\n", b=f"{head}x,1,0.5\nx,2,0.5\n")
    new = write(tmp_path / "new", a=f"{head}x,1,0.500001\n", b=f"{head}x,1,0.5\nx,2,0.4\n")
    (row,) = list_moves(old, new)
    found = [row[name] for name in ("table", "moved", "largest", "row", "column", "old", "new")]
    assert found == ["b.csv", "1", "0.2", "x 2", "mrr", "0.5", "0.4"]


def test_a_verdict_names_no_row_where_the_column_of_names_has_another_name(tmp_path: Path) -> None:
    old = write(tmp_path / "old", a="system,seeds,verdict\nx,1,lower\ny,1,lower\n")
    new = write(tmp_path / "new", a="model,seeds,verdict\nx,1,lower\ny,1,higher\n")
    (row,) = list_moves(old, new)
    found = [row[name] for name in ("rows_gone", "columns_new", "moved", "largest", "new")]
    assert found == ["0", "1", "1", "text", "higher"]


def test_a_state_is_a_folder_or_a_commit_and_the_checkout_is_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "results", table1=OLD)
    monkeypatch.chdir(tmp_path)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "one")):
        subprocess.run([*git, *command], check=True)
    write(tmp_path / "results", table1=NEW)
    done = CliRunner().invoke(app, ["tables", "moved", "HEAD"])
    assert done.exit_code == 0 and "table1.csv,1,0,0,1,8,2,1,0.333,ncs,mrr" in done.output
    assert "tables that differ: 1; cells that moved: 2" in done.output
    assert (tmp_path / "results/table1.csv").read_text() == NEW
    with open_results("HEAD") as folder:
        assert (folder / "table1.csv").read_text() == OLD
    with pytest.raises(DataError, match="nowhere: is neither a folder nor a commit"):
        with open_results("nowhere"):
            pass
