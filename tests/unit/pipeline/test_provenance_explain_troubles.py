"""What ``ncsbench explain`` says where something is changed, missing, broken or unknown."""

import json
import shutil
from pathlib import Path

import pytest

from ncsbench.errors import DataError
from tests.refusals import one_line
from tests.unit import made_up_run
from tests.unit.made_up_explanations import COPY, begin_run, describe, explain
from tests.unit.made_up_run import METADATA, TABLE, write_file, write_record


@pytest.fixture(autouse=True)
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin_run(tmp_path, monkeypatch)


def test_a_cell_that_its_questions_do_not_give_is_named() -> None:
    write_file(TABLE, made_up_run.TABLE1.replace("0.500000", "0.500001"))
    describe()
    (line,) = explain("ncs", "mrr", Path(TABLE)).troubles
    assert line == (
        f"mrr of ncs is 0.500001, but the questions of {Path().resolve()}/results/toy/"
        "per_question.parquet give 0.500000; run Snakemake again"
    )


def test_damaged_or_absent_questions_explain_nothing() -> None:
    write_file("results/toy/per_question.parquet", "damaged")
    explanation = explain("ncs", "mrr")
    assert explanation.arithmetic == ()
    (line,) = explanation.troubles
    assert "per_question.parquet: cannot be read as Parquet" in line
    Path("results/toy/per_question.parquet").unlink()
    assert explain("ncs", "mrr").troubles == ()


def test_a_changed_and_a_missing_artifact_are_named_in_one_line() -> None:
    write_file("results/toy/runs/ncs.trec", "changed")
    write_file("data/toy/words/tokens.npy", "changed")
    Path("raw/questions.json").unlink()
    assert [line.partition(" (")[0] for line in explain("ncs", "mrr").troubles] == [
        "data/toy/words: no longer has the recorded hash",
        "raw/questions.json: is not here",
        "results/toy/runs/ncs.trec: no longer has the recorded hash",
    ]
    assert explain("ceiling", "mrr").troubles == ("raw/questions.json: is not here",)


def test_what_can_be_made_again_is_no_trouble_where_it_is_absent() -> None:
    shutil.rmtree("data/toy/words")
    assert explain("ncs", "mrr").troubles == ()


def test_a_folder_of_raw_sources_is_left_to_the_next_run() -> None:
    write_file("raw/java/owner/name/A.java", "class A {}")
    state = {"kind": "directory", "path": "raw/java/{owner}/{name}", "sha256": "0" * 64}
    write_file(f"{made_up_run.SETTINGS}/inputs/source.json", json.dumps(state))
    write_record("data/toy/part.parquet", "extract", [f"{made_up_run.SETTINGS}/inputs/source.json"])
    describe()
    assert "raw/java/{owner}/{name}" in explain("ncs", "mrr").paths
    assert explain("ncs", "mrr").troubles == ()


def test_changed_settings_are_named() -> None:
    write_file("data/toy/settings/words.json", "{}")
    (line,) = explain("ncs", "mrr").troubles
    assert line.startswith("data/toy/settings/words.json: no longer has the recorded hash")


def test_results_alone_are_explained_without_their_settings() -> None:
    shutil.rmtree("data/toy/settings")
    assert explain("ncs", "mrr").troubles == ()


def test_a_copy_that_is_another_table_is_named() -> None:
    COPY.write_text(TABLE1_CHANGED)
    assert explain().troubles == (
        "results/table1.csv: is not the results/toy/table1.csv that was recorded",
    )


TABLE1_CHANGED = "dataset,model,mrr\ntoy,bm25,0.99\n"


@pytest.mark.parametrize(
    ("row", "column", "table", "line"),
    [
        ("nsc", None, TABLE, r"no row 'nsc'; did you mean 'ncs'\?"),
        ("zzz", None, TABLE, r"no row 'zzz'; known: bm25, ceiling, ncs"),
        ("ncs", "mr", TABLE, r"no column 'mr'; did you mean 'mrr'\?"),
        ("ncs", None, "results/toy/qrels.txt", r"only rows of a \.csv file have names"),
        (None, None, "results/no.csv", r"there is no such table"),
        (None, None, "results/toy/other.csv", r"nothing tells where it comes from"),
        (None, None, "raw/list.csv", r"no run made it here \(`make check` says which committed"),
    ],
)
def test_what_is_unknown_ends_in_one_line(
    row: str | None, column: str | None, table: str, line: str
) -> None:
    write_file("results/toy/other.csv", "a\n")
    with one_line(DataError, match=line):
        explain(row, column, Path(table))


def test_a_broken_provenance_file_ends_in_one_line_that_says_how_to_mend_it() -> None:
    for text in ("{", "[]", "[" * 100_000):
        write_file("results/toy/provenance.json", text)
        with one_line(DataError, match=r"remove it and run Snakemake again$"):
            explain()


def test_without_provenance_the_records_tell_and_without_both_one_line() -> None:
    Path("results/toy/provenance.json").unlink()
    assert explain("ncs", table=Path(TABLE)).paths[0] == TABLE
    shutil.rmtree(METADATA)
    for table in (COPY, Path(TABLE)):
        with pytest.raises(DataError, match=r"no provenance\.json beside or above it names it"):
            explain(table=table)


def test_a_dataset_column_never_leads_out_of_the_folder() -> None:
    write_file("results/strange.csv", "dataset,model\n../toy,x\n")
    with pytest.raises(DataError, match=r"no provenance\.json beside or above it"):
        explain(table=Path("results/strange.csv"))
