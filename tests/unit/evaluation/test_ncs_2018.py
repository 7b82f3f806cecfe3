"""The rows of the NCS paper beside ours."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.published.sheet_agreement import (
    FIGURES_FILE,
    MODELS_FILE,
    NCS_2018_COLUMNS,
    write_ncs_2018,
)

PUBLISHED = Path(__file__).parents[3] / "config" / "published"
RANKS = {
    "bm25": np.array([1] * 45 + [10] * 5 + [11] * 100 + [0] * 50, np.int32),
    "elasticsearch_like": np.zeros(200, np.int32),
    "something_else": np.ones(200, np.int32),
}
JUDGES = {Judge("dice", 0.25): RANKS, Judge("jaccard", 0.1): RANKS}


def compare(folder: Path, published: Path = PUBLISHED) -> list[Row]:
    path = folder / "out.csv"
    write_ncs_2018(path, dataset="tiny", first_ranks=JUDGES, published=published)
    return read_rows(path, NCS_2018_COLUMNS)


def test_shares_stand_beside_shares_as_independent_dev_102(tmp_path: Path) -> None:
    rows = compare(tmp_path)
    assert [(row["published_as"], row["model"], row["judge"]) for row in rows] == [
        ("Elasticsearch", "elasticsearch_like", "dice"), ("BM25", "bm25", "dice"),
        ("Elasticsearch", "elasticsearch_like", "jaccard"), ("BM25", "bm25", "jaccard"),
    ]  # fmt: skip
    nothing, ours = rows[:2]
    assert (ours["answered_10"], ours["questions"], ours["share"]) == ("50", "200", "0.250000")
    assert (ours["published_answered_10"], ours["published_questions"]) == ("122", "518")
    assert ours["difference"] == "+0.014479"
    assert float(ours["difference_low"]) < 0 < float(ours["difference_high"])
    assert (nothing["share"], nothing["difference"]) == ("0.000000", "-0.173745")
    assert float(nothing["high"]) > 0 and float(nothing["difference_high"]) < 0


def test_the_printed_shares_are_those_of_the_paper(tmp_path: Path) -> None:
    systems = {row["system"] for row in read_rows(PUBLISHED / MODELS_FILE, ("system", "model"))}
    ranks = {row["model"]: np.ones(1, np.int32)
             for row in read_rows(PUBLISHED / MODELS_FILE, ("system", "model"))}  # fmt: skip
    path = tmp_path / "out.csv"
    first_ranks = {Judge("dice", 0.25): ranks}
    write_ncs_2018(path, dataset="tiny", first_ranks=first_ranks, published=PUBLISHED)
    shares = {r["published_as"]: round(100 * float(r["published_share"]), 1)
              for r in read_rows(path, NCS_2018_COLUMNS)}  # fmt: skip
    assert shares == {
        "Elasticsearch": 17.4, "NCS": 23.0, "BM25": 23.6, "NCS + query expansion": 25.5,
        "NCS + expansion + post-rank": 34.0,
    }  # fmt: skip
    assert systems == set(shares)


def test_a_system_that_is_not_printed_is_named(tmp_path: Path) -> None:
    for name in (FIGURES_FILE, MODELS_FILE):
        shutil.copy(PUBLISHED / name, tmp_path / name)
    with (tmp_path / MODELS_FILE).open("a") as file:
        file.write("Lucene,bm25\n")
    with pytest.raises(DataError, match=r"ncs_2018\.csv: has no whole number for 'Lucene'"):
        compare(tmp_path, tmp_path)
