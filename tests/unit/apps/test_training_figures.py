"""Figures of training."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.loss_curves import HISTORY_COLUMNS, draw_loss_curves
from ncsbench.errors import DataError

HEADER = ",".join(HISTORY_COLUMNS)
HISTORY = f"{HEADER}\n0,2.5,2.4,0.2,no\n1,1.5,2.0,0.3,yes\n2,1.0,2.1,0.25,no\n"


def write_history(path: Path, text: str = HISTORY) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("models", [1, 2, 3, 4, 7])
def test_loss_curves_are_the_same_bytes_each_time(tmp_path: Path, models: int) -> None:
    history = write_history(tmp_path / "h.csv")
    histories = {f"unif_{number}": history for number in range(models)}
    for name in ("a.svg", "b.svg"):
        draw_loss_curves(histories, tmp_path / name)
    drawn = (tmp_path / "a.svg").read_bytes()
    assert drawn == (tmp_path / "b.svg").read_bytes()
    assert b"<svg" in drawn and b"dc:date" not in drawn


@pytest.mark.parametrize("rows", ["1,0.5,,,yes", "1,0.5,,0,no"])
def test_gaps_in_a_history_are_drawn(tmp_path: Path, rows: str) -> None:
    history = write_history(tmp_path / "h.csv", f"{HEADER}\n{rows}\n")
    draw_loss_curves({"unif": history}, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEADER}\n", "has no epoch"),
        (f"{HEADER}\n0,1,1,0.1,yes\n1,x,1,0.1,no\n", "epoch 2: could not convert"),
        ("epoch,loss\n", "line 1: the header must be"),
    ],
)
def test_a_malformed_history_is_named(tmp_path: Path, text: str, message: str) -> None:
    history = write_history(tmp_path / "h.csv", text)
    with pytest.raises(DataError, match=message):
        draw_loss_curves({"unif": history}, tmp_path / "a.svg")
    with pytest.raises(DataError, match="no history"):
        draw_loss_curves({}, tmp_path / "a.svg")
    assert not (tmp_path / "a.svg").exists()
