"""Figures of later systems: none without its source, its split, its pool and its measure."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from ncsbench.base.files.csv_tables import Row, read_headed_rows

CELLS = ("go", "java", "javascript", "php", "python", "ruby", "mean")
KNOWN = {
    "measure": {"mrr", "ndcg_10"},
    "printed_in": {"fraction", "per cent"},
    "direction": {"query to code", "code to query"},
    "training": {"none", "trained", "zero-shot", "fine-tuned", "multi-task", "not at hand"},
}
FRACTION = re.compile(r"0\.\d{2,16}")
ADDRESS = re.compile(
    r"https://github\.com/[\w.-]+/[\w.-]+/((blob|tree)/[0-9a-f]{40}/\S+|issues/\d+)"
    r"|https://arxiv\.org/abs/\d{4}\.\d{5}"
)


@pytest.fixture
def rows(root: Path) -> list[Row]:
    return read_headed_rows(root / "config/published/later_figures.csv")[1]


def test_every_row_names_its_source_and_its_setting(rows: list[Row]) -> None:
    for row in rows:
        assert all(row[name] for name in row if name not in (*CELLS, "note")), row
        assert all(row[name] in known for name, known in KNOWN.items()), row
        assert all(ADDRESS.fullmatch(row[name]) for name in ("address", "setting")), row
        assert re.fullmatch(r"(19|20)\d\d|not at hand", row["year"]), row
        assert date(2026, 11, 29) <= date.fromisoformat(row["read_on"]), row
    named = [(row["benchmark"], row["system"], row["training"], row["address"]) for row in rows]
    assert len(set(named)) == len(named) > 70


def test_every_figure_is_a_fraction_or_not_at_hand(rows: list[Row]) -> None:
    for row in rows:
        cells = [row[name] for name in CELLS if row[name]]
        assert cells, row
        assert all(FRACTION.fullmatch(cell) or cell == "not at hand" for cell in cells), row


def test_a_benchmark_has_one_measure_and_pool(rows: list[Row]) -> None:
    settings = {(row["benchmark"], *(row[n] for n in ("measure", "split", "pool"))) for row in rows}
    assert len(settings) == len({row["benchmark"] for row in rows}) == 7


def test_a_printed_mean_is_that_of_the_languages(rows: list[Row]) -> None:
    """A mean over other columns, as one source prints it, is left out."""
    for row in rows:
        if FRACTION.fullmatch(row["mean"]) and FRACTION.fullmatch(row["go"]):
            mean = sum(float(row[name]) for name in CELLS[:-1]) / 6
            assert float(row["mean"]) == pytest.approx(mean, abs=0.0011), row
