"""Which published systems stand in Table 1, and their figures on the questions at hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import METRICS, measure_ranks
from ncsbench.evaluation.measures.results import ModelResult
from ncsbench.evaluation.measures.score_sheet import read_score_sheet
from ncsbench.evaluation.published.printed_figures import FIGURE_COLUMNS
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
