"""Figures of Table 1 without results that are duplicates."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_rows, write_rows
from ncsbench.base.files.storage import write_table
from ncsbench.corpus.layout.ledger_schema import DUPLICATE_COLUMNS, FIRST_SCHEMA
from ncsbench.evaluation.measures import judged_rankings
from ncsbench.evaluation.measures.judged_rankings import JudgedRanking, StudyQuestions
from ncsbench.studies.ncsed import table1_without_copies as module
from ncsbench.studies.ncsed.table1_without_copies import COLUMNS, find_first_ranks
from ncsbench.studies.ncsed.table_settings import TableSettings


def test_ranks_move_up_and_a_copy_answers_nothing() -> None:
    accepted = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0]], np.bool_)
    copies = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0]], np.bool_)
    assert find_first_ranks(accepted, copies).tolist() == [2, 0, 2, 0]
    assert find_first_ranks(accepted, ~copies & copies).tolist() == [3, 2, 1, 0]
    assert find_first_ranks(accepted[:, :0], copies[:, :0]).tolist() == [0, 0, 0, 0]


def test_figures_with_and_without_copies_stand_beside_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = np.array([[3, 1, 2], [0, -1, -1]])
    similarities = np.zeros((len(judged_rankings.SIMILARITIES), 2, 3))
    similarities[:, 0, 2] = similarities[:, 1, 0] = 0.5
    ranking = JudgedRanking("m", ids, similarities)
    asked = StudyQuestions(np.arange(2, dtype=np.int32), (("1", 0), ("2", 0)))
    monkeypatch.setattr(module, "read_study_questions", lambda _: asked)
    monkeypatch.setattr(module, "read_judged_runs", lambda *_, **__: [ranking])
    firsts = pa.table([[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 1], [0, 1, 1, 1]], schema=FIRST_SCHEMA)
    write_table(tmp_path / "firsts", firsts, FIRST_SCHEMA)
    clusters = {"kind": "methods", "name": "near", "total": "4", "copies": "2", "share": "0.5000"}
    libraries = [
        {"kind": "library", "name": f"a.b|{number}", "methods_share": "0.2500"}
        for number in range(21)
    ]
    rows = [dict.fromkeys(DUPLICATE_COLUMNS, "") | row for row in (clusters, *libraries)]
    write_rows(tmp_path / "counts", DUPLICATE_COLUMNS, rows)
    model = {"name": "m", "trained_on": "", "published_as": "", "replicates": []}
    settings = TableSettings.model_validate_json(
        json.dumps(
            {
                **{"dataset": "d", "duplicates": "equal_lines", "models": [model], "baseline": "m"},
                **{"comparisons": [], "ablations": [], "other_judges": [], "strict_judge": "dice"},
            }
        )
    )
    module.write_table1_without_copies(
        settings,
        firsts=tmp_path / "firsts",
        duplicates=tmp_path / "counts",
        questions=tmp_path,
        results=tmp_path,
        judgements=tmp_path,
        output=tmp_path / "table.csv",
        report=tmp_path / "page.md",
    )
    found = read_rows(tmp_path / "table.csv", COLUMNS)
    assert len(found) == 3 * 2 * 4
    names = ("duplicates", "copies_10", "with_copies", "without_copies", "difference")
    chosen = [
        tuple(row[name] for name in names)
        for row in found
        if row["measure"] == "mrr" and row["judge"] == "dice"
    ]
    assert chosen == [
        ("equal_lines", "0", "0.666667", "0.666667", "0.000000"),
        ("equal_words", "1", "0.666667", "0.750000", "0.083333"),
        ("near", "2", "0.666667", "0.500000", "-0.166667"),
    ]
    page = (tmp_path / "page.md").read_text()
    assert "| methods | near | 4 | 2 | 50.0 % |" in page
    assert "## Vendored libraries, the first 20 of 21" in page
    assert (
        "| m | 0.667 | 0.667 (0.000 to 0.000) | 0.750 (0.000 to +0.167) "
        "| 0.500 (-0.333 to 0.000) |" in page
    )
    assert "built with 'duplicates: equal" in page
    assert r"a.b\|3" in page
