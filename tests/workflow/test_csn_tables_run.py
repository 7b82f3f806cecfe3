"""Tables of CodeSearchNet as rules make them; what shows and explains tables knows them."""

from __future__ import annotations

from pathlib import Path

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.studies.codesearchnet.corpus_tables import COLUMNS
from tests.workflow.conftest import call_ncsbench


def ask(folder: Path, *arguments: str) -> str:
    done = call_ncsbench(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_table_2_of_the_sample_has_no_published_figures(sample_run: Path) -> None:
    rows = read_rows(sample_run / "results/csn_sample/table2.csv", COLUMNS)
    assert {row["language"] for row in rows} > {"Go", "All"}
    assert {row["published"] for row in rows} == {""}


def test_its_tables_are_shown_and_explained(sample_run: Path) -> None:
    table = "results/csn_sample/annotators.csv"
    assert "pairs_judged_several_times" in ask(sample_run, "tables", "show", table)
    told = ask(sample_run, "explain", table, "Python", "pairs")
    assert "rule csn_table2" in told
    assert "data/csn_sample/settings" not in told
    assert "resources/csn_sample/annotationStore.csv" in told
