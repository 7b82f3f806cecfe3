"""The sample's tables are those that are committed in ``resources/sample/expected/``.

The shared run has some models less and other replicates, so a table about all rows together is
compared by ``make verify`` alone, and one with a row for each model by the rows that are in both.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.value_comparison import iterate_differences
from tests.verify.comparing import SUMS, describe_moved_ranks, read_sums

pytestmark = pytest.mark.workflow
RESULTS = "results/sample/"
OF_ALL_ROWS = {
    f"{RESULTS}{name}"
    for name in (
        *("ablations.csv", "paired_differences.csv", "significance.csv"),
        *("table1.md", "table1.tex", "table1_long.csv"),
    )
}
KEYS = {
    f"{RESULTS}table1.csv": ("model",),
    f"{RESULTS}copies.csv": ("model",),
    f"{RESULTS}ncs_2018.csv": ("judge", "published_as", "model"),
    f"{RESULTS}table1_sensitivity.csv": ("judge", "threshold", "model"),
}
"""Tables with a row for each model, by the columns that name the row."""
SHEET = f"{RESULTS}score_sheet.csv"


def read_rows(path: Path, keys: tuple[str, ...]) -> dict[tuple[str, ...], dict[str, str]]:
    with path.open(newline="") as file:
        return {tuple(row[key] for key in keys): row for row in csv.DictReader(file)}


def write_rows(path: Path, rows: Iterable[dict[str, str]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([row.values() for row in rows])
    return path


def test_the_tables_of_the_sample_are_the_committed_ones(sample_run: Path, root: Path) -> None:
    expected = root / "resources" / "sample" / "expected"
    names = read_sums(expected / SUMS).keys()
    alone = sorted(names - OF_ALL_ROWS - KEYS.keys() - {SHEET})
    compared = [name for name in alone if (sample_run / name).is_file()]
    assert set(alone) - set(compared) <= {name for name in alone if "/metrics/" in name}
    for name in compared:
        if (sample_run / name).read_bytes() != (expected / name).read_bytes():
            assert list(iterate_differences(expected / name, sample_run / name)) == [], name


@pytest.mark.parametrize("name", KEYS)
def test_rows_of_models_are_the_committed_ones(
    sample_run: Path, root: Path, tmp_path: Path, name: str
) -> None:
    committed = read_rows(root / "resources/sample/expected" / name, KEYS[name])
    made = read_rows(sample_run / name, KEYS[name])
    assert made.keys() <= committed.keys()
    old = write_rows(tmp_path / "old.csv", [committed[key] for key in made])
    assert list(iterate_differences(old, write_rows(tmp_path / "new.csv", made.values()))) == []


def test_first_ranks_are_the_committed_ones(sample_run: Path, root: Path) -> None:
    assert (
        describe_moved_ranks(root / "resources/sample/expected" / SHEET, sample_run / SHEET) == ""
    )
