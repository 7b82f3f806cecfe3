"""Published figures and the score sheet: what follows from it, and the systems of Table 1."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import (
    METRICS,
    answered_at,
    mean_reciprocal_rank,
    measure_ranks,
)
from ncsbench.evaluation.measures.results import ModelResult
from ncsbench.evaluation.measures.score_sheet import read_score_sheet
from ncsbench.evaluation.published.printed_figures import (
    FIGURE_COLUMNS,
    compare_table1,
    read_published,
    write_published_table1,
)
from ncsbench.evaluation.published.sheet_agreement import join_published_ranks
from ncsbench.evaluation.published.systems import (
    SYSTEM_COLUMNS,
    SYSTEMS_FILE,
    PublishedTable,
    read_published_table,
)
from ncsbench.evaluation.published.verdicts import compare_cells
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.posts.questions.questions_file import read_questions
from tests.one_line import ends_in_one_line

PUBLISHED = Path(__file__).parents[3] / "config" / "published"
SHEET = PUBLISHED / "score_sheet.csv"


def configured(keys: list[tuple[str, int]]) -> PublishedTable:
    ranks = join_published_ranks(read_score_sheet(SHEET), keys)
    return read_published_table(PUBLISHED, sheet_ranks=ranks)


def figures(table: PublishedTable, name: str) -> list[str]:
    ranks = next(system.first_ranks for system in table.systems if system.name == name)
    assert ranks is not None
    return [f"{measure_ranks(ranks, metric):.4f}".removesuffix(".0000") for metric in METRICS]


def test_all_published_rows_of_these_questions_are_listed() -> None:
    table = configured([])
    assert [system.name for system in table.systems] == [
        *("NCS", "NCS_postrank", "UNIF_android", "UNIF_stackoverflow"),
        *("CODEnn (GitHub-Android-Train)", "SCS (GitHub-Android-Train)"),
        *("CODEnn (StackOverflow-Android-Train)", "SCS (StackOverflow-Android-Train)"),
    ]
    printed = {system.name: [f.value for f in system.printed.values()] for system in table.systems}
    assert printed["NCS_postrank"] == ["85", "151", "180", "0.4"]
    assert printed["CODEnn (StackOverflow-Android-Train)"] == ["36", "91", "117", "0.215"]
    assert table.notes["SCS (GitHub-Android-Train)", "mrr"].startswith("implausible")
    assert not len(table.joined)


def test_all_questions_give_the_sheet_again() -> None:
    keys = [(id_, 1) for id_ in read_score_sheet(SHEET).stackoverflow_ids]
    keys[72] = (keys[72][0], 2)  # the second question with the id 2470870
    table = configured([("1", 1), *keys])
    assert table.joined.tolist() == list(range(1, 288))
    assert figures(table, "NCS") == ["33", "74", "98", "0.1891"]
    same = np.concatenate([[0], table.systems[0].first_ranks]).astype(np.int32)
    cells = compare_cells(
        [ModelResult("ncs", "", {"lenient": same}, None, "NCS")], table, Sampling(1, 500)
    )
    assert all(cell.test and cell.test.outcome == "equivalent" for cell in cells)
    assert all(cell.difference.value == 0 for cell in cells)


@pytest.mark.shared
def test_published_figures_on_the_development_questions(shared: Path) -> None:
    path = shared / "data" / "ncsed" / "questions-dev.json"
    table = read_questions([path])
    keys = list(
        zip(table["stackoverflow_id"].to_pylist(), table["occurrence"].to_pylist(), strict=True)
    )
    published = configured(keys)
    assert len(published.joined) == len(keys) == 185
    assert figures(published, "NCS") == ["22", "47", "63", "0.1933"]


FIGURES = "".join(f"T,r,{metric},1,s,\n" for metric in METRICS)


@pytest.mark.parametrize(
    ("systems", "text", "message"),
    [
        ("A,,f.csv,T,r\nA,,f.csv,T,r\n", FIGURES, "must have distinct names, not A, A"),
        (",,f.csv,T,r\n", FIGURES, "must have distinct names"),
        ("A,,../f.csv,T,r\n", FIGURES, "'../f.csv' is not the name of a file beside it"),
        ("A,,f.csv,T,other\n", FIGURES, "'A' has no figure 'answered_1' in f.csv, T, other"),
        ("A,,f.csv,T,r\n", "T,r,answered_1,1,s,\n", "'A' has no figure 'answered_5'"),
        ("A,,none.csv,T,r\n", FIGURES, "none.csv: cannot be read"),
        ("A,b\n", FIGURES, "line 2: has 2 cells, not 5"),
    ],
)
def test_mistakes_end_in_one_line(tmp_path: Path, systems: str, text: str, message: str) -> None:
    (tmp_path / SYSTEMS_FILE).write_text(",".join(SYSTEM_COLUMNS) + "\n" + systems)
    (tmp_path / "f.csv").write_text(",".join(FIGURE_COLUMNS) + "\n" + text)
    with ends_in_one_line(DataError, message):
        read_published_table(tmp_path, sheet_ranks={"NCS": np.zeros(0, np.int32)})


PRINTED = PUBLISHED / "ncsed_table1.csv"
FIGURE_FILES = ("ncsed_table1.csv", "unif_table7.csv", "ncs_2018.csv", "blog.csv", "aroma.csv")


def test_two_cells_of_the_published_table_do_not_follow_from_its_sheet() -> None:
    rows = compare_table1(printed=PRINTED, sheet=SHEET)
    assert len(rows) == 16
    unequal = [tuple(row.values()) for row in rows if row["equal"] == "no"]
    assert unequal == [
        ("UNIF_android", "answered_5", "74", "75", "no"),
        ("UNIF_stackoverflow", "mrr", "0.465", "0.463798", "no"),
    ]
    assert {row["equal"] for row in rows} == {"yes", "no"}


def test_comparison_as_csv(tmp_path: Path) -> None:
    write_published_table1(PRINTED, SHEET, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="") as file:
        assert list(csv.DictReader(file)) == compare_table1(printed=PRINTED, sheet=SHEET)
    assert b"\r" not in (tmp_path / "t.csv").read_bytes()


def test_sheet_beyond_the_printed_table() -> None:
    """What the sheet gives besides Table 1: found in the top 50, and the MRR cut at 10."""
    ranks = read_score_sheet(SHEET).first_ranks
    assert [answered_at(column, 50) for column in ranks.T] == [160, 236, 183, 235]
    assert ranks.max(axis=0).tolist() == [48, 50, 50, 44]
    cut = [round(mean_reciprocal_rank(column, 10), 3) for column in ranks.T]
    assert cut == [0.178, 0.391, 0.165, 0.455]
    best = np.where(ranks == 0, 99, ranks).min(axis=1).astype(np.int32)
    assert [answered_at(best, k) for k in (1, 5, 10, 50)] == [161, 216, 233, 265]


@pytest.mark.parametrize("name", FIGURE_FILES)
def test_figures_can_be_read_and_name_their_source(name: str) -> None:
    figures = read_published(PUBLISHED / name)
    assert figures
    assert {figure.source.split(",")[0] for figure in figures} <= {
        *("Li", "Cambronero", "Sachdev", "Kim", "Luan"),
    }


def test_table_7_against_its_own_counts() -> None:
    """The MRR of SCS lies outside what its counts allow, every other row inside."""
    rows: dict[str, dict[str, float]] = {}
    for figure in read_published(PUBLISHED / "unif_table7.csv"):
        if figure.table == "Table 7":
            rows.setdefault(figure.row, {})[figure.column] = float(figure.value)
    assert len(rows) == 11
    for name, row in rows.items():
        questions = 50 if name.startswith("Java-50") else 287
        one, five, ten = (row[f"answered_{k}"] for k in (1, 5, 10))
        lowest = (one + (five - one) / 5 + (ten - five) / 10) / questions
        highest = (one + (five - one) / 2 + (ten - five) / 6 + (questions - ten) / 11) / questions
        inside = lowest - 0.0005 <= row["mrr"] <= highest + 0.0005
        # On Android-287 the MRR of SCS is possible, but only with hits just below rank 10.
        assert inside == (not (name.endswith("SCS") and questions == 50)), name


HEADER = "table,row,column,value,source,note\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("table,row\n", "line 1: the header must be"),
        (HEADER + "T,r,c,1\n", "line 2: has 4 cells, not 6"),
        (HEADER + "T,r,c,1%,s,\n", "the value '1%' is not a plain number"),
        (HEADER + "T,r,c,1,,\n", "names no source"),
        (HEADER + "T,r,c,1,s,\nT,r,c,2,s,\n", "occurs twice"),
        (HEADER + "T,other,mrr,1,s,\n", "has no column for the model 'other'"),
        (HEADER + "T,NCS,map,1,s,\n", "the column 'map' is not one of"),
    ],
)
def test_mistakes_in_figures_end_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.csv").write_text(text)
    with ends_in_one_line(DataError, message):
        compare_table1(printed=tmp_path / "bad.csv", sheet=SHEET)
