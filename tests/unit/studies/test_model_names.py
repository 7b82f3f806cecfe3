"""Models have a name for people, in one place that pages and figures read."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ncsbench.errors import DataError
from ncsbench.studies.ncsed.model_names import COLUMNS, NAMES_FILE, read_model_names, show_model

HEADER = ",".join(COLUMNS)
LONGEST = 38  # a label of a figure


def test_every_row_of_the_committed_tables_has_a_name(root: Path) -> None:
    names = read_model_names(root / NAMES_FILE)
    for table in ("results/ncsed/table1.csv", "results/ncsed_383/table1.csv"):
        with (root / table).open(newline="") as file:
            rows = [row["model"] for row in csv.DictReader(file) if row["questions"]]
        assert [row for row in rows if row not in names] == []
    assert all(len(one.name) <= LONGEST and one.about for one in names.values())
    models = {path.stem for path in (root / "config/models").glob("*.yaml")}
    assert names.keys() - models == {"ceiling"}


def test_a_name_has_its_id_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "names.csv"
    file.write_text(f"{HEADER}\nbm25,BM25,words,words,1994\n")
    names = read_model_names(file)
    assert [show_model(one, names) for one in ("bm25", "mine")] == ["BM25 (bm25)", "mine"]
    assert read_model_names(tmp_path / "absent.csv") == {}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,A,x,trees,\n", "a: the kind must be one of chance, words"),
        ("a,A,x,words,\na,B,x,words,\n", "a: its id or name is there twice"),
        ("a,A,x,words,\nb,A,x,words,\n", "b: its id or name is there twice"),
    ],
)
def test_mistakes_end_in_one_line(tmp_path: Path, rows: str, message: str) -> None:
    (tmp_path / "names.csv").write_text(f"{HEADER}\n{rows}")
    with pytest.raises(DataError, match=message):
        read_model_names(tmp_path / "names.csv")
